/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "goodness.h"
#include <aftershock/random/stream.h>
#include <gsl/gsl_randist.h>
#include <limits.h>
#include <string.h>

#define DRAWS 1000000

/* A standard score that a sound generator exceeds once in 100,000 tries. */
#define RARE 4.42

static AftStream stream_of(const char *purpose)
{
    AftStream stream;
    aft_stream_init(&stream, 1, 0, purpose, 0);
    return stream;
}

/* The first outputs of the authors' own xoshiro256plusplus.c from the state 1, 2, 3, 4. */
static void bits_are_those_of_xoshiro256plusplus(void **state)
{
    (void)state;
    static const guint64 published[] = {
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205u,
        9973669472204895162u,
        14011001112246962877u,
        12406186145184390807u,
        15849039046786891736u,
        10450023813501588000u,
    };
    AftStream stream = {{1, 2, 3, 4}};
    for (gsize i = 0; i < G_N_ELEMENTS(published); i++) {
        assert_true(aft_stream_bits(&stream) == published[i]);
    }
}

/* Philox4x64-10 of {replication, index, 0, 0} under {seed, FNV-1a of the purpose}, worked out by
 * another implementation. A release that changes these changes every result. */
static void a_name_has_the_same_start_for_ever(void **state)
{
    (void)state;
    const guint64 named[4] = {0x0bf2c70b59a2fd50, 0xa4b3ad69c8730036, 0xfaa0fe1646c0ab0b,
                              0xee75f75068de232b};
    const guint64 bare[4] = {0x14b4c6f9f4098036, 0x8753ccbd19c6c548, 0x854307b80fae20bd,
                             0x8d7e88ed2f6dc0fa};
    AftStream stream;
    aft_stream_init(&stream, 42, 7, "vm.arrival", 3);
    assert_memory_equal(stream.word, named, sizeof named);
    aft_stream_init(&stream, 1, 0, "", 0);
    assert_memory_equal(stream.word, bare, sizeof bare);
}

static void every_part_of_a_name_counts(void **state)
{
    (void)state;
    AftStream streams[5];
    aft_stream_init(&streams[0], 1, 0, "vm.arrival", 0);
    aft_stream_init(&streams[1], 2, 0, "vm.arrival", 0);
    aft_stream_init(&streams[2], 1, 1, "vm.arrival", 0);
    aft_stream_init(&streams[3], 1, 0, "vm.arrivam", 0);
    aft_stream_init(&streams[4], 1, 0, "vm.arrival", 1);
    for (gsize i = 0; i < G_N_ELEMENTS(streams); i++) {
        for (gsize j = 0; j < i; j++) {
            assert_memory_not_equal(&streams[i], &streams[j], sizeof(AftStream));
        }
    }
}

static void one_stream_does_not_shift_another(void **state)
{
    (void)state;
    double alone[100], together[100];
    AftStream stream = stream_of("mine");
    for (int i = 0; i < 100; i++) {
        alone[i] = aft_stream_exponential(&stream);
    }
    AftStream before, after;
    aft_stream_init(&before, 1, 0, "other", 5);
    aft_stream_init(&stream, 1, 0, "mine", 0);
    aft_stream_init(&after, 1, 0, "mine", 1);
    for (int i = 0; i < 100; i++) {
        aft_stream_normal(&before);
        together[i] = aft_stream_exponential(&stream);
        aft_stream_bits(&after);
    }
    assert_memory_equal(alone, together, sizeof alone);
}

static double identity(double x)
{
    return x;
}

static double exponential_P(double x)
{
    return -expm1(-x);
}

static double normal_P(double x)
{
    return 0.5 * erfc(-x * G_SQRT2 / 2.0);
}

static double uniform_draw(AftStream *stream)
{
    return aft_stream_uniform(stream);
}

static double exponential_draw(AftStream *stream)
{
    return aft_stream_exponential(stream);
}

static double normal_draw(AftStream *stream)
{
    return aft_stream_normal(stream);
}

/* Moments 1 to 8 about 0. The mean of n k-th powers has variance (m_2k - m_k^2) / n. */
static const struct {
    const char *purpose;
    double (*draw)(AftStream *stream);
    double (*P)(double x);
    double moment[9];
} distributions[] = {
    {"test.uniform",
     uniform_draw,
     identity,
     {1, 1.0 / 2, 1.0 / 3, 1.0 / 4, 1.0 / 5, 1.0 / 6, 1.0 / 7, 1.0 / 8, 1.0 / 9}},
    {"test.exponential", exponential_draw, exponential_P, {1, 1, 2, 6, 24, 120, 720, 5040, 40320}},
    {"test.normal", normal_draw, normal_P, {1, 0, 1, 0, 3, 0, 15, 0, 105}},
};

static void draws_follow_their_distribution(void **state)
{
    (void)state;
    for (gsize d = 0; d < G_N_ELEMENTS(distributions); d++) {
        AftStream stream = stream_of(distributions[d].purpose);
        Goodness goodness = {0};
        for (int i = 0; i < DRAWS; i++) {
            goodness_count(&goodness, distributions[d].P(distributions[d].draw(&stream)));
        }
        assert_good(&goodness);
    }
}

static void draws_have_their_moments(void **state)
{
    (void)state;
    for (gsize d = 0; d < G_N_ELEMENTS(distributions); d++) {
        AftStream stream = stream_of(distributions[d].purpose);
        double sum[5] = {0};
        for (int i = 0; i < DRAWS; i++) {
            double x = distributions[d].draw(&stream), power = 1.0;
            for (int k = 1; k <= 4; k++) {
                sum[k] += power *= x;
            }
        }
        const double *moment = distributions[d].moment;
        for (int k = 1; k <= 4; k++) {
            double variance = (moment[2 * k] - moment[k] * moment[k]) / DRAWS;
            assert_within(sum[k] / DRAWS, moment[k], RARE * sqrt(variance));
        }
    }
}

/* Pearson's sum for @n equally likely cells: chi-square of n - 1 degrees. */
static double pearson_of_even(const double *cell, int n)
{
    double total = 0.0, sum = 0.0;
    for (int i = 0; i < n; i++) {
        total += cell[i];
    }
    for (int i = 0; i < n; i++) {
        sum += (cell[i] - total / n) * (cell[i] - total / n) / (total / n);
    }
    return sum;
}

/* The classical flaw of a ziggurat: bits that choose the layer are used again for the place in it.
 * Bits 4 to 7 of both, for draws that the table decided, must fill 256 cells evenly. */
static void the_place_in_a_layer_is_independent_of_the_layer(void **state)
{
    (void)state;
    AftStream stream = stream_of("test.layers"), ahead = stream;
    double cell[16][16] = {0}, sum = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        guint layer = aft_stream_bits(&ahead) % AFT_ZIGGURAT_LAYERS;
        double x = aft_stream_exponential(&stream);
        if (memcmp(&stream, &ahead, sizeof ahead) == 0) { /* one word was enough */
            guint64 place = (guint64)(x / aft_ziggurat_exponential.edge[layer] * 0x1p53);
            cell[layer >> 4][(place >> 4) % 16] += 1.0;
        }
        ahead = stream;
    }
    for (int row = 0; row < 16; row++) { /* rows differ by their corners, their cells do not */
        sum += pearson_of_even(cell[row], 16);
    }
    assert_within(sum, 0.0, gsl_cdf_chisq_Qinv(0.001, 16.0 * 15.0));
}

static void whole_numbers_are_equally_likely(void **state)
{
    (void)state;
    AftStream stream = stream_of("test.below");
    double count[6] = {0};
    for (int i = 0; i < DRAWS; i++) {
        guint64 face = aft_stream_below(&stream, 6);
        assert_true(face < 6);
        count[face] += 1.0;
        assert_true(aft_stream_below(&stream, 1) == 0);
    }
    assert_within(pearson_of_even(count, 6), 0.0, gsl_cdf_chisq_Qinv(0.001, 5.0));
    assert_true(aft_stream_below(&stream, G_MAXUINT64) > G_MAXUINT32); /* all bits in use */
}

/* The correlation of n independent pairs has standard deviation 1 / sqrt(n). */
static void assert_uncorrelated(AftStream a, AftStream b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += (aft_stream_uniform(&a) - 0.5) * (aft_stream_uniform(&b) - 0.5);
    }
    assert_within(12.0 * sum / n, 0.0, RARE / sqrt(n));
}

static void neighbouring_streams_are_uncorrelated(void **state)
{
    (void)state;
    for (guint32 i = 0; i < 16; i++) {
        AftStream own, next_index, next_replication, next_seed;
        aft_stream_init(&own, i, i, "vm.arrival", i);
        aft_stream_init(&next_index, i, i, "vm.arrival", i + 1);
        aft_stream_init(&next_replication, i, i + 1, "vm.arrival", i);
        aft_stream_init(&next_seed, i + 1, i, "vm.arrival", i);
        assert_uncorrelated(own, next_index, 20000);
        assert_uncorrelated(own, next_replication, 20000);
        assert_uncorrelated(own, next_seed, 20000);
    }
}

/* What many components draw first must be as good as what one draws in a row. */
static void first_draws_of_neighbours_are_a_good_sequence(void **state)
{
    (void)state;
    Goodness goodness = {0};
    double before = 0.5, sum = 0.0;
    for (guint32 i = 0; i < 300000; i++) {
        AftStream stream;
        aft_stream_init(&stream, 1, 0, "vm.arrival", i);
        double first = aft_stream_uniform(&stream);
        goodness_count(&goodness, first);
        sum += (first - 0.5) * (before - 0.5);
        before = first;
    }
    assert_good(&goodness);
    assert_within(12.0 * sum / 300000.0, 0.0, RARE / sqrt(300000.0));
}

static int compare_bits(const void *a, const void *b)
{
    guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
    return (x > y) - (x < y);
}

/* Streams that ran into each other would repeat 64-bit outputs by the hundred; among 300,000
 * independent ones a single repetition has probability 2.4e-9. */
static void streams_do_not_overlap(void **state)
{
    (void)state;
    enum { STREAMS = 300, LENGTH = 1000 };
    g_autofree guint64 *bits = g_new(guint64, STREAMS * LENGTH);
    for (guint32 i = 0; i < STREAMS; i++) {
        AftStream stream;
        aft_stream_init(&stream, 1, i % 3, "vm.arrival", i / 3);
        for (guint32 j = 0; j < LENGTH; j++) {
            bits[i * LENGTH + j] = aft_stream_bits(&stream);
        }
    }
    qsort(bits, STREAMS * LENGTH, sizeof *bits, compare_bits);
    for (guint32 i = 1; i < STREAMS * LENGTH; i++) {
        assert_true(bits[i] != bits[i - 1]);
    }
}

static void gsl_draws_from_the_same_stream(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(aft_stream_gsl_type);
    assert_true(gsl_rng_min(rng) == 0 && gsl_rng_max(rng) == ULONG_MAX);
    assert_int_equal(gsl_rng_size(rng), sizeof(AftStream));
    AftStream stream;
    aft_stream_init(&stream, 99, 0, "gsl", 0);
    gsl_rng_set(rng, 99);
    for (int i = 0; i < 1000; i++) {
        assert_true(gsl_rng_get(rng) == aft_stream_bits(&stream));
        assert_true(gsl_rng_uniform(rng) == aft_stream_uniform(&stream));
    }
    assert_memory_equal(gsl_rng_state(rng), &stream, sizeof stream);
    gsl_rng_free(rng);
}

static void distributions_of_gsl_work_on_a_stream(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(aft_stream_gsl_type);
    aft_stream_init(gsl_rng_state(rng), 1, 0, "test.gsl", 0);
    Goodness gumbel = {0}, whole = {0};
    for (int i = 0; i < 300000; i++) {
        goodness_count(&gumbel, gsl_cdf_gumbel1_P(gsl_ran_gumbel1(rng, 1.0, 1.0), 1.0, 1.0));
        unsigned long below = gsl_rng_uniform_int(rng, ULONG_MAX);
        goodness_count(&whole, (double)below * 0x1p-64);
    }
    assert_good(&gumbel);
    assert_good(&whole);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_those_of_xoshiro256plusplus),
        cmocka_unit_test(a_name_has_the_same_start_for_ever),
        cmocka_unit_test(every_part_of_a_name_counts),
        cmocka_unit_test(one_stream_does_not_shift_another),
        cmocka_unit_test(draws_follow_their_distribution),
        cmocka_unit_test(draws_have_their_moments),
        cmocka_unit_test(the_place_in_a_layer_is_independent_of_the_layer),
        cmocka_unit_test(whole_numbers_are_equally_likely),
        cmocka_unit_test(neighbouring_streams_are_uncorrelated),
        cmocka_unit_test(first_draws_of_neighbours_are_a_good_sequence),
        cmocka_unit_test(streams_do_not_overlap),
        cmocka_unit_test(gsl_draws_from_the_same_stream),
        cmocka_unit_test(distributions_of_gsl_work_on_a_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
