/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/stats/histogram.h>
#include <math.h>
#include <string.h>

#define LAST (AFT_HISTOGRAM_BUCKETS - 1)

AftHistogram *aft_histogram_new(void)
{
    return g_new0(AftHistogram, 1);
}

void aft_histogram_free(AftHistogram *histogram)
{
    g_free(histogram);
}

void aft_histogram_clear(AftHistogram *histogram)
{
    memset(histogram, 0, sizeof *histogram);
}

void aft_histogram_add(AftHistogram *histogram, const AftHistogram *other, double weight)
{
    g_assert(weight >= 0.0);
    if (weight == 0.0 || other->count == 0.0) {
        return;
    }
    histogram->count += weight * other->count;
    histogram->sum_ns += weight * other->sum_ns;
    histogram->largest_ns = MAX(histogram->largest_ns, other->largest_ns);
    guint end = aft_histogram_index(other->largest_ns) + 1; /* nothing lies above the largest */
    for (guint i = 0; i < end; i++) {
        histogram->bucket[i] += weight * other->bucket[i];
    }
}

double aft_histogram_mean(const AftHistogram *histogram)
{
    return histogram->count > 0.0 ? histogram->sum_ns / histogram->count : NAN;
}

/* The smallest value of bucket @index. */
static double smallest_of(guint index)
{
    guint shift = index >> AFT_HISTOGRAM_BITS;
    if (shift == 0) {
        return index;
    }
    guint mantissa = (1u << AFT_HISTOGRAM_BITS) + (index & ((1u << AFT_HISTOGRAM_BITS) - 1));
    return ldexp(mantissa, (int)shift - 1);
}

/* The largest value of bucket @index that was seen. */
static double largest_of(const AftHistogram *histogram, guint index)
{
    double largest = (double)histogram->largest_ns;
    return index == LAST ? largest : fmin(smallest_of(index + 1) - 1.0, largest);
}

gboolean aft_histogram_step(const AftHistogram *histogram, guint width, guint *at,
                            AftHistogramStep *ret_step)
{
    g_assert(width > 0 && (1u << AFT_HISTOGRAM_BITS) % width == 0);
    guint end = aft_histogram_index(histogram->largest_ns) + 1;
    for (; *at < end && histogram->count > 0.0; *at += width) {
        double count = 0.0;
        for (guint i = *at; i < MIN(*at + width, end); i++) {
            count += histogram->bucket[i];
        }
        if (count > 0.0) {
            *ret_step = (AftHistogramStep){largest_of(histogram, MIN(*at + width, end) - 1), count};
            *at += width;
            return TRUE;
        }
    }
    return FALSE;
}

/* Finds the bucket that observation number @rank (0 to count) lies in, and sets @rank to its number
 * in there. Rounding in a sum of weights must not lead beyond the last bucket in use. */
static guint find_rank(const AftHistogram *histogram, double *rank)
{
    guint index = 0, end = aft_histogram_index(histogram->largest_ns);
    while (index < end && (histogram->bucket[index] == 0.0 || *rank > histogram->bucket[index])) {
        *rank -= histogram->bucket[index++];
    }
    return index;
}

double aft_histogram_quantile(const AftHistogram *histogram, double p)
{
    g_assert(p >= 0.0 && p <= 1.0);
    if (histogram->count == 0.0) {
        return NAN;
    }
    double rank = p * histogram->count;
    guint index = find_rank(histogram, &rank);
    double share = fmin(rank / histogram->bucket[index], 1.0);
    double smallest = smallest_of(index);
    return smallest + share * (largest_of(histogram, index) - smallest);
}
