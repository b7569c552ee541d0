/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batches.h - how sure a simulated mean is: batch means of a ratio.
 *
 * Everything a run reports is a ratio of two sums over time: latency per I/O, I/Os per second,
 * bytes per second. Cut time into batches long enough to be nearly independent, remember both
 * sums of each, and Student's t gives the interval of the ratio of the totals:
 *
 *     R = N / D,   r_i = n_i / d_i,   var(R) = sum d_i^2 s_i^2 / D^2
 *
 * A phase drifts: what is lost becomes less, what is owed more. Drift is not chance, so s_i^2, the
 * variance of one batch, is taken from how batches differ from their neighbours, each getting its
 * part of the squared difference by how little was measured of it (half, if they are alike: von
 * Neumann 1941), and not from how they differ from R. That has 2 (k - 1)^2 / (3 k - 4) degrees of
 * freedom, where k batches of one size would weigh as much.
 *
 * Batches may differ in length and weight. Memory is bounded: when AFT_BATCHES_MOST are held,
 * neighbours are joined in pairs, so batches grow longer instead of more.
 */
#pragma once

#include <glib.h>

#define AFT_BATCHES_MOST 128

typedef struct {
    guint n;      /* batches held, the one that is being filled included */
    guint joined; /* how many added pieces the batches in front stand for; a power of two */
    guint filled; /* how many pieces the batch that is being filled holds so far */
    double numerator[AFT_BATCHES_MOST];
    double denominator[AFT_BATCHES_MOST];
    double squared[AFT_BATCHES_MOST]; /* of denominators, with the square of their weights */
} AftBatches;

/** Empties @batches; zeroed memory needs joined = 1, so call this before the first use. */
void aft_batches_init(AftBatches *batches);

/** Adds one piece: @numerator and @denominator (0 or more) as measured, times @weight. */
void aft_batches_add(AftBatches *batches, double numerator, double denominator, double weight);

/** N / D; NaN while D is 0. */
double aft_batches_ratio(const AftBatches *batches);

/** Half the width of the interval that holds the true ratio with probability @confidence (0 to 1,
 *  both out); NaN with fewer than two batches of positive denominator. */
double aft_batches_half_width(const AftBatches *batches, double confidence);
