/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "judge.h"
#include "spans.h"

typedef struct {
    AftScenario *scenario;
    AftResult *result;
    AftJudge *judge;
} Case;

static Case case_new(const char *const *settings)
{
    Case it = {traced_scenario(settings), aft_result_new(), NULL};
    it.judge = aft_judge_new(it.scenario);
    return it;
}

static void case_clear(Case *it)
{
    aft_judge_free(it->judge);
    aft_result_free(it->result);
    aft_scenario_free(it->scenario);
}

/* Reads alone, all of one latency. */
static void add(Case *it, double start_s, double end_s, double measured_s, guint n,
                gint64 latency_ms)
{
    AftSpan span = span_of(start_s, end_s, measured_s);
    span_record(&span, AFT_READ, n, latency_ms);
    aft_judge_add(it->judge, &span);
    span_clear(&span);
}

static void add_phase(Case *it, double start_s, double duration_s)
{
    AftPhaseRow phase;
    aft_phase_row_init(&phase, AFT_PHASE_STEADY);
    phase.start_s = start_s;
    phase.duration_s = duration_s;
    g_array_append_val(it->result->phases, phase);
}

static double missed_s(const Case *it, guint phase)
{
    return g_array_index(it->result->phases, AftPhaseRow, phase).missed_s;
}

/* Intervals of 10 s: slow, fast, slow and only 5 s long; phases of 4 and 21 s. */
static void missed_time_is_that_of_intervals_that_missed(void **state G_GNUC_UNUSED)
{
    Case it = case_new((const char *const[]){"requirement.read=5 ms", NULL});
    add(&it, 0.0, 10.0, 10.0, 10, 6);
    add(&it, 10.0, 20.0, 10.0, 10, 4);
    add(&it, 20.0, 25.0, 5.0, 10, 6);
    add_phase(&it, 0.0, 4.0);
    add_phase(&it, 4.0, 21.0);
    assert_within(aft_judge_finish(it.judge, it.result), 15.0, 1e-9);
    assert_within(missed_s(&it, 0), 4.0, 1e-9);
    assert_within(missed_s(&it, 1), 11.0, 1e-9);
    case_clear(&it);
}

/* What lies across an interval is dealt out. */
static void an_interval_is_judged_by_its_mean(void **state G_GNUC_UNUSED)
{
    Case it = case_new((const char *const[]){"requirement.read=5 ms", NULL});
    add(&it, 0.0, 3.0, 3.0, 30, 10);
    add(&it, 3.0, 18.0, 15.0, 150, 3); /* (30 x 10 + 70 x 3) / 100 = 5.1 ms; then 3 ms */
    add(&it, 18.0, 20.0, 2.0, 20, 12); /* (80 x 3 + 20 x 12) / 100 = 4.8 ms */
    add_phase(&it, 0.0, 20.0);
    assert_within(aft_judge_finish(it.judge, it.result), 10.0, 1e-9);
    case_clear(&it);
}

/* 1000 required, 940 seen. Of twenty seconds chance takes 3 sqrt(1000 / 20) = 21 IOPS, of the one
 * that stands for them 95. */
static void chance_in_a_window_excuses_what_it_stands_for(void **state G_GNUC_UNUSED)
{
    const double measured_s[] = {10.0, 0.5}, expected_s[] = {10.0, 0.0};
    for (guint i = 0; i < 2; i++) {
        Case it = case_new((const char *const[]){"requirement.iops=1000", NULL});
        add(&it, 0.0, 20.0, 2.0 * measured_s[i], (guint)(940.0 * 2.0 * measured_s[i]), 1);
        add_phase(&it, 0.0, 20.0);
        assert_within(aft_judge_finish(it.judge, it.result), 2.0 * expected_s[i], 1e-9);
        case_clear(&it);
    }
}

/* Two windows of a quarter of a second each stand for ten: 3 sqrt(1000 / 0.5) = 134. */
static void chance_in_several_windows_excuses_too(void **state G_GNUC_UNUSED)
{
    const double measured_s[] = {5.0, 0.25}, expected_s[] = {10.0, 0.0};
    for (guint i = 0; i < 2; i++) {
        Case it = case_new((const char *const[]){"requirement.iops=1000", NULL});
        guint n = (guint)(940.0 * measured_s[i]);
        add(&it, 0.0, 5.0, measured_s[i], n, 1);
        add(&it, 5.0, 10.0, measured_s[i], n, 1);
        add_phase(&it, 0.0, 10.0);
        assert_within(aft_judge_finish(it.judge, it.result), expected_s[i], 1e-9);
        case_clear(&it);
    }
}

/* A row of the trace is a day, an outage five minutes, from 36.5 s on: minutes are judged. */
static void an_outage_counts_however_long_a_row_is(void **state G_GNUC_UNUSED)
{
    Case it =
        case_new((const char *const[]){"requirement.iops=1000", "run.trace_interval=1 d", NULL});
    const double day_s = 86400.0, from_s = 2.5 * day_s + 36.5;
    add(&it, 0.0, from_s, 1.0, 1000, 1);
    add(&it, from_s, from_s + 300.0, 300.0, 0, 1);
    add(&it, from_s + 300.0, 5.0 * day_s, 1.0, 1000, 1);
    add_phase(&it, 0.0, from_s);
    add_phase(&it, from_s, 300.0);
    add_phase(&it, from_s + 300.0, 2.5 * day_s - 336.5);
    assert_within(aft_judge_finish(it.judge, it.result), 360.0, 1e-9); /* the minutes it touched */
    assert_within(missed_s(&it, 0), 36.5, 1e-6);
    assert_within(missed_s(&it, 1), 300.0, 1e-6);
    assert_within(missed_s(&it, 2), 23.5, 1e-6);
    case_clear(&it);
}

static void without_a_requirement_nothing_is_missed(void **state G_GNUC_UNUSED)
{
    Case it = case_new((const char *const[]){NULL});
    add(&it, 0.0, 10.0, 10.0, 0, 1);
    add_phase(&it, 0.0, 10.0);
    assert_true(isnan(aft_judge_finish(it.judge, it.result)));
    assert_true(isnan(missed_s(&it, 0)));
    case_clear(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missed_time_is_that_of_intervals_that_missed),
        cmocka_unit_test(an_interval_is_judged_by_its_mean),
        cmocka_unit_test(chance_in_a_window_excuses_what_it_stands_for),
        cmocka_unit_test(chance_in_several_windows_excuses_too),
        cmocka_unit_test(an_outage_counts_however_long_a_row_is),
        cmocka_unit_test(without_a_requirement_nothing_is_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
