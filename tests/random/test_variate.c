/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "goodness.h"
#include <aftershock/base/error.h>
#include <aftershock/random/variate.h>

#define DRAWS 1000000
#define RARE  4.42 /* a standard score exceeded once in 100,000 tries */

static AftVariate *variate_of(AftSpread spread)
{
    g_autoptr(GError) error = NULL;
    AftVariate *variate = aft_variate_new(&spread, &error);
    if (variate == NULL) {
        fail_msg("%s", error->message);
    }
    return variate;
}

static double lognormal_P(double x, const AftSpread *spread)
{
    double variance = log(1.0 + spread->cv * spread->cv);
    return gsl_cdf_lognormal_P(x, -0.5 * variance, sqrt(variance));
}

static double erlang_P(double x, const AftSpread *spread)
{
    return gsl_cdf_gamma_P(x, spread->shape, 1.0 / spread->shape);
}

static double weibull_P(double x, const AftSpread *spread)
{
    return gsl_cdf_weibull_P(x, 1.0 / tgamma(1.0 + 1.0 / spread->shape), spread->shape);
}

static double exponential_P(double x, G_GNUC_UNUSED const AftSpread *spread)
{
    return gsl_cdf_exponential_P(x, 1.0);
}

/* The squared coefficients of variation are worked by hand: Weibull 2 is Rayleigh's. */
static const struct {
    AftSpread spread;
    double (*P)(double x, const AftSpread *spread);
    double scv;
} continuous[] = {
    {{.kind = AFT_SPREAD_EXPONENTIAL}, exponential_P, 1.0},
    {{.kind = AFT_SPREAD_LOGNORMAL, .cv = 0.1}, lognormal_P, 0.01},
    {{.kind = AFT_SPREAD_LOGNORMAL, .cv = 0.6}, lognormal_P, 0.36},
    {{.kind = AFT_SPREAD_LOGNORMAL, .cv = 1.5}, lognormal_P, 2.25},
    {{.kind = AFT_SPREAD_ERLANG, .shape = 1}, erlang_P, 1.0},
    {{.kind = AFT_SPREAD_ERLANG, .shape = 3}, erlang_P, 1.0 / 3.0},
    {{.kind = AFT_SPREAD_ERLANG, .shape = 400}, erlang_P, 1.0 / 400.0},
    {{.kind = AFT_SPREAD_WEIBULL, .shape = 0.5}, weibull_P, 5.0},
    {{.kind = AFT_SPREAD_WEIBULL, .shape = 1.0}, weibull_P, 1.0},
    {{.kind = AFT_SPREAD_WEIBULL, .shape = 2.0}, weibull_P, 4.0 / G_PI - 1.0},
};

/* A mean of n draws has variance scv / n; that of the squared deviations is taken from the fourth
 * moment of the draws themselves. */
static void assert_sound(const AftSpread *spread, double scv,
                         double (*P)(double x, const AftSpread *spread))
{
    g_autoptr(AftVariate) variate = variate_of(*spread);
    AftStream stream;
    aft_stream_init(&stream, 1, 0, "test.variate", (guint32)(1000.0 * scv));
    Goodness goodness = {0};
    double sum = 0.0, squares = 0.0, fourths = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        double x = aft_variate_draw(variate, &stream);
        double square = (x - 1.0) * (x - 1.0);
        goodness_count(&goodness, P(x, spread));
        sum += x;
        squares += square;
        fourths += square * square;
    }
    assert_good(&goodness);
    assert_within(sum / DRAWS, 1.0, RARE * sqrt(scv / DRAWS));
    double variance = fourths / DRAWS - scv * scv;
    assert_within(squares / DRAWS, scv, RARE * sqrt(variance / DRAWS));
}

static void draws_follow_their_distribution_with_mean_one(void **state)
{
    (void)state;
    for (gsize i = 0; i < G_N_ELEMENTS(continuous); i++) {
        assert_sound(&continuous[i].spread, continuous[i].scv, continuous[i].P);
    }
}

static void variances_are_known(void **state)
{
    (void)state;
    for (gsize i = 0; i < G_N_ELEMENTS(continuous); i++) {
        g_autoptr(AftVariate) variate = variate_of(continuous[i].spread);
        assert_within(aft_variate_scv(variate), continuous[i].scv, 1e-14 * continuous[i].scv);
    }
}

/* Far below what a million draws can tell: the factor that makes a mean 1, for draws of which the
 * underlying one is known. Weibull 2 has mean sqrt(pi) / 2; cv^2 = e - 1 gives a deviation of 1. */
static void means_are_one_exactly(void **state)
{
    (void)state;
    g_autoptr(AftVariate) one = variate_of((AftSpread){.kind = AFT_SPREAD_WEIBULL, .shape = 1.0});
    g_autoptr(AftVariate) two = variate_of((AftSpread){.kind = AFT_SPREAD_WEIBULL, .shape = 2.0});
    g_autoptr(AftVariate) lognormal =
        variate_of((AftSpread){.kind = AFT_SPREAD_LOGNORMAL, .cv = sqrt(G_E - 1.0)});
    AftStream streams[5];
    for (gsize i = 0; i < G_N_ELEMENTS(streams); i++) {
        aft_stream_init(&streams[i], 1, 0, "test.means", 0);
    }
    for (int i = 0; i < 1000; i++) {
        double x = aft_stream_exponential(&streams[0]);
        assert_within(aft_variate_draw(one, &streams[1]), x, 1e-15 * x);
        double root = sqrt(x) * 2.0 / sqrt(G_PI);
        assert_within(aft_variate_draw(two, &streams[2]), root, 1e-15 * root);
        double power = exp(aft_stream_normal(&streams[3]) - 0.5);
        assert_within(aft_variate_draw(lognormal, &streams[4]), power, 1e-14 * power);
    }
}

static void a_deterministic_draw_costs_no_chance(void **state)
{
    (void)state;
    g_autoptr(AftVariate) variate = variate_of((AftSpread){.kind = AFT_SPREAD_DETERMINISTIC});
    AftStream stream = {{1, 2, 3, 4}}, same = stream;
    for (int i = 0; i < 10; i++) {
        assert_true(aft_variate_draw(variate, &stream) == 1.0);
    }
    assert_memory_equal(&stream, &same, sizeof same);
    assert_true(aft_variate_scv(variate) == 0.0);
}

/* Values 1, 2 and 5 (mean 8/3) become 3/8, 6/8 and 15/8. */
static void empirical_values_are_equally_likely_and_scaled(void **state)
{
    (void)state;
    double values[] = {1.0, 2.0, 5.0}, count[3] = {0}, sum = 0.0;
    g_autoptr(AftVariate) variate =
        variate_of((AftSpread){.kind = AFT_SPREAD_EMPIRICAL, .values = values, .n_values = 3});
    values[0] = values[1] = values[2] = 7.0; /* the variate has its own */
    AftStream stream;
    aft_stream_init(&stream, 1, 0, "test.empirical", 0);
    for (int i = 0; i < DRAWS; i++) {
        double x = aft_variate_draw(variate, &stream);
        assert_true(x == 0.375 || x == 0.75 || x == 1.875);
        count[x == 0.375 ? 0 : x == 0.75 ? 1 : 2] += 1.0;
    }
    for (int i = 0; i < 3; i++) {
        sum += pow(count[i] - DRAWS / 3.0, 2.0) / (DRAWS / 3.0);
    }
    assert_within(sum, 0.0, gsl_cdf_chisq_Qinv(0.001, 2.0));
    /* (25 + 4 + 49) / 64 / 3 */
    assert_within(aft_variate_scv(variate), 0.40625, 1e-15);
}

static void one_empirical_value_is_deterministic(void **state)
{
    (void)state;
    double value = 3e-4;
    g_autoptr(AftVariate) variate =
        variate_of((AftSpread){.kind = AFT_SPREAD_EMPIRICAL, .values = &value, .n_values = 1});
    AftStream stream = {{1, 2, 3, 4}};
    assert_true(aft_variate_draw(variate, &stream) == 1.0);
    assert_true(aft_variate_scv(variate) == 0.0);
}

/* A million stages: draws within 6 standard deviations of 1, where a sum would take a million
 * steps. */
static void many_stages_cost_no_more_than_one(void **state)
{
    (void)state;
    g_autoptr(AftVariate) variate =
        variate_of((AftSpread){.kind = AFT_SPREAD_ERLANG, .shape = 1e6});
    AftStream stream = {{1, 2, 3, 4}};
    for (int i = 0; i < 100000; i++) {
        assert_within(aft_variate_draw(variate, &stream), 1.0, 6e-3);
    }
}

static void parameters_out_of_range_are_refused(void **state)
{
    (void)state;
    double good = 1.0, zero[] = {1.0, 0.0}, nan_value = NAN, endless = INFINITY;
    const struct {
        AftSpread spread;
        const char *message;
    } cases[] = {
        {{.kind = AFT_SPREAD_LOGNORMAL, .cv = 0.0},
         "lognormal: expected a cv above 0, at most 100, got 0"},
        {{.kind = AFT_SPREAD_LOGNORMAL, .cv = -1.0},
         "lognormal: expected a cv above 0, at most 100, got -1"},
        {{.kind = AFT_SPREAD_LOGNORMAL, .cv = 101.0},
         "lognormal: expected a cv above 0, at most 100, got 101"},
        {{.kind = AFT_SPREAD_LOGNORMAL, .cv = NAN},
         "lognormal: expected a cv above 0, at most 100, got nan"},
        {{.kind = AFT_SPREAD_ERLANG, .shape = 0.0},
         "erlang: expected a whole shape from 1 to 1000000, got 0"},
        {{.kind = AFT_SPREAD_ERLANG, .shape = 2.5},
         "erlang: expected a whole shape from 1 to 1000000, got 2.5"},
        {{.kind = AFT_SPREAD_ERLANG, .shape = 1e7},
         "erlang: expected a whole shape from 1 to 1000000, got 1e+07"},
        {{.kind = AFT_SPREAD_ERLANG, .shape = NAN},
         "erlang: expected a whole shape from 1 to 1000000, got nan"},
        {{.kind = AFT_SPREAD_WEIBULL, .shape = 0.05},
         "weibull: expected a shape from 0.1 to 100, got 0.05"},
        {{.kind = AFT_SPREAD_WEIBULL, .shape = 200.0},
         "weibull: expected a shape from 0.1 to 100, got 200"},
        {{.kind = AFT_SPREAD_WEIBULL, .shape = NAN},
         "weibull: expected a shape from 0.1 to 100, got nan"},
        {{.kind = AFT_SPREAD_EMPIRICAL, .values = &good, .n_values = 0},
         "empirical: expected one or more values of finite sum, got 0"},
        {{.kind = AFT_SPREAD_EMPIRICAL, .values = NULL, .n_values = 0},
         "empirical: expected one or more values of finite sum, got 0"},
        {{.kind = AFT_SPREAD_EMPIRICAL, .values = &endless, .n_values = 1},
         "empirical: expected one or more values of finite sum, got inf"},
        {{.kind = AFT_SPREAD_EMPIRICAL, .values = zero, .n_values = 2},
         "empirical: expected values above 0, got 0"},
        {{.kind = AFT_SPREAD_EMPIRICAL, .values = &nan_value, .n_values = 1},
         "empirical: expected values above 0, got nan"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(aft_variate_new(&cases[i].spread, &error));
        assert_error(error, AFT_ERROR_RANGE, cases[i].message);
    }
}

static void extremes_of_the_ranges_stay_finite(void **state)
{
    (void)state;
    const AftSpread spreads[] = {
        {.kind = AFT_SPREAD_LOGNORMAL, .cv = 100.0}, {.kind = AFT_SPREAD_LOGNORMAL, .cv = 1e-9},
        {.kind = AFT_SPREAD_WEIBULL, .shape = 0.1},  {.kind = AFT_SPREAD_WEIBULL, .shape = 100.0},
        {.kind = AFT_SPREAD_ERLANG, .shape = 1.0},
    };
    AftStream stream = {{1, 2, 3, 4}};
    for (gsize i = 0; i < G_N_ELEMENTS(spreads); i++) {
        g_autoptr(AftVariate) variate = variate_of(spreads[i]);
        assert_true(isfinite(aft_variate_scv(variate)) && aft_variate_scv(variate) > 0.0);
        for (int j = 0; j < 100000; j++) {
            double x = aft_variate_draw(variate, &stream);
            assert_true(isfinite(x) && x >= 0.0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_follow_their_distribution_with_mean_one),
        cmocka_unit_test(variances_are_known),
        cmocka_unit_test(means_are_one_exactly),
        cmocka_unit_test(a_deterministic_draw_costs_no_chance),
        cmocka_unit_test(empirical_values_are_equally_likely_and_scaled),
        cmocka_unit_test(one_empirical_value_is_deterministic),
        cmocka_unit_test(many_stages_cost_no_more_than_one),
        cmocka_unit_test(parameters_out_of_range_are_refused),
        cmocka_unit_test(extremes_of_the_ranges_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
