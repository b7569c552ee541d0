/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Residuals by hand, and which cells are fitted. */
#include "cells.h"
#include "test.h"

static AftSide share(double amount)
{
    return (AftSide){TRUE, TRUE, amount};
}

static double residual(AftTolerance tolerance, double published, double simulated)
{
    AftReferenceCell cell = {.metric = aft_metric_find("iops"),
                             .value = published,
                             .tolerance = tolerance};
    AftComparedCell it = {.cell = &cell, .simulated = {simulated, NAN}};
    return aft_cells_residual(&it);
}

static void a_residual_of_1_is_as_far_as_the_tolerance_goes(void **state G_GNUC_UNUSED)
{
    AftTolerance both = {share(0.05), share(0.05)};
    assert_within(residual(both, 100.0, 100.0), 0.0, 1e-12);
    assert_within(residual(both, 100.0, 100.0 * exp(0.05)), 1.0, 1e-12);
    assert_within(residual(both, 100.0, 100.0 * exp(-0.10)), -2.0, 1e-12);
    AftTolerance absolute = {{TRUE, FALSE, 20.0}, {TRUE, FALSE, 20.0}};
    assert_within(residual(absolute, 100.0, 100.0 * exp(0.2)), 1.0, 1e-12);
    AftTolerance none = {{0}, {0}};
    assert_within(residual(none, 100.0, 100.0 * exp(0.1)), 1.0, 1e-12);
    AftTolerance exact = {share(0.0), share(0.0)};
    assert_within(residual(exact, 100.0, 100.0 * exp(0.005)), 1.0, 1e-12);
}

static void one_side_counts_from_its_bound_on(void **state G_GNUC_UNUSED)
{
    AftTolerance least = {.below = share(0.1)};
    assert_within(residual(least, 100.0, 250.0), 0.0, 0.0);
    assert_within(residual(least, 100.0, 91.0), 0.0, 0.0);
    assert_within(residual(least, 100.0, 90.0 * exp(-0.1)), -1.0, 1e-12);
    AftTolerance most = {.above = share(0.1)};
    assert_within(residual(most, 100.0, 20.0), 0.0, 0.0);
    assert_within(residual(most, 100.0, 110.0 * exp(0.2)), 2.0, 1e-12);
}

static void what_did_not_come_about_is_far_off(void **state G_GNUC_UNUSED)
{
    AftTolerance both = {share(0.05), share(0.05)};
    double absent = residual(both, 100.0, NAN);
    assert_true(absent >= 10.0);
    assert_within(residual(both, 100.0, 0.0), absent, 0.0);
    assert_within(residual(both, 100.0, 1e9), absent, 0.0); /* nothing is worse than that */
    assert_within(residual(both, 100.0, 1e-9), -absent, 0.0);
    AftTolerance least = {.below = share(0.05)}; /* the other side as 10 % */
    assert_within(residual(least, 100.0, NAN), absent, 0.0);
    /* But what is nearer can be felt, however tight the tolerance. */
    AftTolerance tight = {share(0.01), share(0.01)};
    assert_within(residual(tight, 100.0, 500.0), 100.0 * log(5.0), 1e-9);
}

static double chance(AftTolerance tolerance, double published, AftFigure simulated)
{
    AftReferenceCell cell = {.value = published, .tolerance = tolerance};
    AftComparedCell it = {.cell = &cell, .simulated = simulated};
    return aft_cells_chance(&it);
}

/* Of 95 % intervals, 1.96 standard deviations to each side. */
static void chance_is_that_of_the_residual(void **state G_GNUC_UNUSED)
{
    AftTolerance both = {share(0.05), share(0.05)}, least = {.below = share(0.05)};
    assert_within(chance(both, 100.0, (AftFigure){80.0, 1.96 * 0.8}), 0.01 / 0.05, 1e-12);
    assert_within(chance(both, 100.0, (AftFigure){80.0, NAN}), 0.0, 0.0);
    assert_within(chance(both, 100.0, (AftFigure){NAN, NAN}), 0.0, 0.0);
    assert_within(chance(least, 100.0, (AftFigure){80.0, 1.96 * 0.8}), 0.01 / 0.05, 1e-12);
    assert_within(chance(least, 100.0, (AftFigure){120.0, 1.96 * 1.2}), 0.0, 0.0);
}

static void add_cell(AftReference *reference, const char *label, AftPhase phase, const char *metric,
                     double value, AftMark mark)
{
    AftReferenceCell *cell = aft_reference_cell_new();
    cell->label = g_strdup(label);
    cell->phase = phase;
    cell->metric = aft_metric_find(metric);
    cell->value = value;
    cell->mark = mark;
    cell->unit = g_strdup("/s");
    cell->unit_base = 1.0;
    g_ptr_array_add(reference->cells, cell);
}

/* Six cells, of which the first two are to be held out by "a/steady", and the last two are suspect
 * and open. */
static void what_is_held_out_suspect_or_open_is_not_fitted(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftReference) reference = aft_reference_new();
    add_cell(reference, "a", AFT_PHASE_STEADY, "iops", 1.0, AFT_MARK_STATED);
    add_cell(reference, "a", AFT_PHASE_STEADY, "read_mean", 1.0, AFT_MARK_STATED);
    add_cell(reference, "a", AFT_PHASE_FAILED, "iops", 1.0, AFT_MARK_DERIVED);
    add_cell(reference, "b", AFT_PHASE_STEADY, "iops", 1.0, AFT_MARK_STATED);
    add_cell(reference, "b", AFT_PHASE_STEADY, "iops", 1.0, AFT_MARK_SUSPECT);
    add_cell(reference, "b", AFT_PHASE_STEADY, "iops", NAN, AFT_MARK_STATED);
    g_autoptr(AftResult) a = aft_result_new(), b = aft_result_new();
    a->label = g_strdup("a");
    b->label = g_strdup("b");
    AftResult *results[] = {a, b};
    g_autoptr(AftComparison) comparison = aft_compare(reference, results, 2);
    assert_int_equal(comparison->cells->len, 6);
    const char *const patterns[] = {"a/steady", NULL};
    AftCalibrationSetup setup = {.held_out = patterns};
    gboolean held[6];
    g_autoptr(GArray) chosen = aft_cells_choose(&setup, comparison, held);
    assert_int_equal(chosen->len, 2);
    assert_int_equal(g_array_index(chosen, guint, 0), 2);
    assert_int_equal(g_array_index(chosen, guint, 1), 3);
    assert_true(held[0] && held[1] && !held[2] && !held[3]);
    const char *const metrics[] = {"*/*/iops", NULL};
    setup.held_out = metrics;
    g_autoptr(GArray) none = aft_cells_choose(&setup, comparison, held);
    assert_int_equal(none->len, 1);
    const char *const labels[] = {"b", NULL};
    setup.held_out = labels;
    g_autoptr(GArray) only_a = aft_cells_choose(&setup, comparison, held);
    assert_int_equal(only_a->len, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_residual_of_1_is_as_far_as_the_tolerance_goes),
        cmocka_unit_test(one_side_counts_from_its_bound_on),
        cmocka_unit_test(what_did_not_come_about_is_far_off),
        cmocka_unit_test(chance_is_that_of_the_residual),
        cmocka_unit_test(what_is_held_out_suspect_or_open_is_not_fitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
