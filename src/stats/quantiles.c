/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/stats/quantiles.h>
#include <math.h>
#include <string.h>

void aft_quantiles_init(AftQuantiles *quantiles)
{
    aft_batches_init(&quantiles->batches);
}

/* As the batches were. */
static void join_pairs(AftQuantiles *quantiles)
{
    for (guint i = 0; i < AFT_BATCHES_MOST / 2; i++) {
        const double *first = quantiles->count[2 * i], *second = quantiles->count[2 * i + 1];
        for (guint bucket = 0; bucket < AFT_QUANTILES_BUCKETS; bucket++) {
            quantiles->count[i][bucket] = first[bucket] + second[bucket];
        }
    }
}

void aft_quantiles_add(AftQuantiles *quantiles, const AftHistogram *piece, double weight)
{
    AftBatches *batches = &quantiles->batches;
    guint n = batches->n, joined = batches->joined;
    aft_batches_add(batches, 0.0, piece->count, weight);
    double *count = quantiles->count[batches->n - 1];
    if (batches->joined != joined) {
        join_pairs(quantiles);
    }
    if (batches->n != n) {
        memset(count, 0, sizeof(quantiles->count[0]));
    }
    AftHistogramStep step;
    for (guint at = 0; aft_histogram_step(piece, AFT_QUANTILES_STEP, &at, &step);) {
        count[at / AFT_QUANTILES_STEP - 1] += weight * step.count;
    }
}

static double count_beyond(const double *count, guint bucket)
{
    double beyond = 0.0;
    for (guint i = bucket + 1; i < AFT_QUANTILES_BUCKETS; i++) {
        beyond += count[i];
    }
    return beyond;
}

/* The part of @bucket that makes @wanted observations lie beyond a quantile in it. */
static double part_beyond(const AftQuantiles *quantiles, guint bucket, double wanted)
{
    double beyond = 0.0, inside = 0.0;
    for (guint i = 0; i < quantiles->batches.n; i++) {
        beyond += count_beyond(quantiles->count[i], bucket);
        inside += quantiles->count[i][bucket];
    }
    return inside > 0.0 ? CLAMP((wanted - beyond) / inside, 0.0, 1.0) : 0.0;
}

double aft_quantiles_half_width(const AftQuantiles *quantiles, const AftHistogram *whole, double p,
                                double confidence)
{
    g_assert(p > 0.0 && p < 1.0);
    AftBatches beyond = quantiles->batches;
    gint64 quantile_ns = whole->count > 0.0 ? (gint64)aft_histogram_quantile(whole, p) : 0;
    guint bucket = aft_histogram_index(quantile_ns) / AFT_QUANTILES_STEP;
    double part = part_beyond(quantiles, bucket, (1.0 - p) * whole->count);
    for (guint i = 0; i < beyond.n; i++) {
        const double *count = quantiles->count[i];
        beyond.numerator[i] = count_beyond(count, bucket) + part * count[bucket];
    }
    double half = aft_batches_half_width(&beyond, confidence);
    return isnan(half) ? NAN
                       : (aft_histogram_quantile(whole, fmin(p + half, 1.0)) -
                          aft_histogram_quantile(whole, fmax(p - half, 0.0))) /
                             2.0;
}
