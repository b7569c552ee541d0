/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spans.h"
#include "trace_builder.h"

static const char *const no_changes[] = {NULL};

typedef struct {
    AftScenario *scenario;
    AftResult *result;
    AftTraceBuilder *builder;
} Trace;

static Trace trace_new(const char *const *settings)
{
    Trace trace = {traced_scenario(settings), aft_result_new(), NULL};
    trace.builder = aft_trace_builder_new(trace.scenario, trace.result);
    return trace;
}

static void trace_clear(Trace *trace)
{
    aft_trace_builder_free(trace->builder);
    aft_result_free(trace->result);
    aft_scenario_free(trace->scenario);
}

static void add(Trace *trace, AftSpan *span)
{
    aft_trace_builder_add(trace->builder, span);
    span_clear(span);
}

static const AftTraceRow *row(const Trace *trace, guint i)
{
    assert_true(i < trace->result->trace->len);
    return &g_array_index(trace->result->trace, AftTraceRow, i);
}

static void a_span_is_dealt_out_over_the_rows_it_covers(void **state G_GNUC_UNUSED)
{
    Trace trace = trace_new(no_changes);
    AftSpan span = span_of(0.0, 25.0, 5.0); /* a second stands for five */
    span_record(&span, AFT_READ, 100, 2);
    span_record(&span, AFT_WRITE, 50, 8);
    span.moved_bytes[AFT_TASK_REBUILD] = 250e6;
    span.reached.owed = span.after.owed = 250;
    add(&trace, &span);
    aft_trace_builder_finish(trace.builder);
    assert_int_equal(trace.result->trace->len, 3);
    const double owed[] = {100.0, 200.0, 250.0}, simulated_s[] = {2.0, 2.0, 1.0};
    for (guint i = 0; i < 3; i++) {
        assert_within(row(&trace, i)->time_s, 10.0 * i, 1e-9);
        assert_within(row(&trace, i)->read_iops, 20.0, 1e-9);
        assert_within(row(&trace, i)->write_iops, 10.0, 1e-9);
        assert_within(row(&trace, i)->read_mean_ms, 2.0, 1e-9);
        assert_within(row(&trace, i)->write_p99_ms, 8.0, 8.0 / 512.0);
        assert_within(row(&trace, i)->read_mb_per_s, 0.08, 1e-9);
        assert_within(row(&trace, i)->rebuild_mb_per_s, 10.0, 1e-9);
        assert_within(row(&trace, i)->owed_ios, owed[i], 0.0);
        assert_within(row(&trace, i)->simulated_s, simulated_s[i], 1e-9);
    }
    trace_clear(&trace);
}

static void spans_of_one_row_count_by_what_they_stand_for(void **state G_GNUC_UNUSED)
{
    Trace trace = trace_new(no_changes);
    AftSpan simulated = span_of(0.0, 1.0, 1.0), skipped = span_of(1.0, 10.0, 1.0);
    span_record(&simulated, AFT_READ, 100, 1);
    span_record(&skipped, AFT_READ, 100, 10);
    skipped.phase = AFT_PHASE_FAILED;
    add(&trace, &simulated);
    add(&trace, &skipped);
    assert_int_equal(trace.result->trace->len, 1);
    assert_within(row(&trace, 0)->read_iops, 100.0, 1e-9);
    assert_within(row(&trace, 0)->read_mean_ms, (1.0 + 9.0 * 10.0) / 10.0, 1e-9);
    assert_within(row(&trace, 0)->read_p50_ms, 10.0, 10.0 / 512.0);
    assert_true(isnan(row(&trace, 0)->write_mean_ms));
    assert_int_equal(row(&trace, 0)->phase, AFT_PHASE_STEADY); /* at its start */
    trace_clear(&trace);
}

static void a_row_that_has_not_begun_is_not_written(void **state G_GNUC_UNUSED)
{
    Trace trace = trace_new(no_changes);
    AftSpan span = span_of(0.0, 20.0, 20.0);
    add(&trace, &span);
    aft_trace_builder_finish(trace.builder);
    assert_int_equal(trace.result->trace->len, 2);
    trace_clear(&trace);
}

static void utilisation_is_what_was_done_of_what_could_be(void **state G_GNUC_UNUSED)
{
    Trace trace = trace_new(no_changes);
    AftSpan span = span_of(0.0, 10.0, 2.0);
    span.use[AFT_USE_CAPACITY] = (AftUse){.busy_ns = 1e9, .capable_ns = 4e9};
    add(&trace, &span);
    assert_within(row(&trace, 0)->capacity_util, 0.25, 1e-12);
    assert_true(isnan(row(&trace, 0)->cache_util)); /* there is none */
    trace_clear(&trace);
}

/* Of a failure at the end of a long span nothing is seen before. */
static void what_happens_at_the_end_comes_at_once(void **state G_GNUC_UNUSED)
{
    Trace trace = trace_new(no_changes);
    AftSpan span = span_of(0.0, 30.0, 5.0);
    span.reached.degraded_groups = 6;
    span.after.degraded_groups = 100;
    add(&trace, &span);
    const double degraded[] = {2.0, 4.0, 100.0};
    for (guint i = 0; i < 3; i++) {
        assert_within(row(&trace, i)->degraded_pgs, degraded[i], 1e-9);
    }
    trace_clear(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_span_is_dealt_out_over_the_rows_it_covers),
        cmocka_unit_test(spans_of_one_row_count_by_what_they_stand_for),
        cmocka_unit_test(a_row_that_has_not_begun_is_not_written),
        cmocka_unit_test(utilisation_is_what_was_done_of_what_could_be),
        cmocka_unit_test(what_happens_at_the_end_comes_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
