/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of quantiles hold the true one as often as they say, also where slow observations come
 * together. */
#include "test.h"

#include <aftershock/stats/quantiles.h>

enum { REPEATS = 400, PIECES = 100, OBSERVATIONS = 50 };

#define SLOW_PIECES 0.2 /* the share of them that are three times as slow throughout */
#define SLOWNESS    3.0
#define MEAN_NS     1e6
#define CONFIDENCE  0.95

/* The share of observations beyond @value_ns. */
static double share_beyond(double value_ns)
{
    double x = value_ns / MEAN_NS;
    return SLOW_PIECES * exp(-x / SLOWNESS) + (1.0 - SLOW_PIECES) * exp(-x);
}

static double true_quantile_ns(double p)
{
    double low = 0.0, high = 100.0 * MEAN_NS;
    while (high - low > 1.0) {
        double middle = 0.5 * (low + high);
        *(share_beyond(middle) > 1.0 - p ? &low : &high) = middle;
    }
    return low;
}

/* A piece of time: all of its latencies are exponential, of one mean. */
static void draw_piece(GRand *rand, guint n, AftHistogram *ret_piece)
{
    double mean = g_rand_double(rand) < SLOW_PIECES ? SLOWNESS * MEAN_NS : MEAN_NS;
    aft_histogram_clear(ret_piece);
    for (guint i = 0; i < n; i++) {
        aft_histogram_record(ret_piece, (gint64)(-log1p(-g_rand_double(rand)) * mean));
    }
}

/* Of pieces that stand for @weight times as long in one half of the time. */
static void draw(GRand *rand, guint pieces, double weight, AftQuantiles *quantiles,
                 AftHistogram *whole)
{
    g_autoptr(AftHistogram) piece = aft_histogram_new();
    aft_quantiles_init(quantiles);
    aft_histogram_clear(whole);
    for (guint i = 0; i < pieces; i++) {
        double times = i < pieces / 2 ? 1.0 : weight;
        draw_piece(rand, OBSERVATIONS, piece);
        aft_quantiles_add(quantiles, piece, times);
        aft_histogram_add(whole, piece, times);
    }
}

/* How often the interval of the @p quantile holds the true one. */
static double coverage(double p, guint pieces, double weight)
{
    g_autofree AftQuantiles *quantiles = g_new(AftQuantiles, 1);
    g_autoptr(AftHistogram) whole = aft_histogram_new();
    g_autoptr(GRand) rand = g_rand_new_with_seed(20261202);
    double truth_ns = true_quantile_ns(p);
    guint held = 0;
    for (guint i = 0; i < REPEATS; i++) {
        draw(rand, pieces, weight, quantiles, whole);
        double half_ns = aft_quantiles_half_width(quantiles, whole, p, CONFIDENCE);
        held += fabs(aft_histogram_quantile(whole, p) - truth_ns) <= half_ns ? 1 : 0;
    }
    return (double)held / REPEATS;
}

/* A standard error of the coverage is 1.1 %; slow pieces are few, which costs some 1 %. */
static void they_hold_as_often_as_they_say(void **state G_GNUC_UNUSED)
{
    assert_within(coverage(0.50, PIECES, 1.0), 0.95, 0.03);
    assert_within(coverage(0.95, PIECES, 1.0), 0.95, 0.03);
    assert_within(coverage(0.99, PIECES, 1.0), 0.95, 0.03);
}

static void pieces_may_stand_for_more_than_others(void **state G_GNUC_UNUSED)
{
    assert_within(coverage(0.95, PIECES, 2.0), 0.95, 0.03);
}

/* Joined, pieces are fewer and longer, and tell the same. */
static void more_pieces_than_batches_are_joined(void **state G_GNUC_UNUSED)
{
    assert_within(coverage(0.99, 2 * AFT_BATCHES_MOST + 3, 1.0), 0.95, 0.03);
}

/* Batches and their buckets are joined alike. */
static void joining_loses_nothing(void **state G_GNUC_UNUSED)
{
    g_autofree AftQuantiles *quantiles = g_new(AftQuantiles, 1);
    g_autoptr(AftHistogram) whole = aft_histogram_new();
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    draw(rand, 3 * AFT_BATCHES_MOST + 5, 2.0, quantiles, whole);
    double total = 0.0;
    for (guint i = 0; i < quantiles->batches.n; i++) {
        double batch = 0.0;
        for (guint bucket = 0; bucket < AFT_QUANTILES_BUCKETS; bucket++) {
            batch += quantiles->count[i][bucket];
        }
        assert_within(batch, quantiles->batches.denominator[i], 1e-6 * batch);
        total += batch;
    }
    assert_within(total, whole->count, 1e-9 * total);
}

/* One I/O that hangs for a minute says nothing of where 99 % end. */
static void one_that_hangs_makes_nothing_unsure(void **state G_GNUC_UNUSED)
{
    g_autofree AftQuantiles *quantiles = g_new(AftQuantiles, 1);
    g_autoptr(AftHistogram) whole = aft_histogram_new();
    g_autoptr(AftHistogram) piece = aft_histogram_new();
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    draw(rand, PIECES, 1.0, quantiles, whole);
    double before_ns = aft_quantiles_half_width(quantiles, whole, 0.99, CONFIDENCE);
    draw_piece(rand, OBSERVATIONS, piece);
    aft_histogram_record(piece, G_GINT64_CONSTANT(60000000000));
    aft_quantiles_add(quantiles, piece, 1.0);
    aft_histogram_add(whole, piece, 1.0);
    assert_within(aft_quantiles_half_width(quantiles, whole, 0.99, CONFIDENCE), before_ns,
                  0.5 * before_ns);
}

static void few_pieces_have_none(void **state G_GNUC_UNUSED)
{
    g_autofree AftQuantiles *quantiles = g_new(AftQuantiles, 1);
    g_autoptr(AftHistogram) whole = aft_histogram_new();
    g_autoptr(AftHistogram) empty = aft_histogram_new();
    g_autoptr(GRand) rand = g_rand_new_with_seed(3);
    aft_quantiles_init(quantiles);
    assert_true(isnan(aft_quantiles_half_width(quantiles, whole, 0.5, CONFIDENCE)));
    draw(rand, 1, 1.0, quantiles, whole);
    aft_quantiles_add(quantiles, empty, 1.0);
    assert_true(isnan(aft_quantiles_half_width(quantiles, whole, 0.5, CONFIDENCE)));
    draw(rand, 2, 1.0, quantiles, whole);
    assert_true(aft_quantiles_half_width(quantiles, whole, 0.5, CONFIDENCE) > 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_hold_as_often_as_they_say),
        cmocka_unit_test(pieces_may_stand_for_more_than_others),
        cmocka_unit_test(more_pieces_than_batches_are_joined),
        cmocka_unit_test(joining_loses_nothing),
        cmocka_unit_test(one_that_hangs_makes_nothing_unsure),
        cmocka_unit_test(few_pieces_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
