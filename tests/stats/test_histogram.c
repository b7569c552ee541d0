/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"
#include <aftershock/stats/histogram.h>
#include <aftershock/stats/packed.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <string.h>

#define BEYOND (G_GINT64_CONSTANT(1) << AFT_HISTOGRAM_EXPONENT) /* the first that overflows */

static const double shares[] = {0.0, 1e-4, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0};

static AftHistogram *histogram_of(const gint64 *values, gsize n)
{
    AftHistogram *histogram = aft_histogram_new();
    for (gsize i = 0; i < n; i++) {
        aft_histogram_record(histogram, values[i]);
    }
    return histogram;
}

static void an_empty_one_knows_nothing(void **state)
{
    (void)state;
    g_autoptr(AftHistogram) histogram = aft_histogram_new();
    for (gsize i = 0; i < G_N_ELEMENTS(shares); i++) {
        assert_true(isnan(aft_histogram_quantile(histogram, shares[i])));
    }
    assert_true(isnan(aft_histogram_mean(histogram)));
    aft_histogram_free(NULL);
}

/* Consecutive buckets take consecutive values, none is skipped, none is wider than 1/512 of what
 * is in it. */
static void buckets_tile_the_range(void **state)
{
    (void)state;
    gint64 first = 0; /* of the bucket at hand */
    for (guint index = 0; index < AFT_HISTOGRAM_BUCKETS; index++) {
        gint64 next = first + MAX(first >> 9, 1);
        if (next > 512) { /* widths are powers of two */
            gint64 width = G_GINT64_CONSTANT(1) << (63 - __builtin_clzll((guint64)first)) >> 9;
            next = first + width;
        }
        assert_int_equal(aft_histogram_index(first), index);
        assert_int_equal(aft_histogram_index(next - 1), index);
        first = next;
    }
    assert_true(first == BEYOND);
    assert_int_equal(aft_histogram_index(BEYOND), AFT_HISTOGRAM_BUCKETS - 1);
    assert_int_equal(aft_histogram_index(G_MAXINT64), AFT_HISTOGRAM_BUCKETS - 1);
}

static void one_value_is_every_quantile(void **state)
{
    (void)state;
    g_autoptr(AftHistogram) histogram = aft_histogram_new();
    for (double value = 0.0; value < (double)BEYOND; value = 1.0 + 1.017 * value) {
        gint64 value_ns = (gint64)value;
        aft_histogram_clear(histogram);
        aft_histogram_record(histogram, value_ns);
        for (gsize i = 0; i < G_N_ELEMENTS(shares); i++) {
            double tolerance = value_ns < 1024 ? 0.0 : (double)value_ns / 512.0;
            double found = aft_histogram_quantile(histogram, shares[i]);
            assert_within(found, (double)value_ns, tolerance);
            assert_true(found <= (double)value_ns); /* never above the largest */
        }
        assert_true(aft_histogram_quantile(histogram, 1.0) == (double)value_ns);
        assert_true(aft_histogram_mean(histogram) == (double)value_ns);
    }
}

/* The exact quantile: the smallest observation that at least a share @p is at or below. */
static double quantile_of_sorted(const double *sorted, gsize n, double p)
{
    gsize rank = (gsize)ceil(p * (double)n);
    return sorted[MAX(rank, 1) - 1];
}

static void assert_quantiles(const gint64 *values, gsize n)
{
    g_autoptr(AftHistogram) histogram = histogram_of(values, n);
    g_autofree double *sorted = g_new(double, n);
    for (gsize i = 0; i < n; i++) {
        sorted[i] = (double)values[i];
    }
    gsl_sort(sorted, 1, n);
    for (gsize i = 0; i < G_N_ELEMENTS(shares); i++) {
        double exact = quantile_of_sorted(sorted, n, shares[i]);
        assert_within(aft_histogram_quantile(histogram, shares[i]), exact, exact / 512.0);
    }
}

static void quantiles_are_near_over_the_whole_range(void **state)
{
    (void)state;
    enum { N = 100000 };
    g_autofree gint64 *values = g_new(gint64, N);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    for (double decades = 1.0; decades <= 13.0; decades += 2.0) {
        for (int i = 0; i < N; i++) {
            values[i] = (gint64)pow(10.0, decades * gsl_rng_uniform(rng));
        }
        assert_quantiles(values, N);
    }
    gsl_rng_free(rng);
}

/* Everything at one end of its bucket is the worst there is. */
static void quantiles_are_near_at_the_ends_of_buckets(void **state)
{
    (void)state;
    gint64 values[1000];
    for (int end = 0; end < 2; end++) {
        for (int i = 0; i < 1000; i++) {
            gint64 octave = G_GINT64_CONSTANT(1) << (10 + i / 40);
            values[i] = end == 0 ? octave : octave + (octave >> 9) - 1;
        }
        assert_quantiles(values, 1000);
    }
}

/* Evenly spread values that fill their buckets have known quantiles, met by interpolation inside
 * the bucket to the distance of two values, a thousandth of its width. */
static void even_values_are_interpolated(void **state)
{
    (void)state;
    const gint64 octave = G_GINT64_CONSTANT(1) << 20;
    g_autoptr(AftHistogram) histogram = aft_histogram_new();
    for (gint64 i = 0; i < octave; i++) {
        aft_histogram_record(histogram, octave + i);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(shares); i++) {
        double exact = (double)octave * (1.0 + shares[i]);
        assert_within(aft_histogram_quantile(histogram, shares[i]), exact, 1.0);
    }
    assert_true(aft_histogram_mean(histogram) == 1.5 * (double)octave - 0.5); /* exact */
}

static void values_of_zero_count(void **state)
{
    (void)state;
    const gint64 values[] = {0, 0, 0, 100};
    g_autoptr(AftHistogram) histogram = histogram_of(values, 4);
    assert_true(aft_histogram_quantile(histogram, 0.0) == 0.0);
    assert_true(aft_histogram_quantile(histogram, 0.75) == 0.0);
    assert_true(aft_histogram_quantile(histogram, 0.76) == 100.0);
    assert_true(aft_histogram_mean(histogram) == 25.0);
}

static void what_overflows_is_still_counted(void **state)
{
    (void)state;
    const gint64 values[] = {1000, BEYOND, 4 * BEYOND};
    g_autoptr(AftHistogram) histogram = histogram_of(values, 3);
    assert_true(histogram->count == 3.0);
    assert_true(histogram->bucket[AFT_HISTOGRAM_BUCKETS - 1] == 2.0);
    assert_true(aft_histogram_mean(histogram) == (1000.0 + 5.0 * (double)BEYOND) / 3.0);
    assert_true(aft_histogram_quantile(histogram, 0.2) == 1000.0);
    double median = aft_histogram_quantile(histogram, 0.5);
    assert_true(median > 0.99 * (double)BEYOND && median < 4.0 * (double)BEYOND);
    assert_true(aft_histogram_quantile(histogram, 1.0) == 4.0 * (double)BEYOND);
    gint64 last = G_MAXINT64;
    g_autoptr(AftHistogram) only = histogram_of(&last, 1);
    assert_true(aft_histogram_quantile(only, 1.0) == (double)G_MAXINT64);
}

static void a_weight_counts_as_often(void **state)
{
    (void)state;
    const gint64 few[] = {5, 700, 123456}, many[] = {90, 1000000, 1000000000};
    g_autoptr(AftHistogram) once = histogram_of(few, 3);
    g_autoptr(AftHistogram) other = histogram_of(many, 3);
    g_autoptr(AftHistogram) weighted = aft_histogram_new();
    aft_histogram_add(weighted, once, 1.0);
    aft_histogram_add(weighted, other, 3.0);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            aft_histogram_record(once, many[j]);
        }
    }
    assert_memory_equal(weighted, once, sizeof *once);
}

static void fractions_of_a_weight_add_up(void **state)
{
    (void)state;
    const gint64 low = 100, high = 1000;
    g_autoptr(AftHistogram) a = histogram_of(&low, 1);
    g_autoptr(AftHistogram) b = histogram_of(&high, 1);
    g_autoptr(AftHistogram) sum = aft_histogram_new();
    for (int i = 0; i < 10; i++) {
        aft_histogram_add(sum, a, 0.1); /* ten tenths are not quite one */
        aft_histogram_add(sum, b, 0.3);
    }
    assert_within(sum->count, 4.0, 1e-14);
    assert_within(aft_histogram_mean(sum), 775.0, 1e-11);
    assert_true(aft_histogram_quantile(sum, 0.24) == 100.0);
    assert_true(aft_histogram_quantile(sum, 0.26) == 1000.0);
    assert_true(aft_histogram_quantile(sum, 1.0) == 1000.0);
}

/* Sums of weights are rounded, so the parts fall short of the whole, or exceed it: where the last
 * part is small, by much of its size. */
static void rounding_leads_nowhere_beyond_the_largest(void **state)
{
    (void)state;
    const gint64 low = 1000, high = (G_GINT64_CONSTANT(1) << 41) - 1; /* the end of a bucket */
    g_autoptr(AftHistogram) a = histogram_of(&low, 1);
    g_autoptr(AftHistogram) b = histogram_of(&high, 1);
    g_autoptr(AftHistogram) sum = aft_histogram_new();
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    for (int i = 0; i < 200; i++) {
        aft_histogram_add(sum, a, gsl_rng_uniform(rng));
        aft_histogram_add(sum, b, 1e-6 * gsl_rng_uniform(rng));
        assert_within(aft_histogram_quantile(sum, 1.0), (double)high, (double)high / 512.0);
        assert_true(aft_histogram_quantile(sum, 1.0) <= (double)high);
    }
    gsl_rng_free(rng);
}

/* 16 buckets a step: values no more than 1/32 apart, none twice, none left out. */
static void steps_have_all_values_once(void **state)
{
    (void)state;
    const gint64 values[] = {0, 15, 16, 1000000, 1000001, 1050000, 2000000000, 1};
    g_autoptr(AftHistogram) histogram = histogram_of(values, G_N_ELEMENTS(values));
    const struct {
        double least_ns, count;
    } expected[] = {{15, 3}, {16, 1}, {1000001, 2}, {1050000, 1}, {2e9, 1}};
    AftHistogramStep step;
    guint at = 0;
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        assert_true(aft_histogram_step(histogram, 16, &at, &step));
        assert_true(step.upper_ns >= expected[i].least_ns);
        assert_true(step.upper_ns <= expected[i].least_ns * (1.0 + 1.0 / 32.0) + 15.0);
        assert_within(step.count, expected[i].count, 0.0);
    }
    assert_within(step.upper_ns, 2e9, 0.0); /* the largest that was seen */
    assert_false(aft_histogram_step(histogram, 16, &at, &step));
}

static void an_empty_one_has_no_steps(void **state)
{
    (void)state;
    g_autoptr(AftHistogram) histogram = aft_histogram_new();
    AftHistogramStep step;
    guint at = 0;
    assert_false(aft_histogram_step(histogram, 16, &at, &step));
}

static void no_weight_adds_nothing(void **state)
{
    (void)state;
    const gint64 value = 1000, larger = 5000;
    g_autoptr(AftHistogram) histogram = histogram_of(&value, 1);
    g_autoptr(AftHistogram) same = histogram_of(&value, 1);
    g_autoptr(AftHistogram) other = histogram_of(&larger, 1);
    g_autoptr(AftHistogram) empty = aft_histogram_new();
    aft_histogram_add(histogram, other, 0.0);
    aft_histogram_add(histogram, empty, 5.0);
    assert_memory_equal(histogram, same, sizeof *same);
}

static void clearing_leaves_an_empty_one(void **state)
{
    (void)state;
    const gint64 value = 1000;
    g_autoptr(AftHistogram) histogram = histogram_of(&value, 1);
    g_autoptr(AftHistogram) empty = aft_histogram_new();
    aft_histogram_clear(histogram);
    assert_memory_equal(histogram, empty, sizeof *empty);
}

static void packed_it_adds_the_same(void **state)
{
    (void)state;
    static const gint64 values[] = {0, 3, 3, 900, 12345, 12346, 7777777, BEYOND, BEYOND + 5};
    g_autoptr(AftHistogram) histogram = histogram_of(values, G_N_ELEMENTS(values));
    g_autoptr(AftHistogram) plain = histogram_of(values, 4);
    g_autoptr(AftHistogram) through = histogram_of(values, 4);
    g_autoptr(AftPackedHistogram) packed = aft_histogram_pack(histogram);
    assert_true(packed->n < G_N_ELEMENTS(values));
    aft_histogram_add(plain, histogram, 0.3);
    aft_histogram_add_packed(through, packed, 0.3);
    assert_memory_equal(plain, through, sizeof *plain);
    aft_histogram_add_packed(through, packed, 0.0);
    assert_memory_equal(plain, through, sizeof *plain);
}

static void packed_nothing_is_nothing(void **state)
{
    (void)state;
    g_autoptr(AftHistogram) empty = aft_histogram_new();
    g_autoptr(AftHistogram) other = aft_histogram_new();
    g_autoptr(AftPackedHistogram) packed = aft_histogram_pack(empty);
    assert_int_equal(packed->n, 0);
    aft_histogram_add_packed(other, packed, 1.0);
    assert_memory_equal(empty, other, sizeof *empty);
    aft_packed_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_one_knows_nothing),
        cmocka_unit_test(buckets_tile_the_range),
        cmocka_unit_test(one_value_is_every_quantile),
        cmocka_unit_test(quantiles_are_near_over_the_whole_range),
        cmocka_unit_test(quantiles_are_near_at_the_ends_of_buckets),
        cmocka_unit_test(even_values_are_interpolated),
        cmocka_unit_test(values_of_zero_count),
        cmocka_unit_test(what_overflows_is_still_counted),
        cmocka_unit_test(a_weight_counts_as_often),
        cmocka_unit_test(fractions_of_a_weight_add_up),
        cmocka_unit_test(rounding_leads_nowhere_beyond_the_largest),
        cmocka_unit_test(steps_have_all_values_once),
        cmocka_unit_test(an_empty_one_has_no_steps),
        cmocka_unit_test(no_weight_adds_nothing),
        cmocka_unit_test(clearing_leaves_an_empty_one),
        cmocka_unit_test(packed_it_adds_the_same),
        cmocka_unit_test(packed_nothing_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
