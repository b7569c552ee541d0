/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include <aftershock/random/discrete.h>
#include <gsl/gsl_cdf.h>

enum { THINGS = 1000 };

/* The chance of each thing, read off the columns. */
static void assert_chances(const double *weight, guint n)
{
    g_autoptr(AftDiscrete) discrete = aft_discrete_new(weight, n);
    g_autofree double *chance = g_new0(double, n);
    double sum = 0.0;
    for (guint i = 0; i < n; i++) {
        const AftColumn *column = &discrete->column[i];
        assert_true(column->height >= 0.0);
        chance[i] += MIN(column->height, 1.0) / n;
        chance[column->alias] += MAX(1.0 - column->height, 0.0) / n;
        sum += weight[i];
    }
    for (guint i = 0; i < n; i++) {
        assert_within(chance[i], weight[i] / sum, 1e-12); /* sums of n roundings */
    }
}

static void columns_hold_the_chances(void **state)
{
    (void)state;
    double zipf[THINGS], one_of_many[THINGS] = {0};
    for (guint i = 0; i < THINGS; i++) {
        zipf[i] = 1.0 / (i + 1.0);
    }
    one_of_many[700] = 3.0;
    assert_chances(zipf, THINGS);
    assert_chances(one_of_many, THINGS);
    assert_chances((const double[]){5.0}, 1);
    assert_chances((const double[]){1.0, 1.0, 1.0}, 3);
    assert_chances((const double[]){0.0, 1e-300, 1.0, 1e300}, 4);
}

/* Pearson's sum is above this quantile for one sound generator in a thousand. */
static void draws_have_the_chances(void **state)
{
    (void)state;
    enum { N = 8, DRAWS = 1000000 };
    static const double weight[N] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 72.0};
    g_autoptr(AftDiscrete) discrete = aft_discrete_new(weight, N);
    AftStream stream;
    double drawn[N] = {0}, sum = 0.0;
    aft_stream_init(&stream, 1, 0, "test.discrete", 0);
    for (guint i = 0; i < DRAWS; i++) {
        drawn[aft_discrete_draw(discrete, &stream)] += 1.0;
    }
    for (guint i = 0; i < N; i++) {
        double expected = DRAWS * weight[i] / 100.0;
        sum += (drawn[i] - expected) * (drawn[i] - expected) / expected;
    }
    assert_true(sum < gsl_cdf_chisq_Qinv(0.001, N - 1.0));
}

static void what_has_no_weight_is_never_drawn(void **state)
{
    (void)state;
    g_autoptr(AftDiscrete) discrete = aft_discrete_new((const double[]){0.0, 1.0, 0.0}, 3);
    AftStream stream;
    aft_stream_init(&stream, 1, 0, "test.discrete", 1);
    for (guint i = 0; i < 100000; i++) {
        assert_int_equal(aft_discrete_draw(discrete, &stream), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_hold_the_chances),
        cmocka_unit_test(draws_have_the_chances),
        cmocka_unit_test(what_has_no_weight_is_never_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
