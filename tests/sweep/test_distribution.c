/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweeps.h"

#include <gsl/gsl_cdf.h>

enum { STEPS = 200000 };

static double flat_cdf(double x)
{
    return gsl_cdf_flat_P(x, 2.0, 5.0);
}

static double log_flat_cdf(double x)
{
    return log(x / 0.01) / log(10.0 / 0.01);
}

static double normal_cdf(double x)
{
    return gsl_cdf_gaussian_P(x - 10.0, 2.0);
}

/* Mean 10 and deviation 5: the variance of the logarithm is ln(1 + 1/4). */
static double lognormal_cdf(double x)
{
    double variance = log(1.25);
    return gsl_cdf_ugaussian_P((log(x) - log(10.0) + variance / 2.0) / sqrt(variance));
}

static double exponential_cdf(double x)
{
    return 1.0 - exp(-x / 7.0);
}

/* Shape 2 (Rayleigh): the mean is scale times the root of pi / 4. */
static double weibull_cdf(double x)
{
    double scale = 3.0 / sqrt(G_PI / 4.0);
    return 1.0 - exp(-pow(x / scale, 2.0));
}

static const struct {
    AftDistribution distribution;
    double (*cdf)(double x);
    double mean, deviation;
} known[] = {
    {{AFT_DISTRIBUTION_UNIFORM, {2.0, 5.0}}, flat_cdf, 3.5, 0.8660254},
    {{AFT_DISTRIBUTION_LOG_UNIFORM, {0.01, 10.0}}, log_flat_cdf, 1.4461974, 2.2688366},
    {{AFT_DISTRIBUTION_NORMAL, {10.0, 2.0}}, normal_cdf, 10.0, 2.0},
    {{AFT_DISTRIBUTION_LOGNORMAL, {10.0, 5.0}}, lognormal_cdf, 10.0, 5.0},
    {{AFT_DISTRIBUTION_EXPONENTIAL, {7.0}}, exponential_cdf, 7.0, 7.0},
    {{AFT_DISTRIBUTION_WEIBULL, {3.0, 2.0}}, weibull_cdf, 3.0, 1.5681704},
};

static void quantiles_undo_the_share_below(void **state G_GNUC_UNUSED)
{
    static const double shares[] = {1e-12, 1e-6, 0.01, 0.25, 0.5, 0.75, 0.99, 1.0 - 1e-6};
    assert_int_equal(G_N_ELEMENTS(known), AFT_DISTRIBUTIONS);
    for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
        for (guint j = 0; j < G_N_ELEMENTS(shares); j++) {
            double x = aft_distribution_quantile(&known[i].distribution, shares[j]);
            assert_within(known[i].cdf(x), shares[j], 1e-9 * MAX(shares[j], 1e-3));
        }
    }
}

/* By the midpoint rule over the quantile; what lies beyond its last point, in the heaviest tail
 * here, is below 2e-4 of the mean and 2e-3 of the deviation. */
static void quantiles_have_the_mean_and_deviation(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
        double sum = 0.0, square = 0.0;
        for (guint step = 0; step < STEPS; step++) {
            double x = aft_distribution_quantile(&known[i].distribution, (step + 0.5) / STEPS);
            sum += x / STEPS;
            square += x * x / STEPS;
        }
        assert_within(sum, known[i].mean, 2e-4 * known[i].mean);
        assert_within(sqrt(square - sum * sum), known[i].deviation, 2e-3 * known[i].deviation);
    }
}

static void parameters_that_make_no_distribution_are_refused(void **state G_GNUC_UNUSED)
{
    static const struct {
        AftDistribution distribution;
        const char *part;
    } wrong[] = {
        {{AFT_DISTRIBUTION_UNIFORM, {5.0, 2.0}}, "uniform: expected the lower bound first"},
        {{AFT_DISTRIBUTION_UNIFORM, {5.0, 5.0}}, "lower bound first"},
        {{AFT_DISTRIBUTION_LOG_UNIFORM, {0.0, 2.0}}, "log-uniform: expected bounds above 0"},
        {{AFT_DISTRIBUTION_NORMAL, {5.0, 0.0}}, "standard deviation above 0"},
        {{AFT_DISTRIBUTION_LOGNORMAL, {0.0, 1.0}}, "mean above 0"},
        {{AFT_DISTRIBUTION_LOGNORMAL, {1.0, -1.0}}, "standard deviation above 0"},
        {{AFT_DISTRIBUTION_EXPONENTIAL, {-1.0}}, "mean above 0"},
        {{AFT_DISTRIBUTION_WEIBULL, {1.0, 0.01}}, "shape of 0.1 to 100"},
        {{AFT_DISTRIBUTION_WEIBULL, {1.0, INFINITY}}, "finite"},
        {{AFT_DISTRIBUTION_NORMAL, {NAN, 1.0}}, "finite"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        assert_false(aft_distribution_check(&wrong[i].distribution, &error));
        assert_error(error, AFT_ERROR_RANGE, wrong[i].part);
    }
    for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
        assert_true(aft_distribution_check(&known[i].distribution, NULL));
    }
}

static void names_find_their_kinds(void **state G_GNUC_UNUSED)
{
    AftDistributionKind kind;
    for (guint i = 0; i < AFT_DISTRIBUTIONS; i++) {
        const char *name = aft_distribution_name((AftDistributionKind)i);
        assert_true(aft_distribution_find(name, &kind));
        assert_int_equal(kind, i);
    }
    assert_false(aft_distribution_find("gamma", &kind));
}

static void whole_numbers_between_bounds_are_equally_likely(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = aft_sweep_new();
    AftAxis *axis = add_distribution(sweep, "cluster.nodes", AFT_UNIT_COUNT,
                                     AFT_DISTRIBUTION_UNIFORM, 3.0, 7.0);
    axis->whole = TRUE;
    guint met[10] = {0};
    for (guint i = 0; i < 5000; i++) {
        met[(guint)aft_axis_quantile(axis, (i + 0.5) / 5000.0)]++;
    }
    for (guint n = 0; n < 10; n++) {
        assert_int_equal(met[n], n >= 3 && n <= 7 ? 1000 : 0);
    }
    assert_within(aft_axis_quantile(axis, 1.0 - 0x1.0p-53), 7.0, 0.0);
}

static void what_the_key_does_not_take_comes_to_its_bound(void **state G_GNUC_UNUSED)
{
    g_autoptr(AftSweep) sweep = aft_sweep_new();
    AftAxis *axis = add_distribution(sweep, "workload.read_share", AFT_UNIT_SHARE,
                                     AFT_DISTRIBUTION_NORMAL, 0.9, 0.1);
    axis->minimum = 0.0;
    axis->maximum = 1.0;
    assert_within(aft_axis_quantile(axis, 0.5), 0.9, 1e-15);
    assert_within(aft_axis_quantile(axis, 0.9), 1.0, 0.0);
    assert_within(aft_axis_quantile(axis, 1e-300), 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_undo_the_share_below),
        cmocka_unit_test(quantiles_have_the_mean_and_deviation),
        cmocka_unit_test(parameters_that_make_no_distribution_are_refused),
        cmocka_unit_test(names_find_their_kinds),
        cmocka_unit_test(whole_numbers_between_bounds_are_equally_likely),
        cmocka_unit_test(what_the_key_does_not_take_comes_to_its_bound),
    };
    return cmocka_run_group_tests_name("distributions", tests, NULL, NULL);
}
