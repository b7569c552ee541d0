/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a run begins, goes on and ends, under both fidelities. */
#include "experiment.h"
#include "small_cluster.h"
#include "two_disks.h"

#include <aftershock/base/error.h>

#define ALL_PHASES "steady failed rebuild catchup rebalance steady"

static const char *const two_disks[] = {
    TWO_DISKS,
    "data.placement_groups=256",
    "workload.read_share=100 %",
    "workload.block=4 KiB",
    "run.until=duration",
    "run.duration=10 min",
    NULL,
};

static void assert_contiguous(const AftResult *result)
{
    for (guint i = 0; i < result->phases->len; i++) {
        double begins_s =
            i == 0 ? 0.0 : phase_row(result, i - 1)->start_s + phase_row(result, i - 1)->duration_s;
        assert_within(phase_row(result, i)->start_s, begins_s, 1e-6);
        assert_true(phase_row(result, i)->duration_s > 0.0);
    }
}

static void a_steady_cluster_ends_the_run_once_it_has_settled(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < N_FIDELITIES; i++) {
        g_autoptr(AftResult) result =
            run_with(small_cluster, (const char *const[]){RETURNS, fidelities[i], NULL});
        assert_phases(result, ALL_PHASES);
        assert_contiguous(result);
        assert_within(phase_row(result, 5)->duration_s, 60.0, 1e-6);
        assert_false(result->interrupted);
    }
}

static void a_cluster_that_stays_damaged_runs_to_the_ceiling(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < N_FIDELITIES; i++) {
        g_autoptr(AftResult) result =
            run_with(small_cluster, (const char *const[]){fidelities[i], NULL});
        assert_contiguous(result);
        assert_within(run_length_s(result), 20.0 * 60.0, 1e-6);
        assert_false(result->interrupted);
    }
}

static void a_run_of_a_given_length_has_it_whatever_happens(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < N_FIDELITIES; i++) {
        g_autoptr(AftResult) result =
            run_with(small_cluster,
                     (const char *const[]){RETURNS, fidelities[i], "run.until=duration",
                                           "run.duration=200.5 s", NULL});
        assert_phases(result, "steady failed rebuild");
        assert_within(run_length_s(result), 200.5, 1e-6);
        /* The last row of the trace is as long as what is left. */
        assert_int_equal(result->trace->len, 21);
        assert_within(trace_row(result, 20)->time_s, 200.0, 1e-9);
    }
}

static void an_upgrade_cut_short_is_told(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result =
        run_with(small_cluster,
                 (const char *const[]){"timeline[0].at=10 min", "timeline[1].at=10 s",
                                       "timeline[1].upgrade.each=5 min", "run.duration=1 min",
                                       NULL});
    const AftEventRow *last =
        &g_array_index(result->timeline, AftEventRow, result->timeline->len - 1);
    assert_string_equal(last->event, "upgrade-unfinished");
    assert_string_equal(last->detail, "nodes from 1 on are still to come, one is in maintenance");
    assert_within(last->time_s, 60.0, 1e-9);
    assert_int_equal(result->undone[AFT_UNDONE_UNFINISHED], 1);
    assert_int_equal(result->undone[AFT_UNDONE_REFUSED], 0);
}

static void nothing_is_skipped_where_every_io_is_simulated(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) io = run_with(small_cluster, NULL);
    g_autoptr(AftResult) sampled =
        run_with(small_cluster,
                 (const char *const[]){fidelities[1], "run.max_simulated=10 s", NULL});
    assert_within(io->simulated_s, 20.0 * 60.0, 1e-6);
    assert_true(sampled->simulated_s < io->simulated_s / 3.0);
    assert_true(sampled->simulated_ios < io->simulated_ios / 3);
    assert_true(sampled->events < io->events / 3);
}

/* Trace and phases are sums over the same spans: what is in the one is in the other. */
static void rows_of_the_trace_add_up_to_the_phases(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < N_FIDELITIES; i++) {
        g_autoptr(AftResult) result =
            run_with(small_cluster, (const char *const[]){RETURNS, fidelities[i], NULL});
        double phases[4] = {0.0}, rows[4] = {0.0}, missed_s = 0.0;
        for (guint p = 0; p < result->phases->len; p++) {
            const AftPhaseRow *row = phase_row(result, p);
            phases[0] += row->read_iops * row->duration_s;
            phases[1] += row->read_iops * row->duration_s * row->read_mean_ms;
            phases[2] += row->rebuild_bytes / 1e6;
            phases[3] += row->simulated_s;
            missed_s += row->missed_s;
        }
        for (guint t = 0; t < result->trace->len; t++) {
            const AftTraceRow *row = trace_row(result, t);
            double begins_s = row->time_s;
            double ends_s = t + 1 < result->trace->len ? trace_row(result, t + 1)->time_s
                                                       : run_length_s(result);
            assert_within(begins_s, 10.0 * t, 1e-9);
            double length_s = ends_s - begins_s;
            rows[0] += row->read_iops * length_s;
            rows[1] += row->read_iops * length_s * row->read_mean_ms;
            rows[2] += row->rebuild_mb_per_s * length_s;
            rows[3] += row->simulated_s;
        }
        for (guint sum = 0; sum < 4; sum++) {
            assert_within(rows[sum], phases[sum], 1e-9 * phases[sum]);
        }
        assert_within(result->missed_s, missed_s, 1e-6);
        assert_within(result->simulated_s, phases[3], 1e-6);
        assert_true(missed_s > 0.0);
    }
}

/* What the run tells on its way; it is stopped at @stop_s. */
typedef struct {
    gint interrupted;
    double stop_s, last_s, last_done;
    gboolean backwards;
} Progress;

static void note_progress(const AftProgress *progress, void *context)
{
    Progress *seen = context;
    seen->backwards |= progress->scenario_s < seen->last_s || progress->done < seen->last_done;
    seen->last_s = progress->scenario_s;
    seen->last_done = progress->done;
    if (progress->scenario_s >= seen->stop_s) {
        g_atomic_int_set(&seen->interrupted, 1);
    }
}

static AftResult *run_watched(const char *fidelity, Progress *progress)
{
    g_autoptr(AftScenario) scenario =
        scenario_with(small_cluster, (const char *const[]){RETURNS, fidelity, NULL});
    AftRunOptions options = {
        .label = "watched",
        .interrupted = &progress->interrupted,
        .progress = note_progress,
        .context = progress,
    };
    return aft_run(scenario, &options, NULL);
}

static void an_interrupted_run_is_complete_up_to_then(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < N_FIDELITIES; i++) {
        Progress progress = {.stop_s = 250.0};
        g_autoptr(AftResult) result = run_watched(fidelities[i], &progress);
        assert_non_null(result);
        assert_true(result->interrupted);
        assert_string_equal(result->label, "watched");
        assert_phases(result, "steady failed rebuild");
        assert_contiguous(result);
        assert_true(run_length_s(result) >= 250.0 && run_length_s(result) < 320.0);
        assert_within(run_length_s(result), progress.last_s, 1e-6);
        const AftTraceRow *last = trace_row(result, result->trace->len - 1);
        assert_true(last->time_s < run_length_s(result) &&
                    last->time_s + 10.0 >= run_length_s(result));
        assert_true(result->simulated_ios > 0);
        assert_non_null(result->scenario_sha256);
    }
}

static gpointer interrupt_soon(gpointer interrupted)
{
    g_usleep(100000);
    g_atomic_int_set((gint *)interrupted, 1);
    return NULL;
}

/* Users who wait for nothing never let the clock go on. */
static void a_run_that_stands_still_can_be_interrupted(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < N_FIDELITIES; i++) {
        gint interrupted = 0;
        g_autoptr(AftScenario) scenario =
            scenario_with(two_disks,
                          (const char *const[]){"devices.disk.read=0 s", "workload.kind=closed",
                                                "workload.vms=1", "workload.outstanding=4",
                                                fidelities[i], NULL});
        GThread *thread = g_thread_new("interrupt", interrupt_soon, &interrupted);
        g_autoptr(AftResult) result =
            aft_run(scenario, &(AftRunOptions){.interrupted = &interrupted}, NULL);
        g_thread_join(thread);
        assert_non_null(result);
        assert_true(result->interrupted);
    }
}

static void progress_goes_forward_to_the_end(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < N_FIDELITIES; i++) {
        Progress progress = {.stop_s = INFINITY};
        g_autoptr(AftResult) result = run_watched(fidelities[i], &progress);
        assert_false(result->interrupted);
        assert_false(progress.backwards);
        assert_within(progress.last_s, run_length_s(result), 1e-6);
        assert_within(progress.last_done, run_length_s(result) / 7200.0, 1e-9);
    }
}

/* A rebuild alone is bound by nothing that chance could change much. */
/* Four hosts that are hardly busy. One dies with 12 groups' worth of members, large ones, which are
 * made again at 1 MB/s. */
static const char *const capped[] = {
    "version=1",
    "cluster.nodes=4",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "cluster.node.disk_groups.capacity.count=1",
    "data.logical=1 GB",
    "data.placement_groups=12",
    "data.protection=rf2",
    "workload.kind=paced",
    "workload.vms=4",
    "workload.rate=100 /s",
    "workload.outstanding=64",
    "workload.restart=30 s",
    "background.rebuild.delay=0 s",
    "background.rebuild.bandwidth=1 MB/s",
    "timeline[0].at=10 s",
    "timeline[0].fail=node 0",
    "run.until=duration",
    "run.duration=20 min",
    "run.fidelity=sampled",
    NULL,
};

/* The last unit ends a little after its turn; that of a member is smaller than others, in one of
 * some 80 windows of 4 units, and stands for a twelfth of the phase at most. */
static void capped_work_takes_its_time_however_large_its_pieces_are(void **state G_GNUC_UNUSED)
{
    static const char *const seeds[] = {"run.seed=1", "run.seed=2", "run.seed=3"};
    for (guint i = 0; i < G_N_ELEMENTS(seeds); i++) {
        g_autoptr(AftResult) result = run_with(capped, (const char *const[]){seeds[i], NULL});
        const AftPhaseRow *rebuild = first_of(result, AFT_PHASE_REBUILD);
        double at_the_cap_s = rebuild->rebuild_bytes / 1e6;
        assert_within(rebuild->duration_s, at_the_cap_s, 0.02 * at_the_cap_s);
        assert_true(rebuild->simulated_s < 0.5 * rebuild->duration_s);
    }
}

static double simulated_s_from(const AftResult *result, double time_s)
{
    double simulated_s = 0.0;
    for (guint i = 0; i < result->trace->len; i++) {
        const AftTraceRow *row = trace_row(result, i);
        simulated_s += row->time_s >= time_s ? row->simulated_s : 0.0;
    }
    return simulated_s;
}

/* Two minutes after its host has died a machine makes good 15,000 I/Os in a fraction of a second,
 * then all go on at 500 a second. Windows of 1,000 I/Os last 2 s and there are a dozen or more. Had
 * they the length for what is made good, 10 ms, all would be a fraction of a second. */
static void windows_are_as_long_as_ever_once_users_have_caught_up(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result =
        run_with(capped, (const char *const[]){"workload.rate=500 /s", "workload.restart=2 min",
                                               "background.rebuild.delay=1 h",
                                               "run.duration=50 min", NULL});
    const AftPhaseRow *failed = first_of(result, AFT_PHASE_FAILED);
    assert_true(simulated_s_from(result, 140.0) > 12 * 2.0);
    assert_true(failed->iops_ci < 0.03 * 500.0);
}

static void without_users_only_data_moves(void **state G_GNUC_UNUSED)
{
    double rebuild_s[N_FIDELITIES];
    for (guint i = 0; i < N_FIDELITIES; i++) {
        g_autoptr(AftResult) result =
            run_with((const char *const[]){"version=1", "cluster.nodes=5",
                                           "cluster.node.disk_groups.capacity.device=sata-ssd",
                                           "data.logical=20 GB", "data.protection=rf2",
                                           "background.rebuild.delay=1 min", "timeline[0].at=1 min",
                                           "timeline[0].fail=node 2", "timeline[1].at=10 min",
                                           "timeline[1].restore=node 2", "run.settle=1 min", NULL},
                     (const char *const[]){fidelities[i], NULL});
        assert_phases(result, ALL_PHASES);
        for (guint p = 0; p < result->phases->len; p++) {
            const AftPhaseRow *row = phase_row(result, p);
            assert_true(row->iops == 0.0 && row->owed_ios_end == 0.0);
            assert_true(isnan(row->read_mean_ms) && isnan(row->write_p99_ms));
            assert_string_equal(row->requirement, "");
        }
        assert_true(isnan(result->missed_s));
        rebuild_s[i] = first_of(result, AFT_PHASE_REBUILD)->duration_s;
    }
    assert_within(rebuild_s[1], rebuild_s[0], 0.02 * rebuild_s[0]);
}

static const AftPhaseRow *only_phase(const AftResult *result)
{
    assert_int_equal(result->phases->len, 1);
    return phase_row(result, 0);
}

/* 300 arrivals a second where at most 200 can be served, at most 20 s of them owed. */
static void arrivals_beyond_the_owed_limit_are_shed(void **state G_GNUC_UNUSED)
{
    double shed[N_FIDELITIES];
    for (guint i = 0; i < N_FIDELITIES; i++) {
        g_autoptr(AftResult) result =
            run_with(two_disks,
                     (const char *const[]){"workload.kind=paced", "workload.vms=4",
                                           "workload.rate=300 /s", "workload.outstanding=32",
                                           "workload.owed_limit=20 s", fidelities[i], NULL});
        const AftPhaseRow *row = phase_row(result, result->phases->len - 1);
        double arrived = 300.0 * run_length_s(result), served = 0.0;
        shed[i] = 0.0;
        for (guint p = 0; p < result->phases->len; p++) {
            served += phase_row(result, p)->iops * phase_row(result, p)->duration_s;
            shed[i] += phase_row(result, p)->shed_ios;
        }
        assert_within(row->owed_ios_end, 300.0 * 20.0, 20.0);
        /* Everything that came was served, shed or is owed: chance of arrivals, 5 errors. */
        assert_within(served + shed[i] + row->owed_ios_end, arrived,
                      5.0 * sqrt(arrived) + 0.01 * served);
        assert_true(strstr(row->flags, "owed") != NULL);
    }
    /* Half of what comes is shed, and what is served is known to 1 %. */
    assert_within(shed[1], shed[0], 0.05 * shed[0]);
}

static AftResult *run_open(const char *rate, const char *duration, const char *fidelity)
{
    return run_with(two_disks, (const char *const[]){"workload.kind=open", "workload.vms=1", rate,
                                                     duration, fidelity, NULL});
}

static void nothing_is_skipped_while_ever_more_is_in_flight(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result =
        run_open("workload.rate=220 /s", "run.duration=20 min", fidelities[1]);
    assert_string_equal(only_phase(result)->flags, "unbounded");
    /* It takes a few windows to tell growth from chance. */
    assert_true(result->simulated_s > 0.9 * 20.0 * 60.0);
    assert_within(only_phase(result)->iops, 200.0, 2.0);
}

static void a_busy_open_system_is_not_taken_for_an_overloaded_one(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) sampled =
        run_open("workload.rate=160 /s", "run.duration=1 h", fidelities[1]);
    g_autoptr(AftResult) io = run_open("workload.rate=160 /s", "run.duration=1 h", fidelities[0]);
    assert_string_equal(only_phase(sampled)->flags, "");
    assert_true(sampled->simulated_s < io->simulated_s / 3.0);
    double margin_ms =
        2.0 * (only_phase(sampled)->read_mean_ci_ms + only_phase(io)->read_mean_ci_ms);
    assert_within(only_phase(sampled)->read_mean_ms, only_phase(io)->read_mean_ms, margin_ms);
}

/* Runs nothing: says how much memory it would take. */
static void assert_refused(const AftScenario *scenario)
{
    g_autoptr(GError) error = NULL;
    assert_null(aft_run(scenario, NULL, &error));
    assert_true(g_error_matches(error, AFT_ERROR, AFT_ERROR_LIMIT));
    assert_non_null(strstr(error->message, "GB of memory, more than the 16 GB allowed"));
}

#define ONE_USER "workload.kind=closed", "workload.vms=1", "workload.outstanding=1"

/* Ten million groups of 30 members, now or once they are converted; and 400,000 logs, which keep
 * half a kB for each of a hundred pools. */
static void what_takes_too_much_memory_is_refused(void **state G_GNUC_UNUSED)
{
    static const char *const wide[] = {ONE_USER,
                                       "cluster.nodes=31",
                                       "data.placement_groups=9999976",
                                       "data.protection.scheme=ec",
                                       "data.protection.data=28",
                                       "data.protection.parity=2",
                                       NULL};
    static const char *const widens[] = {ONE_USER,
                                         "cluster.nodes=31",
                                         "data.placement_groups=9999976",
                                         "data.protection=rf2",
                                         "timeline[0].at=1 min",
                                         "timeline[0].set.data.protection.scheme=ec",
                                         "timeline[0].set.data.protection.data=28",
                                         "timeline[0].set.data.protection.parity=2",
                                         NULL};
    static const char *const logs[] = {ONE_USER,
                                       "cluster.nodes=100000",
                                       "tiers.parity=destage",
                                       "cluster.node.disk_groups.count=4",
                                       "cluster.node.disk_groups.cache.device=sas-ssd",
                                       "data.placement_groups=1",
                                       NULL};
    g_autoptr(AftScenario) now = scenario_with(two_disks, wide);
    g_autoptr(AftScenario) later = scenario_with(two_disks, widens);
    g_autoptr(AftScenario) many = scenario_with(two_disks, logs);
    g_autoptr(GPtrArray) problems = aft_problems_new();
    for (guint i = 0; i < 100; i++) {
        g_autofree char *name = g_strdup_printf("data[%u].name=pool-%u", i, i);
        g_autofree char *bytes = g_strdup_printf("data[%u].logical=1 GB", i);
        g_autofree char *groups = g_strdup_printf("data[%u].placement_groups=1", i);
        set_all(many, (const char *const[]){name, bytes, groups, NULL}, problems);
    }
    aft_scenario_resolve(many, problems);
    assert_no_error(problems);
    assert_refused(now);
    assert_refused(later);
    assert_refused(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_cluster_ends_the_run_once_it_has_settled),
        cmocka_unit_test(a_cluster_that_stays_damaged_runs_to_the_ceiling),
        cmocka_unit_test(a_run_of_a_given_length_has_it_whatever_happens),
        cmocka_unit_test(an_upgrade_cut_short_is_told),
        cmocka_unit_test(nothing_is_skipped_where_every_io_is_simulated),
        cmocka_unit_test(rows_of_the_trace_add_up_to_the_phases),
        cmocka_unit_test(an_interrupted_run_is_complete_up_to_then),
        cmocka_unit_test(a_run_that_stands_still_can_be_interrupted),
        cmocka_unit_test(progress_goes_forward_to_the_end),
        cmocka_unit_test(capped_work_takes_its_time_however_large_its_pieces_are),
        cmocka_unit_test(windows_are_as_long_as_ever_once_users_have_caught_up),
        cmocka_unit_test(without_users_only_data_moves),
        cmocka_unit_test(arrivals_beyond_the_owed_limit_are_shed),
        cmocka_unit_test(nothing_is_skipped_while_ever_more_is_in_flight),
        cmocka_unit_test(a_busy_open_system_is_not_taken_for_an_overloaded_one),
        cmocka_unit_test(what_takes_too_much_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
