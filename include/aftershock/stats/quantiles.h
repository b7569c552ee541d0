/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quantiles.h - how sure a simulated quantile is: by how much the share of observations beyond it
 * differs from batch to batch.
 *
 * Slow observations come together, when something is congested. So the quantile of all of them is
 * as uncertain as the share S that lies beyond it, which is a ratio with batches (batches.h): with
 * h half the width of the interval of S, the interval of the quantile goes from the (p - h) to the
 * (p + h) quantile (Woodruff 1952). Quantiles of single batches tell something else: one batch in
 * ten that is slow throughout moves the 99 % quantile of all, and hardly the mean of theirs; one
 * observation that hangs does the reverse.
 *
 * A batch remembers its observations in 64 buckets a power of two. Where a quantile lies inside of
 * one, the same part of it is taken to be beyond in each batch, give or take what chance makes of
 * that part, observation by observation.
 */
#pragma once

#include <aftershock/stats/batches.h>
#include <aftershock/stats/histogram.h>

/** How many buckets of a histogram are one here. */
#define AFT_QUANTILES_STEP    (1u << (AFT_HISTOGRAM_BITS - 6))
#define AFT_QUANTILES_BUCKETS (AFT_HISTOGRAM_BUCKETS / AFT_QUANTILES_STEP)

/** Observations beyond a quantile that tell how sure it is: with fewer, chance is too skewed. */
#define AFT_QUANTILES_LEAST 10.0

typedef struct {
    AftBatches batches;                                   /* whose denominators count */
    float count[AFT_BATCHES_MOST][AFT_QUANTILES_BUCKETS]; /* of the batches held, weighted */
} AftQuantiles;

/** Empties @quantiles; call this before the first use. */
void aft_quantiles_init(AftQuantiles *quantiles);

/** Adds the observations of one piece, times @weight (0 or more). */
void aft_quantiles_add(AftQuantiles *quantiles, const AftHistogram *piece, double weight);

/** Half the width, in ns, of the interval of the @p quantile (0 to 1, both out) at @confidence
 *  (likewise), which is the wider above the more skewed the tail is. @whole is the sum of all
 *  pieces, times their weights.
 *  NaN where little is known: with fewer than two batches that have observations, with fewer than
 *  AFT_QUANTILES_LEAST observations of one weight beyond the quantile or below it, and where the
 *  interval has no end among those seen. */
double aft_quantiles_half_width(const AftQuantiles *quantiles, const AftHistogram *whole, double p,
                                double confidence);
