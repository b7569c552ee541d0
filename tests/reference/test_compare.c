/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "results.h"

#include <aftershock/reference/compare.h>

/* Results "a" and "b": steady, rebuild, and steady again. */
typedef struct {
    AftResult *results[2];
    AftReference *reference;
} Setup;

static int set_up(void **state)
{
    Setup *setup = g_new0(Setup, 1);
    setup->reference = aft_reference_new();
    setup->results[0] = labelled("a");
    setup->results[1] = labelled("b");
    add_phase(setup->results[0], AFT_PHASE_STEADY, 1000.0, 30.0, 2.0, 0.1);
    add_phase(setup->results[0], AFT_PHASE_REBUILD, 800.0, 10.0, 4.0, 0.1);
    add_phase(setup->results[0], AFT_PHASE_STEADY, 1100.0, 10.0, 2.0, 0.1);
    add_phase(setup->results[1], AFT_PHASE_STEADY, 500.0, 20.0, 1.0, 0.1);
    *state = setup;
    return 0;
}

static int tear_down(void **state)
{
    Setup *setup = *state;
    aft_reference_free(setup->reference);
    aft_result_free(setup->results[0]);
    aft_result_free(setup->results[1]);
    g_free(setup);
    return 0;
}

static const AftComparedCell *compared(const AftComparison *comparison, guint i)
{
    assert_true(i < comparison->cells->len);
    return &g_array_index(comparison->cells, AftComparedCell, i);
}

static void each_cell_gets_its_verdict(void **state)
{
    Setup *setup = *state;
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 1250.0);
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 1250.0)->tolerance =
        within_share(0.2);
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 1250.0)->tolerance =
        within_share(0.1);
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", (double)NAN)->tolerance =
        within_share(0.1);
    g_autoptr(AftComparison) comparison = aft_compare(setup->reference, setup->results, 2);
    const AftVerdict expected[] = {AFT_VERDICT_FREE, AFT_VERDICT_WITHIN, AFT_VERDICT_OUTSIDE,
                                   AFT_VERDICT_PREDICTION};
    assert_int_equal(comparison->cells->len, 4);
    for (guint i = 0; i < 4; i++) {
        assert_int_equal(compared(comparison, i)->verdict, expected[i]);
        assert_within(compared(comparison, i)->simulated.value, 1000.0, 0.0);
        assert_within(compared(comparison, i)->simulated.half_width, 30.0, 0.0);
    }
    assert_within(compared(comparison, 0)->error, -0.2, 1e-15);
    assert_true(isnan(compared(comparison, 3)->error));
    assert_int_equal(comparison->breaches, 1);
}

/* Only where the reference says what was fitted. */
static void what_was_not_fitted_is_predicted(void **state)
{
    Setup *setup = *state;
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 1250.0)->fitted = TRUE;
    add_cell(setup->reference, "b", AFT_PHASE_STEADY, "iops", 1250.0);
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", (double)NAN);
    g_autoptr(AftComparison) untold = aft_compare(setup->reference, setup->results, 2);
    assert_null(compared(untold, 0)->role);
    setup->reference->fitted = g_strsplit("a", ",", -1);
    g_autoptr(AftComparison) told = aft_compare(setup->reference, setup->results, 2);
    assert_string_equal(compared(told, 0)->role, "fitted");
    assert_string_equal(compared(told, 1)->role, "predicted");
    assert_null(compared(told, 2)->role);
}

static void every_breach_counts_and_suspect_cells_make_none(void **state)
{
    Setup *setup = *state;
    for (guint mark = 0; mark < AFT_MARKS; mark++) {
        AftReferenceCell *outside =
            add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 2000.0);
        outside->mark = (AftMark)mark;
        outside->tolerance = within_share(0.1);
        AftReferenceCell *absent =
            add_cell(setup->reference, "a", AFT_PHASE_CATCHUP, "iops", 2000.0);
        absent->mark = (AftMark)mark;
    }
    add_cell(setup->reference, "a", AFT_PHASE_CATCHUP, "iops", (double)NAN);
    g_autoptr(AftComparison) comparison = aft_compare(setup->reference, setup->results, 2);
    assert_int_equal(comparison->breaches, 4);
    for (guint i = 0; i < 6; i++) {
        const AftComparedCell *cell = compared(comparison, i);
        assert_int_equal(cell->verdict, i % 2 == 0 ? AFT_VERDICT_OUTSIDE : AFT_VERDICT_ABSENT);
        assert_int_equal(cell->breach, cell->cell->mark != AFT_MARK_SUSPECT);
    }
    assert_int_equal(compared(comparison, 6)->verdict, AFT_VERDICT_ABSENT);
    assert_false(compared(comparison, 6)->breach);
}

static void a_figure_the_phase_does_not_have_is_absent(void **state)
{
    Setup *setup = *state;
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "write_mean", 0.1);
    g_autoptr(AftComparison) comparison = aft_compare(setup->reference, setup->results, 2);
    assert_int_equal(compared(comparison, 0)->verdict, AFT_VERDICT_ABSENT);
    assert_true(compared(comparison, 0)->breach);
}

static void first_and_last_occurrence_are_told_apart(void **state)
{
    Setup *setup = *state;
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 1000.0);
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 1100.0)->last = TRUE;
    g_autoptr(AftComparison) comparison = aft_compare(setup->reference, setup->results, 2);
    assert_within(compared(comparison, 0)->simulated.value, 1000.0, 0.0);
    assert_within(compared(comparison, 1)->simulated.value, 1100.0, 0.0);
}

static void a_ratio_has_the_chance_of_both(void **state)
{
    Setup *setup = *state;
    AftReferenceCell *cell = add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 2.0);
    cell->over = g_strdup("b");
    cell->tolerance = (AftTolerance){{TRUE, FALSE, 0.01}, {TRUE, FALSE, 0.01}};
    g_autoptr(AftComparison) comparison = aft_compare(setup->reference, setup->results, 2);
    const AftComparedCell *ratio = compared(comparison, 0);
    assert_within(ratio->simulated.value, 2.0, 0.0);
    /* 3 % and 4 % make 5 %. */
    assert_within(ratio->simulated.half_width, 0.1, 1e-15);
    assert_int_equal(ratio->verdict, AFT_VERDICT_WITHIN);
}

static void a_ratio_over_nothing_is_absent(void **state)
{
    Setup *setup = *state;
    add_cell(setup->reference, "a", AFT_PHASE_REBUILD, "iops", 2.0)->over = g_strdup("b");
    g_autoptr(AftComparison) comparison = aft_compare(setup->reference, setup->results, 2);
    assert_int_equal(compared(comparison, 0)->verdict, AFT_VERDICT_ABSENT);
}

static void what_was_not_simulated_is_left_out(void **state)
{
    Setup *setup = *state;
    add_cell(setup->reference, "c", AFT_PHASE_STEADY, "iops", 1.0);
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 1.0)->over = g_strdup("c");
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 1.0);
    g_autoptr(AftComparison) comparison = aft_compare(setup->reference, setup->results, 2);
    assert_int_equal(comparison->cells->len, 1);
    assert_int_equal(comparison->skipped, 2);
    assert_int_equal(comparison->breaches, 0);
}

static void of_equal_labels_the_last_counts(void **state)
{
    Setup *setup = *state;
    g_free(setup->results[1]->label);
    setup->results[1]->label = g_strdup("a");
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 500.0);
    g_autoptr(AftComparison) comparison = aft_compare(setup->reference, setup->results, 2);
    assert_within(compared(comparison, 0)->simulated.value, 500.0, 0.0);
}

static void space_needs_no_phase(void **state)
{
    Setup *setup = *state;
    setup->results[0]->space.stored_bytes = 9e12;
    add_cell(setup->reference, "a", AFT_PHASE_REBUILD, "stored_bytes", 1e13);
    g_autoptr(AftComparison) comparison = aft_compare(setup->reference, setup->results, 2);
    assert_within(compared(comparison, 0)->error, -0.1, 1e-15);
}

static void assert_summary(const AftErrorSummary *summary, const char *metric, gboolean ratio,
                           AftMark mark, guint n, double median, double largest)
{
    assert_string_equal(summary->metric == NULL ? "all" : summary->metric->name, metric);
    assert_int_equal(summary->ratio, ratio);
    assert_int_equal(summary->mark, mark);
    assert_int_equal(summary->n, n);
    assert_within(summary->median, median, 1e-12);
    assert_within(summary->largest, largest, 1e-12);
}

static void errors_are_summed_up_by_what_is_alike(void **state)
{
    Setup *setup = *state;
    /* Steady a has 1,000: errors of 0.25, 0 and -0.5; reads take 2 ms: an error of 1. */
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 800.0);
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 1000.0);
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 2000.0);
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "read_mean", 0.001);
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 500.0)->mark = AFT_MARK_SUSPECT;
    add_cell(setup->reference, "a", AFT_PHASE_STEADY, "iops", 4.0)->over = g_strdup("b");
    add_cell(setup->reference, "a", AFT_PHASE_CATCHUP, "iops", 4.0); /* absent: no error */
    g_autoptr(AftComparison) comparison = aft_compare(setup->reference, setup->results, 2);
    const AftErrorSummary *summary = (const AftErrorSummary *)comparison->summaries->data;
    assert_int_equal(comparison->summaries->len, 7);
    assert_summary(&summary[0], "iops", FALSE, AFT_MARK_STATED, 3, 0.25, 0.5);
    assert_summary(&summary[1], "iops", TRUE, AFT_MARK_STATED, 1, 0.5, 0.5);
    assert_summary(&summary[2], "iops", FALSE, AFT_MARK_SUSPECT, 1, 1.0, 1.0);
    assert_summary(&summary[3], "read_mean", FALSE, AFT_MARK_STATED, 1, 1.0, 1.0);
    /* An even number: the mean of the two in the middle, 0.25 and 0.5. */
    assert_summary(&summary[4], "all", FALSE, AFT_MARK_STATED, 4, 0.375, 1.0);
    assert_summary(&summary[5], "all", TRUE, AFT_MARK_STATED, 1, 0.5, 0.5);
    assert_summary(&summary[6], "all", FALSE, AFT_MARK_SUSPECT, 1, 1.0, 1.0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_cell_gets_its_verdict),
        TEST(what_was_not_fitted_is_predicted),
        TEST(every_breach_counts_and_suspect_cells_make_none),
        TEST(a_figure_the_phase_does_not_have_is_absent),
        TEST(first_and_last_occurrence_are_told_apart),
        TEST(a_ratio_has_the_chance_of_both),
        TEST(a_ratio_over_nothing_is_absent),
        TEST(what_was_not_simulated_is_left_out),
        TEST(of_equal_labels_the_last_counts),
        TEST(space_needs_no_phase),
        TEST(errors_are_summed_up_by_what_is_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
