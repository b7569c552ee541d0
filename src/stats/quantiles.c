/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/stats/quantiles.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

void aft_quantiles_init(AftQuantiles *quantiles)
{
    aft_batches_init(&quantiles->batches);
}

/* All batches were held when they became half as many. */
static void join_pairs(AftQuantiles *quantiles)
{
    for (guint i = 0; i < AFT_BATCHES_MOST / 2; i++) {
        const float *first = quantiles->count[2 * i], *second = quantiles->count[2 * i + 1];
        for (guint bucket = 0; bucket < AFT_QUANTILES_BUCKETS; bucket++) {
            quantiles->count[i][bucket] = first[bucket] + second[bucket];
        }
    }
}

/* Adds a piece to the batches, which are joined in pairs if need be before another is opened.
 * Returns: the counts of the batch that is being filled. */
static float *fill_batch(AftQuantiles *quantiles, double observations, double weight)
{
    AftBatches *batches = &quantiles->batches;
    guint n = batches->n, joined = batches->joined;
    aft_batches_add(batches, 0.0, observations, weight);
    if (batches->joined != joined) {
        join_pairs(quantiles);
    }
    float *count = quantiles->count[batches->n - 1];
    if (batches->n != n) {
        memset(count, 0, sizeof(quantiles->count[0]));
    }
    return count;
}

void aft_quantiles_add(AftQuantiles *quantiles, const AftHistogram *piece, double weight)
{
    float *count = fill_batch(quantiles, piece->count, weight);
    AftHistogramStep step;
    for (guint at = 0; aft_histogram_step(piece, AFT_QUANTILES_STEP, &at, &step);) {
        count[at / AFT_QUANTILES_STEP - 1] += (float)(weight * step.count);
    }
}

/* What lies in and beyond the bucket of a quantile. */
typedef struct {
    double part;       /* of what is in it lies beyond the quantile */
    double chance;     /* variance of how many that are, from theirs alone */
    AftBatches beyond; /* ratios: the share of each batch */
} Tail;

static double beyond(const float *count, guint bucket, guint end)
{
    double n = 0.0;
    for (guint i = bucket + 1; i < end; i++) {
        n += count[i];
    }
    return n;
}

/* Looks beyond the quantile in @bucket that @wanted observations are to be beyond; there are none
 * from bucket @end on. */
static void look(const AftQuantiles *quantiles, guint bucket, guint end, double wanted, Tail *tail)
{
    AftBatches *batches = &tail->beyond;
    double inside = 0.0;
    *batches = quantiles->batches;
    for (guint i = 0; i < batches->n; i++) {
        batches->numerator[i] = beyond(quantiles->count[i], bucket, end);
        wanted -= batches->numerator[i];
        inside += quantiles->count[i][bucket];
    }
    tail->part = inside > 0.0 ? CLAMP(wanted / inside, 0.0, 1.0) : 0.0;
    tail->chance = 0.0;
    for (guint i = 0; i < batches->n; i++) {
        double count = quantiles->count[i][bucket], size = batches->denominator[i];
        double weight = size > 0.0 ? batches->squared[i] / size : 0.0;
        batches->numerator[i] += tail->part * count;
        tail->chance += weight * count * tail->part * (1.0 - tail->part);
    }
}

/* As if all had one weight, how many observations say as much. */
static double effective(const AftBatches *batches)
{
    double size = 0.0, squared = 0.0;
    for (guint i = 0; i < batches->n; i++) {
        size += batches->denominator[i];
        squared += batches->squared[i];
    }
    return squared > 0.0 ? size * size / squared : 0.0;
}

double aft_quantiles_half_width(const AftQuantiles *quantiles, const AftHistogram *whole, double p,
                                double confidence)
{
    g_assert(p > 0.0 && p < 1.0);
    if (MIN(p, 1.0 - p) * effective(&quantiles->batches) < AFT_QUANTILES_LEAST) {
        return NAN;
    }
    gint64 quantile_ns = (gint64)aft_histogram_quantile(whole, p);
    guint bucket = aft_histogram_index(quantile_ns) / AFT_QUANTILES_STEP;
    guint end = aft_histogram_index(whole->largest_ns) / AFT_QUANTILES_STEP + 1;
    Tail tail;
    look(quantiles, bucket, end, (1.0 - p) * whole->count, &tail);
    double chance = sqrt(tail.chance) / whole->count;
    double half = hypot(aft_batches_half_width(&tail.beyond, confidence),
                        chance * gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * confidence));
    if (isnan(half) || p - half <= 0.0 || p + half >= 1.0) {
        return NAN;
    }
    return 0.5 *
           (aft_histogram_quantile(whole, p + half) - aft_histogram_quantile(whole, p - half));
}
