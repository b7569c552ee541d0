/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What follows from what: one cause is changed, and what should change does, and nothing else. */
#include "experiment.h"
#include "small_cluster.h"

/* Rebuilds of some 1,500 units differ by chance of two or three percent. */
#define TOLERANCE 0.05

#define ALL_PHASES "steady failed rebuild catchup rebalance steady"

static double duration_of(const AftResult *result, AftPhase phase)
{
    return first_of(result, phase)->duration_s;
}

static AftResult *returning(void)
{
    return run_with(small_cluster, (const char *const[]){RETURNS, NULL});
}

static void half_the_data_takes_half_the_rebuild(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) all = run_with(small_cluster, NULL);
    g_autoptr(AftResult) half =
        run_with(small_cluster, (const char *const[]){"data.logical=750 MB", NULL});
    double expected_s = duration_of(all, AFT_PHASE_REBUILD) / 2.0;
    assert_within(duration_of(half, AFT_PHASE_REBUILD), expected_s, TOLERANCE * expected_s);
    double expected_bytes = first_of(all, AFT_PHASE_REBUILD)->rebuild_bytes / 2.0;
    /* Members are whole bytes. */
    assert_within(first_of(half, AFT_PHASE_REBUILD)->rebuild_bytes, expected_bytes, 512.0);
}

static void nothing_moves_back_to_a_host_that_stays_away(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) gone = run_with(small_cluster, NULL);
    g_autoptr(AftResult) back = returning();
    assert_phases(gone, "steady failed rebuild catchup");
    assert_phases(back, ALL_PHASES);
    for (guint i = 0; i < gone->phases->len; i++) {
        assert_true(phase_row(gone, i)->rebalance_bytes == 0.0);
    }
    assert_true(first_of(back, AFT_PHASE_REBALANCE)->rebalance_bytes ==
                first_of(back, AFT_PHASE_REBUILD)->rebuild_bytes);
}

static void fast_controllers_make_a_failure_harmless(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result =
        run_with(small_cluster, (const char *const[]){RETURNS, "cluster.node.controller.io=1.5 ms",
                                                      "cluster.node.controller.per_mib=10 ms",
                                                      "data.protection.degraded=3 ms", NULL});
    assert_phases(result, ALL_PHASES);
    for (guint i = 0; i < result->phases->len; i++) {
        const AftPhaseRow *row = phase_row(result, i);
        assert_string_equal(row->requirement, "met");
        /* Arrivals of a Poisson clock, five standard errors. */
        assert_within(row->iops, 250.0, 5.0 * sqrt(250.0 / row->duration_s));
        assert_true(row->owed_ios_end < 0.1 * 250.0);
    }
    assert_string_equal(result->requirement, "met");
}

static void slow_ones_make_it_miss_what_is_required(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) result = returning();
    assert_string_equal(phase_row(result, 0)->requirement, "met");
    assert_string_equal(first_of(result, AFT_PHASE_FAILED)->requirement, "iops+write");
    assert_string_equal(first_of(result, AFT_PHASE_REBUILD)->requirement, "iops+write");
    assert_string_equal(first_of(result, AFT_PHASE_REBALANCE)->requirement, "met");
    assert_string_equal(result->requirement, "iops+write");
}

static void a_later_repair_makes_more_of_failed_and_less_of_catchup(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftResult) soon = returning();
    g_autoptr(AftResult) late =
        run_with(small_cluster,
                 (const char *const[]){RETURNS, "background.rebuild.delay=4 min", NULL});
    assert_phases(soon, ALL_PHASES);
    assert_phases(late, ALL_PHASES);
    assert_within(duration_of(soon, AFT_PHASE_FAILED), 120.0, 1e-6);
    assert_within(duration_of(late, AFT_PHASE_FAILED), 240.0, 1e-6);
    double rebuild_s = duration_of(soon, AFT_PHASE_REBUILD);
    double rebuild_more_s = duration_of(late, AFT_PHASE_REBUILD) - rebuild_s;
    assert_within(rebuild_more_s, 0.0, TOLERANCE * rebuild_s);
    /* The host returns when it does. */
    assert_within(duration_of(soon, AFT_PHASE_CATCHUP) - duration_of(late, AFT_PHASE_CATCHUP),
                  120.0 + rebuild_more_s, 1e-6);
    /* Both have done all that was owed by then, so rebalances are alike but for chance, which is
     * larger with a third of the units. */
    assert_true(first_of(soon, AFT_PHASE_CATCHUP)->owed_ios_end < 25.0);
    assert_true(first_of(late, AFT_PHASE_CATCHUP)->owed_ios_end < 25.0);
    double rebalance_s = duration_of(soon, AFT_PHASE_REBALANCE);
    assert_within(duration_of(late, AFT_PHASE_REBALANCE), rebalance_s,
                  2.0 * TOLERANCE * rebalance_s);
}

/* I/Os a second beyond the target rate, while a rebalance has moved its data but still has owed
 * work to do. */
static double surplus(const AftResult *result)
{
    double ios = 0.0, rows = 0.0;
    for (guint i = 0; i + 1 < result->trace->len; i++) {
        const AftTraceRow *row = trace_row(result, i);
        if (row->phase == AFT_PHASE_REBALANCE && row->rebalance_mb_per_s == 0.0 &&
            trace_row(result, i + 1)->phase == AFT_PHASE_REBALANCE) {
            ios += row->read_iops + row->write_iops;
            rows += 1.0;
        }
    }
    return ios / rows - 250.0;
}

static void a_rebalance_takes_longer_by_the_owed_work_it_inherits(void **state G_GNUC_UNUSED)
{
    const char *const early = "timeline[1].at=7.75 min";
    g_autoptr(AftResult) soon =
        run_with(small_cluster,
                 (const char *const[]){RETURNS, early, "background.rebuild.delay=3 min", NULL});
    g_autoptr(AftResult) late =
        run_with(small_cluster,
                 (const char *const[]){RETURNS, early, "background.rebuild.delay=4 min", NULL});
    double more = first_of(late, AFT_PHASE_CATCHUP)->owed_ios_end -
                  first_of(soon, AFT_PHASE_CATCHUP)->owed_ios_end;
    double longer_s =
        duration_of(late, AFT_PHASE_REBALANCE) - duration_of(soon, AFT_PHASE_REBALANCE);
    assert_true(more > 4000.0);
    /* The surplus is a quarter of what is served, and known to 3 % or so, as is each duration. */
    assert_within(longer_s, more / surplus(late), 0.1 * more / surplus(late));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_the_data_takes_half_the_rebuild),
        cmocka_unit_test(nothing_moves_back_to_a_host_that_stays_away),
        cmocka_unit_test(fast_controllers_make_a_failure_harmless),
        cmocka_unit_test(slow_ones_make_it_miss_what_is_required),
        cmocka_unit_test(a_later_repair_makes_more_of_failed_and_less_of_catchup),
        cmocka_unit_test(a_rebalance_takes_longer_by_the_owed_work_it_inherits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
