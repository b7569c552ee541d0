/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweeps.h"

enum { MOST_AXES = 4 };

typedef double (*Function)(const double *x);

/* sin x0 + a sin^2 x1 + b x2^4 sin x0 on [-pi, pi]^3, a = 7, b = 0.1. */
static double ishigami(const double *x)
{
    return sin(x[0]) + 7.0 * pow(sin(x[1]), 2.0) + 0.1 * pow(x[2], 4.0) * sin(x[0]);
}

static double linear(const double *x)
{
    return x[0] + 2.0 * x[1] + 3.0 * x[2];
}

/* The values of @function at the points of a Sobol design, through the texts of its settings. */
static double *values_at(Function function, guint rows, guint axes, double low, double high)
{
    g_autoptr(AftSweep) sweep = sweep_of(AFT_DESIGN_SOBOL, rows);
    for (guint i = 0; i < axes; i++) {
        g_autofree char *path = g_strdup_printf("x%u", i);
        add_distribution(sweep, path, AFT_UNIT_COUNT, AFT_DISTRIBUTION_UNIFORM, low, high);
    }
    g_autoptr(AftPoints) points = points_of(sweep);
    double *values = g_new(double, aft_points_n(points));
    for (guint point = 0; point < aft_points_n(points); point++) {
        double x[MOST_AXES] = {0};
        g_auto(GStrv) settings = aft_points_settings(points, point, 1, 0);
        for (guint i = 0; i < axes; i++) {
            assert_true(aft_units_parse(AFT_UNIT_COUNT, strchr(settings[i], '=') + 1, &x[i], NULL));
        }
        values[point] = function(x);
    }
    return values;
}

/* Closed form: the variance is a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2, of which x0 alone makes
 * (1 + b pi^4/5)^2 / 2, x1 a^2/8, and x0 with x2 b^2 pi^8 (1/18 - 1/50). */
static void the_indices_of_ishigami_are_known(void **state G_GNUC_UNUSED)
{
    double a = 7.0, b = 0.1, pi4 = pow(G_PI, 4.0), pi8 = pow(G_PI, 8.0);
    double variance = a * a / 8.0 + b * pi4 / 5.0 + b * b * pi8 / 18.0 + 0.5;
    double alone = pow(1.0 + b * pi4 / 5.0, 2.0) / 2.0, second = a * a / 8.0;
    double both = b * b * pi8 * (1.0 / 18.0 - 1.0 / 50.0);
    double first[] = {alone / variance, second / variance, 0.0};
    double total[] = {(alone + both) / variance, second / variance, both / variance};
    g_autofree double *values = values_at(ishigami, 4096, 3, -G_PI, G_PI);
    for (guint axis = 0; axis < 3; axis++) {
        AftSobolIndex index = aft_sobol_index(values, 4096, 3, axis);
        assert_within(index.first, first[axis], 0.02);
        assert_within(index.total, total[axis], 0.02);
        assert_true(index.first_half_width > 0.0 && index.first_half_width < 0.05);
        assert_true(index.total_half_width > 0.0 && index.total_half_width < 0.05);
    }
}

/* Each axis has its part of 1 + 4 + 9, alone and in all. Intervals are those of rows that were
 * drawn; the sequence is more even than that, so that the truth lies well inside. */
static void a_sum_has_the_indices_of_its_terms(void **state G_GNUC_UNUSED)
{
    g_autofree double *values = values_at(linear, 4096, 3, 0.0, 1.0);
    for (guint axis = 0; axis < 3; axis++) {
        double part = pow(axis + 1.0, 2.0) / 14.0;
        AftSobolIndex index = aft_sobol_index(values, 4096, 3, axis);
        assert_within(index.first, part, index.first_half_width);
        assert_within(index.total, part, index.total_half_width);
        assert_true(index.first_half_width < 0.05);
    }
}

/* Four rows by hand, one axis, f(x) = x with A = {0, 1, 0, 1} and B = {0, 0, 1, 1}, all that there
 * is of two coins: A with the column of B is B, so both indices are exactly 1. */
static void a_full_factorial_has_exact_indices(void **state G_GNUC_UNUSED)
{
    static const double values[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    AftSobolIndex index = aft_sobol_index(values, 4, 1, 0);
    assert_within(index.first, 1.0, 1e-15);
    assert_within(index.total, 1.0, 1e-15);
}

/* The same of two axes, f = x + 3 y, all sixteen rows there are: 1/10 and 9/10. */
static void a_sum_over_a_full_factorial_is_exact(void **state G_GNUC_UNUSED)
{
    double values[16 * 4];
    for (guint row = 0; row < 16; row++) {
        double ax = row & 1, ay = (row >> 1) & 1, bx = (row >> 2) & 1, by = (row >> 3) & 1;
        double *value = values + row * 4;
        value[0] = ax + 3.0 * ay;
        value[1] = bx + 3.0 * by;
        value[2] = bx + 3.0 * ay;
        value[3] = ax + 3.0 * by;
    }
    for (guint axis = 0; axis < 2; axis++) {
        AftSobolIndex index = aft_sobol_index(values, 16, 2, axis);
        assert_within(index.first, axis == 0 ? 0.1 : 0.9, 1e-15);
        assert_within(index.total, axis == 0 ? 0.1 : 0.9, 1e-15);
    }
}

static void intervals_are_the_same_each_time_and_shrink_with_rows(void **state G_GNUC_UNUSED)
{
    g_autofree double *few = values_at(ishigami, 256, 3, -G_PI, G_PI);
    g_autofree double *many = values_at(ishigami, 4096, 3, -G_PI, G_PI);
    AftSobolIndex once = aft_sobol_index(few, 256, 3, 0), again = aft_sobol_index(few, 256, 3, 0);
    assert_memory_equal(&once, &again, sizeof once);
    AftSobolIndex sharp = aft_sobol_index(many, 4096, 3, 0);
    /* a quarter, of which 200 resamples know some 5 % */
    assert_within(sharp.first_half_width / once.first_half_width, 0.25, 0.08);
}

static void rows_with_holes_are_left_out(void **state G_GNUC_UNUSED)
{
    g_autofree double *values = values_at(ishigami, 1024, 3, -G_PI, G_PI);
    AftSobolIndex whole = aft_sobol_index(values, 1023, 3, 1);
    values[1023 * 5 + 4] = NAN;
    AftSobolIndex holed = aft_sobol_index(values, 1024, 3, 1);
    assert_within(holed.first, whole.first, 0.0);
    assert_within(holed.total, whole.total, 0.0);
}

static void what_does_not_vary_has_no_indices(void **state G_GNUC_UNUSED)
{
    static const double same[] = {3.0, 3.0, 3.0, 3.0, 3.0, 3.0};
    static const double one[] = {1.0, 2.0, 2.0};
    assert_true(isnan(aft_sobol_index(same, 2, 1, 0).first));
    assert_true(isnan(aft_sobol_index(same, 2, 1, 0).total_half_width));
    assert_true(isnan(aft_sobol_index(one, 1, 1, 0).total));
    assert_true(isnan(aft_sobol_index(one, 0, 1, 0).total));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_indices_of_ishigami_are_known),
        cmocka_unit_test(a_sum_has_the_indices_of_its_terms),
        cmocka_unit_test(a_full_factorial_has_exact_indices),
        cmocka_unit_test(a_sum_over_a_full_factorial_is_exact),
        cmocka_unit_test(intervals_are_the_same_each_time_and_shrink_with_rows),
        cmocka_unit_test(rows_with_holes_are_left_out),
        cmocka_unit_test(what_does_not_vary_has_no_indices),
    };
    return cmocka_run_group_tests_name("sobol", tests, NULL, NULL);
}
