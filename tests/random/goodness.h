/* SPDX-License-Identifier: GPL-3.0-or-later */
/* goodness.h - whether draws follow the distribution they claim.
 *
 * Draws go through the distribution function they should have, which makes them uniform in [0, 1],
 * and are counted in 4,096 equal cells. Kolmogorov and Smirnov's distance, taken at the borders of
 * the cells, sees a distribution that is shifted or stretched; Pearson's sum over 512 cells sees
 * one that is dented. Each may fail one sound generator in a thousand: seeds are fixed, so it
 * does so never or always.
 */
#pragma once

#include "test.h"
#include <gsl/gsl_cdf.h>

#define GOODNESS_CELLS 4096u
#define GOODNESS_DENTS 512u

typedef struct {
    double n;
    double cell[GOODNESS_CELLS];
} Goodness;

/* Counts one draw whose distribution function is @uniform. */
static inline void goodness_count(Goodness *goodness, double uniform)
{
    g_assert(uniform >= 0.0 && uniform <= 1.0);
    guint index = (guint)(uniform * GOODNESS_CELLS);
    goodness->cell[MIN(index, GOODNESS_CELLS - 1)] += 1.0;
    goodness->n += 1.0;
}

static inline double goodness_distance(const Goodness *goodness)
{
    double below = 0.0, distance = 0.0;
    for (guint i = 0; i < GOODNESS_CELLS; i++) {
        below += goodness->cell[i];
        distance = fmax(distance, fabs(below / goodness->n - (i + 1.0) / GOODNESS_CELLS));
    }
    return distance;
}

static inline double goodness_pearson(const Goodness *goodness)
{
    double expected = goodness->n / GOODNESS_DENTS, sum = 0.0;
    guint width = GOODNESS_CELLS / GOODNESS_DENTS;
    for (guint i = 0; i < GOODNESS_CELLS; i += width) {
        double found = 0.0;
        for (guint j = i; j < i + width; j++) {
            found += goodness->cell[j];
        }
        sum += (found - expected) * (found - expected) / expected;
    }
    return sum;
}

static inline void assert_good(const Goodness *goodness)
{
    /* 1.95 / sqrt(n) is exceeded with probability 2 exp(-2 * 1.95^2) = 0.001. */
    assert_within(goodness_distance(goodness), 0.0, 1.95 / sqrt(goodness->n));
    assert_within(goodness_pearson(goodness), 0.0, gsl_cdf_chisq_Qinv(0.001, GOODNESS_DENTS - 1.0));
}
