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
    AftRole roles[6];
    g_autoptr(GArray) chosen = aft_cells_choose(&setup, comparison, roles);
    assert_int_equal(chosen->len, 2);
    assert_int_equal(g_array_index(chosen, guint, 0), 2);
    assert_int_equal(g_array_index(chosen, guint, 1), 3);
    const AftRole expected[] = {AFT_ROLE_HELD_OUT, AFT_ROLE_HELD_OUT, AFT_ROLE_FITTED,
                                AFT_ROLE_FITTED,   AFT_ROLE_SUSPECT,  AFT_ROLE_OPEN};
    assert_memory_equal(roles, expected, sizeof expected);
    const char *const metrics[] = {"*/*/iops", NULL};
    setup.held_out = metrics;
    g_autoptr(GArray) none = aft_cells_choose(&setup, comparison, roles);
    assert_int_equal(none->len, 1);
    const char *const labels[] = {"b", NULL};
    setup.held_out = labels;
    g_autoptr(GArray) only_a = aft_cells_choose(&setup, comparison, roles);
    assert_int_equal(only_a->len, 3);
}

/* A ratio is of both configurations, and a figure of a whole run of no phase. */
static void a_cell_belongs_to_its_configurations_and_its_phase(void **state G_GNUC_UNUSED)
{
    AftReferenceCell ratio = {.label = (char *)"a",
                              .over = (char *)"b",
                              .phase = AFT_PHASE_REBUILD,
                              .metric = aft_metric_find("iops")};
    assert_true(aft_cells_is_of(&ratio, AFT_ROTATE_CONFIGURATION, "a"));
    assert_true(aft_cells_is_of(&ratio, AFT_ROTATE_CONFIGURATION, "b"));
    assert_false(aft_cells_is_of(&ratio, AFT_ROTATE_CONFIGURATION, "rebuild"));
    assert_true(aft_cells_is_of(&ratio, AFT_ROTATE_PHASE, "rebuild"));
    assert_false(aft_cells_is_of(&ratio, AFT_ROTATE_PHASE, "b"));
    AftReferenceCell whole = {.label = (char *)"a", .metric = aft_metric_find("saved_bytes")};
    assert_null(aft_cells_group(&whole, AFT_ROTATE_PHASE));
    assert_false(aft_cells_is_of(&whole, AFT_ROTATE_PHASE, "steady"));
}

static void figures_are_of_four_kinds(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *metric;
        AftFigures figures;
    } expected[] = {
        {"iops", AFT_FIGURES_IOPS},          {"write_iops", AFT_FIGURES_IOPS},
        {"read_mean", AFT_FIGURES_LATENCY},  {"write_p99", AFT_FIGURES_LATENCY},
        {"minutes", AFT_FIGURES_MINUTES},    {"missed_minutes", AFT_FIGURES_MINUTES},
        {"rebuild_rate", AFT_FIGURES_OTHER}, {"saved_share", AFT_FIGURES_OTHER},
    };
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        AftReferenceCell cell = {.metric = aft_metric_find(expected[i].metric)};
        assert_int_equal(aft_cells_figures(&cell), expected[i].figures);
    }
}

static void what_is_absent_has_no_error(void **state G_GNUC_UNUSED)
{
    const double values[] = {0.3, NAN, 0.1, 0.2, NAN};
    g_autoptr(GArray) errors = g_array_new(FALSE, FALSE, sizeof(double));
    g_array_append_vals(errors, values, G_N_ELEMENTS(values));
    AftErrors sum = aft_cells_errors(errors);
    assert_int_equal(sum.n, 3);
    assert_int_equal(sum.absent, 2);
    assert_within(sum.median, 0.2, 1e-15);
    assert_within(sum.largest, 0.3, 1e-15);
    g_array_set_size(errors, 0);
    sum = aft_cells_errors(errors);
    assert_true(sum.n == 0 && sum.absent == 0 && isnan(sum.median) && isnan(sum.largest));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_residual_of_1_is_as_far_as_the_tolerance_goes),
        cmocka_unit_test(one_side_counts_from_its_bound_on),
        cmocka_unit_test(what_did_not_come_about_is_far_off),
        cmocka_unit_test(chance_is_that_of_the_residual),
        cmocka_unit_test(what_is_held_out_suspect_or_open_is_not_fitted),
        cmocka_unit_test(a_cell_belongs_to_its_configurations_and_its_phase),
        cmocka_unit_test(figures_are_of_four_kinds),
        cmocka_unit_test(what_is_absent_has_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
