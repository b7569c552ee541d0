/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include <aftershock/import/lives.h>
#include <aftershock/random/stream.h>

/* Garwood's intervals as tables have them, in one year. */
static void counts_have_exact_intervals(void **state)
{
    (void)state;
    static const struct {
        guint64 failures;
        double low, high;
    } cases[] = {{0, 0.0, 3.68888}, {1, 0.0253178, 5.57164}, {10, 4.79539, 18.3904}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        AftInterval interval;
        assert_within(aft_lives_rate(cases[i].failures, 2.0, &interval),
                      (double)cases[i].failures / 2.0, 1e-12);
        assert_within(interval.low, cases[i].low / 2.0, 1e-4);
        assert_within(interval.high, cases[i].high / 2.0, 1e-4);
    }
}

enum { DRIVES = 4000 };

/* A fleet whose drives are 0 to @oldest hours old and are watched for a year: those that died
 * before are not in it, and most are alive at its end. */
static void draw(AftLife *lives, double shape, double mean_hours, double oldest, AftStream *stream)
{
    double scale = mean_hours / tgamma(1.0 + 1.0 / shape);
    for (guint i = 0; i < DRIVES;) {
        double life = scale * pow(aft_stream_exponential(stream), 1.0 / shape);
        double entry = oldest * aft_stream_uniform(stream);
        if (life <= entry) {
            continue; /* never seen */
        }
        double left = entry + 8760.0;
        lives[i++] = (AftLife){entry, MIN(life, left), life <= left};
    }
}

static gboolean covers(const AftInterval *interval, double value)
{
    return interval->low <= value && value <= interval->high;
}

/* Of 40 fits at 95 %, 38 should cover, with a deviation of 1.4: fewer than 33 are one case in
 * 2,000. */
static void recover(double shape, double mean_hours)
{
    g_autofree AftLife *lives = g_new(AftLife, DRIVES);
    guint shapes = 0, means = 0;
    for (guint i = 0; i < 40; i++) {
        AftStream stream;
        AftWeibull fit;
        aft_stream_init(&stream, 7, i, "test.lives", 0);
        draw(lives, shape, mean_hours, 40000.0, &stream);
        assert_true(aft_lives_fit(lives, DRIVES, &fit));
        shapes += covers(&fit.shape_interval, shape) ? 1 : 0;
        means += covers(&fit.mean_hours_interval, mean_hours) ? 1 : 0;
        assert_true(covers(&fit.shape_interval, fit.shape));
        assert_true(covers(&fit.mean_hours_interval, fit.mean_hours));
    }
    if (shapes < 33 || means < 33) {
        print_error("shape %g: %u of shapes covered, %u of means\n", shape, shapes, means);
    }
    assert_true(shapes >= 33);
    assert_true(means >= 33);
}

static void wear_is_recovered(void **state)
{
    (void)state;
    recover(2.5, 60000.0);
}

static void early_deaths_are_recovered(void **state)
{
    (void)state;
    recover(0.7, 300000.0);
}

static void no_ageing_is_recovered(void **state)
{
    (void)state;
    recover(1.0, 200000.0);
}

/* All of life seen, of 1 to 5 hours: the likeliest shape k solves
 * 1/k + mean(ln x) = sum(x^k ln x) / sum(x^k), and the scale is the mean of x^k to 1/k. */
static void complete_lives_have_the_known_fit(void **state)
{
    (void)state;
    AftLife lives[5];
    AftWeibull fit;
    for (guint i = 0; i < 5; i++) {
        lives[i] = (AftLife){0.0, i + 1.0, TRUE};
    }
    assert_true(aft_lives_fit(lives, 5, &fit));
    double k = fit.shape, sum = 0.0, logs = 0.0, both = 0.0;
    for (guint i = 1; i <= 5; i++) {
        sum += pow(i, k);
        both += pow(i, k) * log(i);
        logs += log(i) / 5.0;
    }
    assert_within(1.0 / k + logs, both / sum, 1e-5); /* the table between shapes is that fine */
    assert_within(fit.mean_hours, pow(sum / 5.0, 1.0 / k) * tgamma(1.0 + 1.0 / k), 1e-5);
}

static void too_little_is_no_fit(void **state)
{
    (void)state;
    AftLife lives[20];
    AftWeibull fit;
    for (guint i = 0; i < 20; i++) {
        lives[i] = (AftLife){10.0 * i, 10.0 * i + 100.0, i < 4};
    }
    assert_false(aft_lives_fit(lives, 0, &fit));
    assert_false(aft_lives_fit(lives, 20, &fit));
    for (guint i = 0; i < 20; i++) {
        lives[i] = (AftLife){0.0, 1000.0, TRUE}; /* at once: the steeper, the likelier */
    }
    assert_false(aft_lives_fit(lives, 20, &fit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_have_exact_intervals),
        cmocka_unit_test(wear_is_recovered),
        cmocka_unit_test(early_deaths_are_recovered),
        cmocka_unit_test(no_ageing_is_recovered),
        cmocka_unit_test(complete_lives_have_the_known_fit),
        cmocka_unit_test(too_little_is_no_fit),
    };
    return cmocka_run_group_tests_name("import/lives", tests, NULL, NULL);
}
