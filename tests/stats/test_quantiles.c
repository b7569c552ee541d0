/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of quantiles hold the true one as often as they say: of long tails and of short ones,
 * and also where slow observations come together. */
#include "test.h"

#include <aftershock/stats/quantiles.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

enum { REPEATS = 400, PIECES = 100, OBSERVATIONS = 50 };

#define CONFIDENCE 0.95
/* A standard error of the coverage is 1.1 %. */
#define TOLERANCE 0.03

/* Where latencies come from: those of a piece have a mean of their own. */
typedef struct Source {
    gint64 (*draw)(const struct Source *source, gsl_rng *rng, double piece);
    double (*draw_piece)(const struct Source *source, gsl_rng *rng);
    double scatter, between; /* of a narrow source: in and between pieces, of the mean */
} Source;

/* Exponential; one piece in five is three times as slow. */
#define SLOW_PIECES 0.2
#define SLOWNESS    3.0
#define MEAN_NS     1e6

static double draw_slowness(const Source *source G_GNUC_UNUSED, gsl_rng *rng)
{
    return gsl_rng_uniform(rng) < SLOW_PIECES ? SLOWNESS : 1.0;
}

static gint64 draw_exponential(const Source *source G_GNUC_UNUSED, gsl_rng *rng, double piece)
{
    return (gint64)gsl_ran_exponential(rng, piece * MEAN_NS);
}

static const Source mixed = {draw_exponential, draw_slowness, 0.0, 0.0};

static double share_beyond(double value_ns)
{
    double x = value_ns / MEAN_NS;
    return SLOW_PIECES * exp(-x / SLOWNESS) + (1.0 - SLOW_PIECES) * exp(-x);
}

static double mixed_quantile_ns(double p)
{
    double low = 0.0, high = 100.0 * MEAN_NS;
    while (high - low > 1.0) {
        double middle = 0.5 * (low + high);
        *(share_beyond(middle) > 1.0 - p ? &low : &high) = middle;
    }
    return low;
}

/* Normal around 5 ms, and so are the means of pieces. */
#define NARROW_NS 5e6

static double draw_mean(const Source *source, gsl_rng *rng)
{
    return 1.0 + gsl_ran_gaussian(rng, source->between);
}

static gint64 draw_normal(const Source *source, gsl_rng *rng, double piece)
{
    return (gint64)(NARROW_NS * (piece + gsl_ran_gaussian(rng, source->scatter)));
}

static double narrow_quantile_ns(const Source *source, double p)
{
    double deviation = hypot(source->scatter, source->between);
    return NARROW_NS * (1.0 + gsl_cdf_ugaussian_Pinv(p) * deviation);
}

/* What is made of draws, again and again. */
typedef struct {
    gsl_rng *rng;
    AftHistogram *piece, *whole;
    AftQuantiles *quantiles;
} Bench;

static void bench_init(Bench *bench)
{
    *bench = (Bench){gsl_rng_alloc(gsl_rng_mt19937), aft_histogram_new(), aft_histogram_new(),
                     g_new(AftQuantiles, 1)};
    gsl_rng_set(bench->rng, 20261202);
}

static void bench_clear(Bench *bench)
{
    gsl_rng_free(bench->rng);
    aft_histogram_free(bench->piece);
    aft_histogram_free(bench->whole);
    g_free(bench->quantiles);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Bench, bench_clear)

static void begin(Bench *bench)
{
    aft_quantiles_init(bench->quantiles);
    aft_histogram_clear(bench->whole);
}

static void add_piece(Bench *bench, double weight)
{
    aft_quantiles_add(bench->quantiles, bench->piece, weight);
    aft_histogram_add(bench->whole, bench->piece, weight);
}

static void draw_piece(Bench *bench, const Source *source, guint observations)
{
    double piece = source->draw_piece(source, bench->rng);
    aft_histogram_clear(bench->piece);
    for (guint i = 0; i < observations; i++) {
        aft_histogram_record(bench->piece, source->draw(source, bench->rng, piece));
    }
}

static void draw(Bench *bench, const Source *source, guint pieces, const double *weights,
                 guint n_weights)
{
    begin(bench);
    for (guint i = 0; i < pieces; i++) {
        draw_piece(bench, source, OBSERVATIONS);
        add_piece(bench, weights[i % n_weights]);
    }
}

static double half_width(const Bench *bench, double p)
{
    return aft_quantiles_half_width(bench->quantiles, bench->whole, p, CONFIDENCE);
}

static const double alike[] = {1.0};
static const double unlike[] = {1.0, 2.0, 0.0, 1.5};

/* How often the interval of the @p quantile holds the true one. */
static double coverage_of(const Source *source, double p, double truth_ns, guint pieces,
                          const double *weights, guint n_weights)
{
    g_auto(Bench) bench;
    guint held = 0;
    bench_init(&bench);
    for (guint i = 0; i < REPEATS; i++) {
        draw(&bench, source, pieces, weights, n_weights);
        double error_ns = fabs(aft_histogram_quantile(bench.whole, p) - truth_ns);
        held += error_ns <= half_width(&bench, p) ? 1 : 0;
    }
    return (double)held / REPEATS;
}

static double coverage(double p, guint pieces)
{
    return coverage_of(&mixed, p, mixed_quantile_ns(p), pieces, alike, 1);
}

static void they_hold_as_often_as_they_say(void **state G_GNUC_UNUSED)
{
    assert_within(coverage(0.50, PIECES), CONFIDENCE, TOLERANCE);
    assert_within(coverage(0.95, PIECES), CONFIDENCE, TOLERANCE);
    assert_within(coverage(0.99, PIECES), CONFIDENCE, TOLERANCE);
}

/* Latencies that all lie in a few buckets, by themselves and with pieces that differ. */
static void of_narrow_sources_they_do_too(void **state G_GNUC_UNUSED)
{
    static const double p[] = {0.5, 0.99};
    static const double scatters[] = {0.01, 0.02, 0.05};
    for (guint i = 0; i < G_N_ELEMENTS(scatters) * G_N_ELEMENTS(p); i++) {
        double scatter = scatters[i / G_N_ELEMENTS(p)], at = p[i % G_N_ELEMENTS(p)];
        const Source source = {draw_normal, draw_mean, scatter, i % 4 < 2 ? 0.0 : 0.5 * scatter};
        double truth_ns = narrow_quantile_ns(&source, at);
        assert_within(coverage_of(&source, at, truth_ns, PIECES, alike, 1), CONFIDENCE, TOLERANCE);
    }
}

static void pieces_may_stand_for_more_than_others(void **state G_GNUC_UNUSED)
{
    double truth_ns = mixed_quantile_ns(0.95);
    assert_within(coverage_of(&mixed, 0.95, truth_ns, 2 * PIECES, unlike, G_N_ELEMENTS(unlike)),
                  CONFIDENCE, TOLERANCE);
}

/* Joined, pieces are fewer and longer, and tell the same. */
static void more_pieces_than_batches_are_joined(void **state G_GNUC_UNUSED)
{
    assert_within(coverage(0.99, 2 * AFT_BATCHES_MOST + 3), CONFIDENCE, TOLERANCE);
}

/* Batches and their buckets are joined alike, whole numbers to the last digit. */
static void joining_loses_nothing(void **state G_GNUC_UNUSED)
{
    g_auto(Bench) bench;
    bench_init(&bench);
    begin(&bench);
    for (guint i = 0; i < 3 * AFT_BATCHES_MOST + 5; i++) {
        draw_piece(&bench, &mixed, i % 50);
        add_piece(&bench, 1.0 + i % 3);
    }
    for (guint i = 0; i < bench.quantiles->batches.n; i++) {
        double batch = 0.0;
        for (guint bucket = 0; bucket < AFT_QUANTILES_BUCKETS; bucket++) {
            batch += (double)bench.quantiles->count[i][bucket];
        }
        assert_true(batch == bench.quantiles->batches.denominator[i]);
    }
}

/* How long an I/O hangs says nothing of where 99 % end. */
static void one_that_hangs_makes_nothing_unsure(void **state G_GNUC_UNUSED)
{
    double half_ns[2];
    for (guint i = 0; i < 2; i++) {
        g_auto(Bench) bench;
        bench_init(&bench);
        draw(&bench, &mixed, PIECES, alike, 1);
        draw_piece(&bench, &mixed, OBSERVATIONS);
        aft_histogram_record(bench.piece, (gint64)(i == 0 ? 100.0 * MEAN_NS : 60e9));
        add_piece(&bench, 1.0);
        half_ns[i] = half_width(&bench, 0.99);
    }
    assert_true(half_ns[0] > 0.0 && half_ns[0] == half_ns[1]);
}

static void where_little_is_known_there_is_none(void **state G_GNUC_UNUSED)
{
    g_auto(Bench) bench;
    bench_init(&bench);
    begin(&bench);
    assert_true(isnan(half_width(&bench, 0.5)));
    draw_piece(&bench, &mixed, 10 * OBSERVATIONS);
    add_piece(&bench, 1.0);
    assert_true(isnan(half_width(&bench, 0.5))); /* one batch */
    draw(&bench, &mixed, 10, alike, 1);
    assert_true(half_width(&bench, 0.5) > 0.0);
    assert_true(isnan(half_width(&bench, 0.99))); /* five are beyond */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_hold_as_often_as_they_say),
        cmocka_unit_test(of_narrow_sources_they_do_too),
        cmocka_unit_test(pieces_may_stand_for_more_than_others),
        cmocka_unit_test(more_pieces_than_batches_are_joined),
        cmocka_unit_test(joining_loses_nothing),
        cmocka_unit_test(one_that_hangs_makes_nothing_unsure),
        cmocka_unit_test(where_little_is_known_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
