/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "phase_builder.h"
#include "requirement.h"
#include "spans.h"

#include <aftershock/result/columns.h>

static const char *const no_changes[] = {NULL};

typedef struct {
    AftScenario *scenario;
    AftPhaseBuilder *builder;
    AftPhaseRow row; /* once finished */
} Phase;

static Phase phase_new(const char *const *settings)
{
    Phase phase = {.scenario = traced_scenario(settings)};
    phase.builder = aft_phase_builder_new(phase.scenario);
    aft_phase_builder_begin(phase.builder, AFT_PHASE_REBUILD, 0);
    return phase;
}

static guint finish(Phase *phase, double end_s)
{
    return aft_phase_builder_finish(phase->builder, (gint64)(end_s * 1e9), &phase->row);
}

static void phase_clear(Phase *phase)
{
    aft_table_clear_row(aft_phase_table(), &phase->row);
    aft_phase_builder_free(phase->builder);
    aft_scenario_free(phase->scenario);
}

static void add(Phase *phase, AftSpan *span)
{
    aft_phase_builder_add(phase->builder, span);
    span_clear(span);
}

static void windows_count_by_what_they_stand_for(void **state G_GNUC_UNUSED)
{
    Phase phase = phase_new(no_changes);
    AftSpan simulated = span_of(0.0, 10.0, 10.0), skipped = span_of(10.0, 100.0, 10.0);
    span_record(&simulated, AFT_READ, 1000, 1);
    span_record(&skipped, AFT_READ, 2000, 10);
    skipped.waited_ns[AFT_READ] = 2000.0 * 3e6;
    add(&phase, &simulated);
    add(&phase, &skipped);
    finish(&phase, 100.0);
    assert_int_equal(phase.row.phase, AFT_PHASE_REBUILD);
    assert_within(phase.row.duration_s, 100.0, 1e-9);
    assert_within(phase.row.simulated_s, 20.0, 1e-9);
    assert_within(phase.row.iops, (1000.0 + 9.0 * 2000.0) / 100.0, 1e-9);
    assert_within(phase.row.read_iops, 190.0, 1e-9);
    assert_within(phase.row.write_iops, 0.0, 1e-9);
    double ios = 19000.0;
    assert_within(phase.row.read_mean_ms, (1000.0 + 180000.0) / ios, 1e-9);
    assert_within(phase.row.read_response_mean_ms, (1000.0 + 180000.0 + 3.0 * 18000.0) / ios, 1e-9);
    assert_within(phase.row.read_p95_ms, 10.0, 10.0 / 512.0);
    assert_within(phase.row.read_mb_per_s, 0.19 * 4.0, 1e-9);
    phase_clear(&phase);
}

/* Of 1,000 I/Os nine are slow, and of those five slower still: 99 % have ended before, 99.5 % end
 * with the slow ones, to a bin of the histogram. */
static void the_last_percentile_tells_one_in_two_hundred(void **state G_GNUC_UNUSED)
{
    Phase phase = phase_new(no_changes);
    AftSpan span = span_of(0.0, 1.0, 1.0);
    span_record(&span, AFT_WRITE, 991, 1);
    span_record(&span, AFT_WRITE, 4, 20);
    span_record(&span, AFT_WRITE, 5, 50);
    add(&phase, &span);
    finish(&phase, 1.0);
    assert_within(phase.row.write_p99_ms, 1.0, 1.0 / 512.0);
    assert_within(phase.row.write_p995_ms, 20.0, 20.0 / 512.0);
    assert_true(isnan(phase.row.read_p995_ms));
    phase_clear(&phase);
}

static void what_is_of_the_whole_span_is_not_weighted(void **state G_GNUC_UNUSED)
{
    Phase phase = phase_new(no_changes);
    for (guint i = 0; i < 2; i++) {
        AftSpan span = span_of(50.0 * i, 50.0 * (i + 1), 1.0);
        span.moved_bytes[AFT_TASK_REBUILD] = 1e9;
        span.shed = 7.0;
        span.after.owed = 100 * (i + 1);
        span.after.lost_groups = 3 * i;
        add(&phase, &span);
    }
    finish(&phase, 100.0);
    assert_within(phase.row.rebuild_bytes, 2e9, 0.0);
    assert_within(phase.row.rebalance_bytes, 0.0, 0.0);
    assert_within(phase.row.shed_ios, 14.0, 0.0);
    assert_within(phase.row.owed_ios_end, 200.0, 0.0);
    assert_within(phase.row.lost_pgs, 3.0, 0.0);
    phase_clear(&phase);
}

/* Alike spans leave no doubt; spans that differ by 20 % leave some. */
static void intervals_come_from_how_spans_differ(void **state G_GNUC_UNUSED)
{
    for (guint differs = 0; differs < 2; differs++) {
        Phase phase = phase_new(no_changes);
        for (guint i = 0; i < 16; i++) {
            AftSpan span = span_of(i, i + 1.0, 1.0);
            span_record(&span, AFT_READ, 1000 + (i % 2) * differs * 200, 2);
            add(&phase, &span);
        }
        finish(&phase, 16.0);
        assert_within(phase.row.iops, 1000.0 + differs * 100.0, 1e-9);
        assert_within(phase.row.read_mean_ci_ms, 0.0, 1e-9);
        if (differs == 0) {
            assert_within(phase.row.iops_ci, 0.0, 1e-9);
        } else {
            assert_true(phase.row.iops_ci > 20.0 && phase.row.iops_ci < 200.0);
        }
        phase_clear(&phase);
    }
}

static void precision_is_worst_of_what_there_is(void **state G_GNUC_UNUSED)
{
    Phase phase = phase_new((const char *const[]){"run.precision=1 %", NULL});
    for (guint i = 0; i < 16; i++) {
        AftSpan span = span_of(i, i + 1.0, 1.0);
        span_record(&span, AFT_READ, 1000, 2 + i % 2);
        add(&phase, &span);
        /* One span alone does not show how much they scatter. */
        assert_true(isnan(aft_phase_builder_precision(phase.builder).worst) == (i == 0));
    }
    AftPrecision precision = aft_phase_builder_precision(phase.builder);
    assert_within(precision.simulated_s, 16.0, 1e-9);
    finish(&phase, 16.0);
    assert_within(precision.worst, phase.row.read_mean_ci_ms / phase.row.read_mean_ms / 0.01, 1e-9);
    assert_true(precision.worst > 1.0);
    phase_clear(&phase);
}

static void flags_of_all_spans_are_joined(void **state G_GNUC_UNUSED)
{
    Phase phase = phase_new(no_changes);
    AftSpan first = span_of(0.0, 1.0, 1.0), second = span_of(1.0, 2.0, 1.0);
    first.flags = AFT_FLAG_STALL;
    second.flags = AFT_FLAG_OWED | AFT_FLAG_UNBOUNDED;
    add(&phase, &first);
    add(&phase, &second);
    finish(&phase, 2.0);
    assert_string_equal(phase.row.flags, "stall+owed+unbounded");
    phase_clear(&phase);
}

static void a_phase_misses_beyond_its_half_width(void **state G_GNUC_UNUSED)
{
    Phase phase = phase_new((const char *const[]){"requirement.read=1.9 ms", NULL});
    for (guint i = 0; i < 4; i++) {
        AftSpan span = span_of(i, i + 1.0, 1.0);
        span_record(&span, AFT_READ, 1000, 2);
        add(&phase, &span);
    }
    assert_int_equal(finish(&phase, 4.0), AFT_MISSED_READ);
    assert_string_equal(phase.row.requirement, "read");
    phase_clear(&phase);
}

/* An empty cell means no I/O; no I/O a second is a number. */
static void a_phase_without_io_has_empty_cells(void **state G_GNUC_UNUSED)
{
    static const char *const empty[] = {"read_mean_ms", "read_p99_ms", "write_mean_ci_ms",
                                        "write_response_mean_ms", "controller_util"};
    Phase phase = phase_new(no_changes);
    AftSpan span = span_of(0.0, 10.0, 10.0);
    add(&phase, &span);
    finish(&phase, 10.0);
    assert_within(phase.row.iops, 0.0, 0.0);
    const AftTable *table = aft_phase_table();
    guint seen = 0;
    for (guint i = 0; i < table->n_columns; i++) {
        g_autofree char *text = aft_column_format(&table->columns[i], &phase.row);
        for (guint e = 0; e < G_N_ELEMENTS(empty); e++) {
            if (strcmp(table->columns[i].name, empty[e]) == 0) {
                assert_string_equal(text, "");
                seen++;
            }
        }
    }
    assert_int_equal(seen, G_N_ELEMENTS(empty));
    phase_clear(&phase);
}

static void a_phase_that_begins_knows_nothing_of_the_last(void **state G_GNUC_UNUSED)
{
    Phase phase = phase_new(no_changes);
    AftSpan slow = span_of(0.0, 1.0, 1.0), fast = span_of(1.0, 2.0, 1.0);
    span_record(&slow, AFT_WRITE, 100, 50);
    slow.flags = AFT_FLAG_STALL;
    slow.moved_bytes[AFT_TASK_REBUILD] = 1e6;
    add(&phase, &slow);
    aft_phase_builder_begin(phase.builder, AFT_PHASE_STEADY, SECOND_NS);
    span_record(&fast, AFT_READ, 100, 1);
    add(&phase, &fast);
    finish(&phase, 2.0);
    assert_within(phase.row.start_s, 1.0, 1e-9);
    assert_within(phase.row.iops, 100.0, 1e-9);
    assert_true(isnan(phase.row.write_mean_ms));
    assert_within(phase.row.read_p99_ms, 1.0, 1.0 / 512.0);
    assert_within(phase.row.rebuild_bytes, 0.0, 0.0);
    assert_string_equal(phase.row.flags, "");
    phase_clear(&phase);
}

/* What latency.csv says adds up to the phase, and its shares to its percentiles. */
static void latencies_add_up_to_the_phase(void **state G_GNUC_UNUSED)
{
    Phase phase = phase_new(no_changes);
    AftSpan span = span_of(0.0, 10.0, 1.0);
    span_record(&span, AFT_READ, 90, 1);
    span_record(&span, AFT_READ, 10, 20);
    span_record(&span, AFT_WRITE, 7, 5);
    add(&phase, &span);
    finish(&phase, 10.0);
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(AftLatencyRow));
    aft_phase_builder_append_latency(phase.builder, rows);
    assert_int_equal(rows->len, 3);
    const AftLatencyRow *row = (const AftLatencyRow *)(gpointer)rows->data;
    assert_int_equal(row[0].phase, AFT_PHASE_REBUILD);
    assert_within(row[0].count, 900.0, 1e-9); /* each stands for ten */
    assert_within(row[0].share, 0.9, 1e-12);
    assert_within(row[1].upper_ms, 20.0, 1e-12);
    assert_within(row[1].share, 1.0, 0.0);
    assert_true(row[2].write && !row[1].write);
    assert_within(row[2].count, 70.0, 1e-9);
    phase_clear(&phase);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_count_by_what_they_stand_for),
        cmocka_unit_test(the_last_percentile_tells_one_in_two_hundred),
        cmocka_unit_test(what_is_of_the_whole_span_is_not_weighted),
        cmocka_unit_test(intervals_come_from_how_spans_differ),
        cmocka_unit_test(precision_is_worst_of_what_there_is),
        cmocka_unit_test(flags_of_all_spans_are_joined),
        cmocka_unit_test(a_phase_misses_beyond_its_half_width),
        cmocka_unit_test(a_phase_without_io_has_empty_cells),
        cmocka_unit_test(latencies_add_up_to_the_phase),
        cmocka_unit_test(a_phase_that_begins_knows_nothing_of_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
