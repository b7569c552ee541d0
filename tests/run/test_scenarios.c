/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the shipped scenarios to the answers that their comments promise. */
#include "shipped.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALL_PHASES "steady failed rebuild catchup rebalance steady"

static void one_disk_is_the_oldest_queue(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("01-one-disk.yaml", NULL);
    const AftPhaseRow *row = steady_state(result);
    assert_within(row->iops, 80.0, row->iops_ci);
    assert_within(row->read_mean_ms, 50.0, row->read_mean_ci_ms);
    assert_within(row->read_p95_ms, 50.0 * log(20.0), row->read_p95_ci_ms);
    assert_within(row->read_p99_ms, 50.0 * log(100.0), row->read_p99_ci_ms);
}

static void a_mirror_waits_for_the_slower_disk(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("02-mirrored-pair.yaml", NULL);
    const AftPhaseRow *row = steady_state(result);
    assert_within(row->write_mean_ms, (12.0 - 0.5) / 8.0 * 20.0, row->write_mean_ci_ms);
}

static void a_small_write_costs_raid5_four(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("03-raid5-penalty.yaml", NULL);
    const AftPhaseRow *row = steady_state(result);
    /* The clock ticks evenly; which I/Os are reads is chance, 3.3 standard errors of it. */
    double share_error = sqrt(0.4 * 0.6 / (1000.0 * row->duration_s));
    assert_within(row->capacity_util, 0.70, 3.3 * 0.75 * share_error);
    /* By what was read and written it is exact but for the ends of the run. */
    assert_within(row->capacity_util, (row->read_iops + 4.0 * row->write_iops) / 4000.0, 1e-4);
}

/* Mean value analysis of a closed network, service times in ms. */
typedef struct {
    double per_s, response_ms;
} Closed;

static Closed mean_value_analysis(const double *service_ms, guint n_stations, double think_ms,
                                  guint users)
{
    double queue[2] = {0.0};
    Closed answer = {0};
    for (guint n = 1; n <= users; n++) {
        double response[2];
        answer.response_ms = 0.0;
        for (guint i = 0; i < n_stations; i++) {
            response[i] = service_ms[i] * (1.0 + queue[i]);
            answer.response_ms += response[i];
        }
        answer.per_s = 1000.0 * n / (think_ms + answer.response_ms);
        for (guint i = 0; i < n_stations; i++) {
            queue[i] = answer.per_s * response[i] / 1000.0;
        }
    }
    return answer;
}

static void users_who_wait_cannot_overload(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("04-closed-loop.yaml", NULL);
    const AftPhaseRow *row = steady_state(result);
    Closed expected = mean_value_analysis((const double[]){5.0, 10.0}, 2, 50.0, 8);
    assert_within(expected.per_s, 88.45, 0.005); /* as the comment has it */
    assert_within(row->iops, expected.per_s, row->iops_ci);
    assert_within(row->read_mean_ms, expected.response_ms, row->read_mean_ci_ms);
    assert_within(row->capacity_util, expected.per_s * 0.010, row->iops_ci * 0.010);
    assert_within(row->controller_util, expected.per_s * 0.005, row->iops_ci * 0.005);
}

/* Closed, so it is never idle: the mean of access and transfer tells, to the interval. */
static void a_disk_that_is_never_idle_does_an_access_after_another(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *change;
        double access_s, bytes_per_s;
    } disks[] = {
        {"cluster.node.disk_groups.capacity.device=hdd-7k2", 9e-3 + 4.17e-3, 200e6},
        {"cluster.node.disk_groups.capacity.device=hdd-10k", 6e-3 + 3e-3, 200e6},
        {"cluster.node.disk_groups.capacity.device=hdd-15k", 4e-3 + 2e-3, 220e6},
    };
    for (guint i = 0; i < G_N_ELEMENTS(disks); i++) {
        g_autoptr(AftResult) result =
            run_shipped("disk-iops.yaml", (const char *const[]){disks[i].change, NULL});
        const AftPhaseRow *row = steady_state(result);
        double expected = 1.0 / (disks[i].access_s + 4096.0 / disks[i].bytes_per_s);
        assert_within(row->iops, expected, row->iops_ci);
        assert_true(row->iops_ci < 0.01 * expected);
        assert_true(row->capacity_util > 0.9999);
    }
}

static double iops_of(const AftResult *result, AftPhase phase)
{
    return first_of(result, phase)->iops;
}

static void a_host_failure_is_felt_for_long(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("05-host-failure.yaml", NULL);
    assert_phases(result, ALL_PHASES);
    assert_within(phase_row(result, 0)->controller_util, 0.81, 0.005);
    assert_within(phase_row(result, 0)->iops, 4000.0, phase_row(result, 0)->iops_ci);
    assert_within(iops_of(result, AFT_PHASE_FAILED), 3100.0, 50.0);
    /* The repair takes its fifth of what four controllers can do, about 3,290. */
    assert_within(iops_of(result, AFT_PHASE_REBUILD), 0.8 * 3290.0, 50.0);
    assert_true(iops_of(result, AFT_PHASE_CATCHUP) < 3960.0);
    assert_true(iops_of(result, AFT_PHASE_CATCHUP) > 3700.0);
    assert_true(iops_of(result, AFT_PHASE_REBALANCE) > 4100.0);
    assert_true(first_of(result, AFT_PHASE_REBALANCE)->owed_ios_end < 0.1 * 4000.0);
    assert_within(phase_row(result, 5)->iops, 4000.0, phase_row(result, 5)->iops_ci);
}

/* I/Os in flight, by Little's law. */
static double in_flight(const AftPhaseRow *row)
{
    return (row->read_iops * row->read_mean_ms + row->write_iops * row->write_mean_ms) / 1000.0;
}

static double all_ios(const AftResult *result)
{
    double ios = 0.0;
    for (guint i = 0; i < result->phases->len; i++) {
        ios += phase_row(result, i)->iops * phase_row(result, i)->duration_s;
    }
    return ios;
}

static void assert_few_simulated(const AftResult *result)
{
    double saving = all_ios(result) / (double)result->simulated_ios;
    print_message("# %s: %.3g million I/Os, one in %.0f simulated\n", result->label,
                  all_ios(result) / 1e6, saving);
    assert_true(saving >= 15.0);
}

static void raid5_does_not_hold_its_rate(void **state G_GNUC_UNUSED)
{
    static const AftPhase saturated[] = {AFT_PHASE_FAILED, AFT_PHASE_REBUILD, AFT_PHASE_CATCHUP};
    g_autoptr(AftResult) result = run_shipped("wwt-raid5.yaml", NULL);
    assert_phases(result, ALL_PHASES);
    assert_string_equal(phase_row(result, 0)->requirement, "met");
    assert_string_equal(phase_row(result, 5)->requirement, "met");
    assert_string_not_equal(first_of(result, AFT_PHASE_FAILED)->requirement, "met");
    assert_string_not_equal(first_of(result, AFT_PHASE_REBUILD)->requirement, "met");
    for (guint i = 0; i < G_N_ELEMENTS(saturated); i++) {
        double held = in_flight(first_of(result, saturated[i]));
        assert_true(held >= 0.90 * 560.0 && held <= 1.001 * 560.0);
    }
    assert_within(phase_row(result, 0)->controller_util, 0.80, 0.01);
    /* As published: -16.07 % of 107,676; then what is required, and no more. */
    assert_within(iops_of(result, AFT_PHASE_FAILED), 90372.0, 0.03 * 90372.0);
    assert_within(iops_of(result, AFT_PHASE_CATCHUP), 107676.0, 0.01 * 107676.0);
    assert_few_simulated(result);
}

static void raid1_does(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("wwt-raid1.yaml", NULL);
    assert_phases(result, ALL_PHASES);
    const AftPhaseRow *failed = first_of(result, AFT_PHASE_FAILED);
    assert_within(failed->iops, 107676.0, failed->iops_ci);
    assert_string_equal(failed->requirement, "met");
    assert_few_simulated(result);
}

/* Read and written by one of twelve nodes, GB/s, in a phase that moved @bytes in all. */
static double node_gb_per_s(const AftPhaseRow *row, double bytes)
{
    return bytes / row->duration_s / 12.0 / 1e9;
}

static void assert_space_goes(const AftResult *result, double from_tb, double to_tb)
{
    const AftTraceRow *first = trace_row(result, 0);
    assert_within(first->used_bytes / 1e12, from_tb, 1e-3 * from_tb);
    assert_within(result->space.stored_bytes / 1e12, to_tb, 1e-3 * to_tb);
    assert_within(result->space.protected_bytes, result->space.stored_bytes, 1e6);
}

/* A straight line from 50 to 75 TB, but that the last disk ends after the others. Each of 72 has
 * 2 x 98,304 / 72 chunks to read or write, give or take the square root of that, 1.9 %; with the
 * busiest of 72 that is 2.4 times as much on average, and hardly ever 4 times. When the others are
 * through, that share of the time is still to come. */
static void assert_grows_linearly(const AftResult *result, const AftPhaseRow *row)
{
    double late = 4.0 / sqrt(2.0 * 98304.0 / 72.0);
    for (guint i = 0; i < result->trace->len; i++) {
        const AftTraceRow *at = trace_row(result, i);
        double share = CLAMP((at->time_s + 60.0 - row->start_s) / row->duration_s, 0.0, 1.0);
        assert_within(at->used_bytes / 1e12, 50.0 + 25.0 * share, late * 25.0);
    }
}

static void a_third_copy_takes_two_to_three_hours(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("nutanix-rf2-to-rf3.yaml", NULL);
    assert_phases(result, "steady convert steady");
    const AftPhaseRow *row = first_of(result, AFT_PHASE_CONVERT);
    assert_within(row->duration_s / 3600.0, 2.5, 0.5);
    assert_within(row->convert_bytes / 1e12, 25.0, 1e-6); /* whole bytes of 98,304 chunks */
    assert_within(node_gb_per_s(row, 2.0 * row->convert_bytes), 0.52, 0.06);
    assert_space_goes(result, 50.0, 75.0);
    assert_grows_linearly(result, row);
}

static void encoding_halves_the_space_within_ninety_minutes(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = run_shipped("nutanix-ec-encode.yaml", NULL);
    assert_phases(result, "steady encode steady");
    const AftPhaseRow *row = first_of(result, AFT_PHASE_ENCODE);
    assert_true(row->duration_s < 90.0 * 60.0);
    assert_within(row->encode_bytes / 1e12, 6.2835, 1e-3); /* and chunks that had to move */
    assert_within(node_gb_per_s(row, 3.0 * row->encode_bytes), 0.52, 0.06);
    assert_space_goes(result, 37.7, 18.85);
}

/* A process of its own: the peak of this one may be another test's. */
static void a_walk_of_a_large_cluster_fits_in_64_mib(void **state G_GNUC_UNUSED)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        g_autoptr(AftScenario) scenario = load_shipped("wwt-raid5.yaml", NULL);
        scenario->run.max_simulated_ns = 5000000000;
        g_autoptr(AftResult) result = aft_run(scenario, NULL, NULL);
        _exit(result != NULL ? 0 : 1);
    }
    int status;
    struct rusage usage;
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    print_message("# at most %ld KiB\n", usage.ru_maxrss);
    assert_true(usage.ru_maxrss < 64 * 1024);
}

/* Given a name, runs only that case. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_disk_is_the_oldest_queue),
        cmocka_unit_test(a_mirror_waits_for_the_slower_disk),
        cmocka_unit_test(a_small_write_costs_raid5_four),
        cmocka_unit_test(users_who_wait_cannot_overload),
        cmocka_unit_test(a_disk_that_is_never_idle_does_an_access_after_another),
        cmocka_unit_test(a_host_failure_is_felt_for_long),
        cmocka_unit_test(raid5_does_not_hold_its_rate),
        cmocka_unit_test(raid1_does),
        cmocka_unit_test(a_third_copy_takes_two_to_three_hours),
        cmocka_unit_test(encoding_halves_the_space_within_ninety_minutes),
        cmocka_unit_test(a_walk_of_a_large_cluster_fits_in_64_mib),
    };
    choose_tests(tests, argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
