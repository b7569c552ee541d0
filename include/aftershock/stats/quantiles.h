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
 * A batch remembers its observations in eight buckets a power of two, and what is beyond a quantile
 * inside of one is taken to be the same part of it in all batches.
 */
#pragma once

#include <aftershock/stats/batches.h>
#include <aftershock/stats/histogram.h>

/** How many buckets of a histogram are one here. */
#define AFT_QUANTILES_STEP    (1u << (AFT_HISTOGRAM_BITS - 3))
#define AFT_QUANTILES_BUCKETS (AFT_HISTOGRAM_BUCKETS / AFT_QUANTILES_STEP)

typedef struct {
    AftBatches batches;                                    /* whose denominators count */
    double count[AFT_BATCHES_MOST][AFT_QUANTILES_BUCKETS]; /* of the batches held, weighted */
} AftQuantiles;

/** Empties @quantiles; call this before the first use. */
void aft_quantiles_init(AftQuantiles *quantiles);

/** Adds the observations of one piece, times @weight. */
void aft_quantiles_add(AftQuantiles *quantiles, const AftHistogram *piece, double weight);

/** Half the width, in ns, of the interval that holds the true quantile of @p (0 to 1, both out)
 *  with probability @confidence (likewise); @whole is the sum of all pieces, times their weights.
 *  NaN with fewer than two batches that have observations. */
double aft_quantiles_half_width(const AftQuantiles *quantiles, const AftHistogram *whole, double p,
                                double confidence);
