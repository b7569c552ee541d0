/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"
#include <aftershock/stats/batches.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

/* Pieces (2, 1), (4, 1), (6, 1): R = 4, neighbours 2 apart, so every batch has variance 2 and R
 * 3 * 2 / 9, with 2 * 2^2 / (3 * 3 - 4) degrees of freedom. */
static void three_equal_batches_by_hand(void **state)
{
    (void)state;
    AftBatches batches;
    aft_batches_init(&batches);
    aft_batches_add(&batches, 2.0, 1.0, 1.0);
    aft_batches_add(&batches, 4.0, 1.0, 1.0);
    aft_batches_add(&batches, 6.0, 1.0, 1.0);
    assert_true(aft_batches_ratio(&batches) == 4.0);
    assert_within(aft_batches_half_width(&batches, 0.95),
                  gsl_cdf_tdist_Pinv(0.975, 1.6) * sqrt(2.0 / 3.0), 1e-9);
    assert_within(aft_batches_half_width(&batches, 0.999),
                  gsl_cdf_tdist_Pinv(0.9995, 1.6) * sqrt(2.0 / 3.0), 1e-9);
}

/* Ratios 6, 1.5 and 3 of sizes 1, 2 and 4, but measured 1, 2 and 1: R = 21 / 7. The squared
 * differences 20.25 and 2.25 divide 2 : 1 and 1 : 2, so the variances are 13.5, (6.75 + 4 * 0.75)
 * / 5 = 1.95 and 1.5; of R, by the squares of the sizes, (13.5 + 7.8 + 24) / 49. The sizes weigh
 * as 49 / 21 = 7/3 alike: 2 (4/3)^2 / (7 - 4) degrees of freedom. */
static void three_unequal_batches_by_hand(void **state)
{
    (void)state;
    AftBatches batches;
    aft_batches_init(&batches);
    aft_batches_add(&batches, 6.0, 1.0, 1.0);
    aft_batches_add(&batches, 3.0, 2.0, 1.0);
    aft_batches_add(&batches, 3.0, 1.0, 4.0); /* a weight counts a piece as often */
    assert_true(aft_batches_ratio(&batches) == 3.0);
    assert_within(aft_batches_half_width(&batches, 0.95),
                  gsl_cdf_tdist_Pinv(0.975, 32.0 / 27.0) * sqrt(45.3 / 49.0), 1e-9);
}

/* A hundred batches of noise 1 on a slope of 0.5 a batch: R is as sure as without the slope, by
 * sigma / sqrt(k) = 0.1 and t of 66 degrees of freedom, and chance in the estimate of sigma. */
static void drift_is_not_chance(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    AftBatches batches;
    aft_batches_init(&batches);
    for (int i = 0; i < 100; i++) {
        aft_batches_add(&batches, 0.5 * i + gsl_ran_gaussian_ziggurat(rng, 1.0), 1.0, 1.0);
    }
    assert_within(aft_batches_half_width(&batches, 0.95), 0.1997, 0.06);
    gsl_rng_free(rng);
}

static void nothing_is_known_too_early(void **state)
{
    (void)state;
    AftBatches batches;
    aft_batches_init(&batches);
    assert_true(isnan(aft_batches_ratio(&batches)));
    assert_true(isnan(aft_batches_half_width(&batches, 0.95)));
    aft_batches_add(&batches, 0.0, 0.0, 1.0); /* a window without an I/O */
    assert_true(isnan(aft_batches_ratio(&batches)));
    assert_true(isnan(aft_batches_half_width(&batches, 0.95)));
    aft_batches_add(&batches, 5.0, 2.0, 1.0);
    assert_true(aft_batches_ratio(&batches) == 2.5);
    assert_true(isnan(aft_batches_half_width(&batches, 0.95)));
    aft_batches_add(&batches, 5.0, 2.0, 1.0);
    assert_true(aft_batches_half_width(&batches, 0.95) == 0.0);
}

static void empty_batches_do_not_make_it_surer(void **state)
{
    (void)state;
    AftBatches batches;
    aft_batches_init(&batches);
    for (int i = 0; i < 3; i++) {
        aft_batches_add(&batches, 2.0 + 2.0 * i, 1.0, 1.0);
        aft_batches_add(&batches, 0.0, 0.0, 1.0);
        aft_batches_add(&batches, 9.0, 9.0, 0.0); /* no weight, no say */
    }
    assert_within(aft_batches_half_width(&batches, 0.95),
                  gsl_cdf_tdist_Pinv(0.975, 1.6) * sqrt(2.0 / 3.0), 1e-9);
}

/* Whole numbers add up without rounding, so no joining may lose or double a piece. */
static void joining_keeps_every_piece(void **state)
{
    (void)state;
    AftBatches batches;
    aft_batches_init(&batches);
    double numerator = 0.0, denominator = 0.0;
    for (guint pieces = 1; pieces <= 20000; pieces++) {
        double n = pieces % 7, d = 1 + pieces % 3, weight = 1 + pieces % 2;
        aft_batches_add(&batches, n, d, weight);
        numerator += weight * n;
        denominator += weight * d;
        assert_true(aft_batches_ratio(&batches) == numerator / denominator);
        assert_int_equal((batches.n - 1) * batches.joined + batches.filled, pieces);
        assert_true(batches.n <= AFT_BATCHES_MOST && batches.filled <= batches.joined);
        assert_true(batches.n > AFT_BATCHES_MOST / 2 || batches.joined == 1);
    }
    assert_int_equal(batches.joined, 256);
}

static void joined_batches_hold_neighbours(void **state)
{
    (void)state;
    AftBatches batches;
    aft_batches_init(&batches);
    for (int i = 0; i < 2 * AFT_BATCHES_MOST + 1; i++) {
        aft_batches_add(&batches, i, 1.0, 1.0);
    }
    assert_int_equal(batches.n, AFT_BATCHES_MOST / 2 + 1);
    assert_int_equal(batches.joined, 4);
    assert_true(batches.numerator[0] == 0 + 1 + 2 + 3 && batches.denominator[0] == 4.0);
    assert_true(batches.numerator[63] == 252 + 253 + 254 + 255);
    assert_true(batches.numerator[64] == 256.0 && batches.denominator[64] == 1.0);
}

/* How pieces come about: each fills @ret_numerator and @ret_denominator; the true ratio is 3. */
typedef void (*Process)(gsl_rng *rng, double *memory, double *ret_numerator,
                        double *ret_denominator);

static void independent(gsl_rng *rng, G_GNUC_UNUSED double *memory, double *ret_numerator,
                        double *ret_denominator)
{
    *ret_denominator = 1.0;
    *ret_numerator = 3.0 + gsl_ran_gaussian_ziggurat(rng, 2.0);
}

static void of_random_length(gsl_rng *rng, G_GNUC_UNUSED double *memory, double *ret_numerator,
                             double *ret_denominator)
{
    *ret_denominator = 0.5 + gsl_rng_uniform(rng);
    *ret_numerator = *ret_denominator * (3.0 + gsl_ran_gaussian_ziggurat(rng, 2.0));
}

static void with_a_memory(gsl_rng *rng, double *memory, double *ret_numerator,
                          double *ret_denominator)
{
    *memory = 0.5 * *memory + gsl_ran_gaussian_ziggurat(rng, 1.0);
    *ret_denominator = 1.0;
    *ret_numerator = 3.0 + *memory;
}

static gboolean covered(Process process, int pieces, double heaviest, gsl_rng *rng)
{
    AftBatches batches;
    aft_batches_init(&batches);
    double memory = gsl_ran_gaussian_ziggurat(rng, sqrt(4.0 / 3.0)); /* as in the long run */
    for (int i = 0; i < pieces; i++) {
        double numerator, denominator;
        process(rng, &memory, &numerator, &denominator);
        aft_batches_add(&batches, numerator, denominator,
                        1.0 + (heaviest - 1.0) * gsl_rng_uniform(rng));
    }
    return fabs(aft_batches_ratio(&batches) - 3.0) <= aft_batches_half_width(&batches, 0.95);
}

/* 95 % of 2,000 repeats has a standard deviation of 0.49 %; four of them on either side. With a
 * memory of 0.5, 32 joined pieces keep 98 % of the standard deviation of independent ones, which
 * costs half a percent of coverage; without joining it would be 74 %. */
static void intervals_cover_as_often_as_they_say(void **state)
{
    (void)state;
    static const struct {
        Process process;
        int pieces;
        double heaviest;
    } cases[] = {
        {independent, 2, 1.0},   {independent, 12, 1.0},        {independent, 100, 1.0},
        {independent, 300, 1.0}, {of_random_length, 40, 1.0},   {of_random_length, 1000, 1.0},
        {independent, 40, 10.0}, {of_random_length, 300, 10.0}, {with_a_memory, 2560, 1.0},
    };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        int hits = 0;
        for (int repeat = 0; repeat < 2000; repeat++) {
            hits += covered(cases[i].process, cases[i].pieces, cases[i].heaviest, rng);
        }
        assert_within(hits / 2000.0, 0.95, 0.02);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_equal_batches_by_hand),
        cmocka_unit_test(three_unequal_batches_by_hand),
        cmocka_unit_test(drift_is_not_chance),
        cmocka_unit_test(nothing_is_known_too_early),
        cmocka_unit_test(empty_batches_do_not_make_it_surer),
        cmocka_unit_test(joining_keeps_every_piece),
        cmocka_unit_test(joined_batches_hold_neighbours),
        cmocka_unit_test(intervals_cover_as_often_as_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
