/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole runs of workloads that change by themselves, under both fidelities. */
#include "experiment.h"
#include "two_disks.h"

#include <aftershock/base/error.h>
#include <glib/gstdio.h>

static const char *const two_disks[] = {
    TWO_DISKS,
    "data.placement_groups=512",
    "workload.vms=2",
    NULL,
};

#define OPEN "workload.kind=open", "workload.read_share=100 %"

static void changes_of_the_load_do_not_keep_a_run_from_ending(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < N_FIDELITIES; i++) {
        g_autoptr(AftResult) result =
            run_with(two_disks,
                     (const char *const[]){OPEN, "workload.rate=20 /s", "workload.burst.factor=3",
                                           "workload.burst.share=30 %", "workload.burst.mean=10 s",
                                           "run.settle=5 min", fidelities[i], NULL});
        assert_within(run_length_s(result), 300.0, 1e-6);
    }
}

typedef struct {
    double iops, latency_ms; /* means over rows, of I/Os */
} Half;

static Half half_of(const AftResult *result, double from_s, double to_s)
{
    Half half = {0};
    double ios = 0.0, rows = 0.0;
    for (guint i = 0; i < result->trace->len; i++) {
        const AftTraceRow *row = trace_row(result, i);
        if (row->time_s >= from_s && row->time_s < to_s && row->read_iops > 0.0) {
            ios += row->read_iops;
            half.latency_ms += row->read_iops * row->read_mean_ms;
            rows += 1.0;
        }
    }
    return (Half){ios / rows, half.latency_ms / ios};
}

/* Pollaczek and Khinchine: a disk with a constant service of 10 ms that is busy for rho of the time
 * makes I/O wait for rho / (2 (1 - rho)) services. */
static double latency_ms(double iops_of_both)
{
    double rho = iops_of_both / 2.0 * 0.01;
    return 10.0 + 10.0 * rho / (2.0 * (1.0 - rho));
}

/* Nights at 30 and days at 90 I/Os a second; chance brings 256 of 512 groups to a disk, give and
 * take 11, which changes these latencies by less than 1 %; two precisions of 2 % for the rest. */
static void each_part_of_a_day_is_what_it_would_be_alone(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result =
        run_with(two_disks, (const char *const[]){OPEN, "workload.rate=60 /s", "workload.day[0]=1",
                                                  "workload.day[1]=3", "run.until=duration",
                                                  "run.duration=48 h", "run.trace_interval=1 min",
                                                  "run.fidelity=sampled", NULL});
    for (guint day = 0; day < 2; day++) {
        double begins_s = 86400.0 * day;
        Half night = half_of(result, begins_s, begins_s + 43200.0);
        Half noon = half_of(result, begins_s + 43200.0, begins_s + 86400.0);
        assert_within(night.iops, 30.0, 0.05 * 30.0);
        assert_within(noon.iops, 90.0, 0.05 * 90.0);
        assert_within(night.latency_ms, latency_ms(30.0), 0.03 * latency_ms(30.0));
        assert_within(noon.latency_ms, latency_ms(90.0), 0.03 * latency_ms(90.0));
    }
    assert_true(result->simulated_ios < 1000000); /* of 10 million */
}

/* Rows 100 ms apart, for a minute. */
static char *write_rows(const char *folder, const char *last)
{
    char *path = g_build_filename(folder, "rows.csv", NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < 600; i++) {
        g_string_append_printf(text, "1,R,%u,4096,%u\n", i * 123456789u, i * 100000u);
    }
    g_string_append(text, last);
    assert_true(g_file_set_contents(path, text->str, -1, NULL));
    return path;
}

/* While the trace plays nothing is skipped; after it, with the other workload, nearly all is. */
static void a_trace_is_simulated_whole(void **state G_GNUC_UNUSED)
{
    g_autofree char *folder = g_dir_make_tmp("aftershock-XXXXXX", NULL);
    g_autofree char *path = write_rows(folder, "");
    g_autofree char *file = g_strconcat("workload[1].file=", path, NULL);
    const char *const changes[] = {
        OPEN, "workload.rate=20 /s", "workload[1].kind=trace", "workload[1].vms=3",
        file, "run.settle=2 h",      "run.fidelity=sampled",   NULL};
    g_autoptr(AftResult) result = run_with(two_disks, changes);
    double simulated_s = 0.0;
    for (guint i = 0; i < result->trace->len; i++) {
        const AftTraceRow *row = trace_row(result, i);
        simulated_s += row->time_s < 50.0 ? row->simulated_s : 0.0;
    }
    assert_within(simulated_s, 50.0, 1e-6);
    assert_within(run_length_s(result), 7200.0, 1e-6);
    assert_true(phase_row(result, 0)->simulated_s < 1800.0);
    g_unlink(path);
    g_rmdir(folder);
}

static void assert_fails(const char *file, const char *part)
{
    for (guint i = 0; i < N_FIDELITIES; i++) {
        g_autofree char *named = g_strconcat("workload.file=", file, NULL);
        g_autoptr(GError) error = NULL;
        g_autoptr(AftScenario) scenario =
            scenario_with(two_disks,
                          (const char *const[]){"workload.kind=trace", named, fidelities[i], NULL});
        assert_null(aft_run(scenario, NULL, &error));
        assert_non_null(error);
        assert_non_null(strstr(error->message, part));
    }
}

static void a_run_with_a_bad_trace_fails(void **state G_GNUC_UNUSED)
{
    g_autofree char *folder = g_dir_make_tmp("aftershock-XXXXXX", NULL);
    g_autofree char *path = write_rows(folder, "1,R,0");
    assert_fails(path, "rows.csv:601: expected 5 columns");
    assert_true(g_file_set_contents(path, "", -1, NULL));
    assert_fails(path, "rows.csv:1: expected rows of a trace, got an empty file");
    g_unlink(path);
    g_rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_of_the_load_do_not_keep_a_run_from_ending),
        cmocka_unit_test(each_part_of_a_day_is_what_it_would_be_alone),
        cmocka_unit_test(a_trace_is_simulated_whole),
        cmocka_unit_test(a_run_with_a_bad_trace_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
