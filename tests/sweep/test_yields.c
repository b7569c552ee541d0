/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phases that occur more than once, and statistics over replications. */
#include "test.h"

#include <aftershock/base/error.h>
#include <aftershock/random/stream.h>
#include <aftershock/sweep/tables.h>
#include <aftershock/sweep/yields.h>

static void add_phase(AftResult *result, AftPhase phase, double start_s, double duration_s,
                      double reads_per_s, double read_mean_ms)
{
    AftPhaseRow row;
    aft_phase_row_init(&row, phase);
    row.start_s = start_s;
    row.duration_s = duration_s;
    row.iops = row.read_iops = reads_per_s;
    row.read_mean_ms = read_mean_ms;
    row.owed_ios_end = start_s;
    g_array_append_val(result->phases, row);
}

static AftReplication *three_phases(void)
{
    AftResult *result = aft_result_new();
    add_phase(result, AFT_PHASE_STEADY, 0.0, 10.0, 100.0, 1.0);
    add_phase(result, AFT_PHASE_REBUILD, 10.0, 20.0, 50.0, 4.0);
    add_phase(result, AFT_PHASE_STEADY, 30.0, 30.0, 300.0, 2.0);
    return aft_replication_new(0, 0, result);
}

static double yield_of(const AftReplication *row, const char *name)
{
    guint phase, index;
    assert_true(aft_yield_find(name, &phase, &index, NULL));
    return aft_yield_read(index, row, phase);
}

static void occurrences_come_together(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftReplication) row = three_phases();
    assert_within(yield_of(row, "steady/minutes"), 40.0, 1e-12);
    assert_within(yield_of(row, "steady/owed_ios"), 30.0, 0.0);
    /* 1,000 I/Os in the first, 9,000 in the second */
    assert_within(yield_of(row, "steady/iops"), 250.0, 1e-12);
    assert_within(yield_of(row, "steady/read_mean"), 1.9e-3, 1e-15);
    assert_within(yield_of(row, "rebuild/minutes"), 20.0, 0.0);
    assert_true(isnan(yield_of(row, "steady/write_mean")));
    assert_true(isnan(yield_of(row, "scrub/minutes")));
}

static void the_whole_run_is_all_of_them(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftReplication) row = three_phases();
    assert_within(yield_of(row, "all/minutes"), 60.0, 1e-12);
    assert_within(yield_of(row, "all/iops"), (1000.0 + 1000.0 + 9000.0) / 60.0, 1e-12);
    assert_true(isnan(yield_of(row, "all/missed_minutes")));
    assert_within(yield_of(row, "all/read_mean"), 23.0 / 11000.0, 1e-15);
}

/* A phase that does not occur has a share of nothing. */
static void shares_are_of_the_run(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftReplication) row = three_phases();
    assert_within(yield_of(row, "steady/share"), 40.0 / 60.0, 1e-12);
    assert_within(yield_of(row, "rebuild/share"), 20.0 / 60.0, 1e-12);
    assert_within(yield_of(row, "scrub/share"), 0.0, 0.0);
    assert_true(isnan(yield_of(row, "steady/met_share")));
    g_array_index(row->phases, AftPhaseRow, 0).missed_s = 0.0;
    g_array_index(row->phases, AftPhaseRow, 1).missed_s = 15.0;
    g_array_index(row->phases, AftPhaseRow, 2).missed_s = 6.0;
    assert_within(yield_of(row, "rebuild/met_share"), 0.25, 1e-12);
    assert_within(yield_of(row, "steady/met_share"), 34.0 / 40.0, 1e-12);
    assert_within(yield_of(row, "all/met_share"), 39.0 / 60.0, 1e-12);
}

static void what_is_not_there_is_refused(void **state G_GNUC_UNUSED)
{
    guint phase, index;
    g_autoptr(GError) error = NULL;
    assert_false(aft_yield_find("rebuild/minuts", &phase, &index, &error));
    assert_true(g_error_matches(error, AFT_ERROR, AFT_ERROR_UNKNOWN));
    assert_non_null(strstr(error->message, "did you mean minutes?"));
    g_clear_error(&error);
    assert_false(aft_yield_find("minutes", &phase, &index, &error));
    assert_non_null(strstr(error->message, "like rebuild/minutes"));
    assert_false(aft_yield_find("sleep/iops", &phase, &index, NULL));
}

static void a_spread_is_as_by_hand(void **state G_GNUC_UNUSED)
{
    double values[] = {3.0, (double)NAN, 1.0, 2.0, 4.0};
    AftSpreadOf spread = aft_spread_of(values, 5);
    assert_int_equal(spread.n, 4);
    assert_within(spread.mean, 2.5, 1e-12);
    /* t of 3 degrees of freedom is 3.1824, the deviation sqrt(5 / 3) */
    assert_within(spread.ci, 3.182446 * sqrt(5.0 / 3.0) / 2.0, 1e-5);
    assert_within(spread.p50, 2.5, 1e-12);
    assert_within(spread.p5, 1.15, 1e-12);
    assert_within(spread.p95, 3.85, 1e-12);
    double one[] = {7.0};
    spread = aft_spread_of(one, 1);
    assert_within(spread.mean, 7.0, 0.0);
    assert_true(isnan(spread.ci));
    assert_int_equal(aft_spread_of(one, 0).n, 0);
}

/* 4,000 times 8 values: by chance alone within four standard errors of 95 %. */
static void intervals_cover_as_often_as_they_say(void **state G_GNUC_UNUSED)
{
    enum { REPEATS = 4000, N = 8 };
    guint covered = 0;
    for (guint repeat = 0; repeat < REPEATS; repeat++) {
        AftStream stream;
        aft_stream_init(&stream, 5, repeat, "test.coverage", 0);
        double values[N];
        for (guint i = 0; i < N; i++) {
            values[i] = aft_stream_normal(&stream) + 10.0;
        }
        AftSpreadOf spread = aft_spread_of(values, N);
        covered += fabs(spread.mean - 10.0) <= spread.ci ? 1 : 0;
    }
    assert_in_range(covered, (guint)(0.937 * REPEATS), (guint)(0.963 * REPEATS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(occurrences_come_together),
        cmocka_unit_test(the_whole_run_is_all_of_them),
        cmocka_unit_test(shares_are_of_the_run),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(a_spread_is_as_by_hand),
        cmocka_unit_test(intervals_cover_as_often_as_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
