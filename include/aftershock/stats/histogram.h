/* SPDX-License-Identifier: GPL-3.0-or-later */
/* histogram.h - latencies in log-linear buckets: a quantile to 0.2 %, from 1 ns to almost 5 hours.
 *
 * Each power of two is cut into 512 equal buckets, so no two values of a bucket are further apart
 * than 1/512; below 1024 ns each has a bucket of its own. Counts are doubles because a window that
 * stands for a minute is added with the weight of that minute. Sum and count are exact while below
 * 2^53, so the mean has no bucket error.
 */
#pragma once

#include <glib.h>

#define AFT_HISTOGRAM_BITS     9  /* 2^9 buckets a power of two */
#define AFT_HISTOGRAM_EXPONENT 44 /* from 2^44 ns on, values share the last bucket */
#define AFT_HISTOGRAM_BUCKETS \
    ((AFT_HISTOGRAM_EXPONENT - AFT_HISTOGRAM_BITS + 1) << AFT_HISTOGRAM_BITS)

typedef struct {
    double count;      /* observations, weighted */
    double sum_ns;     /* weighted */
    gint64 largest_ns; /* the largest seen, whatever its weight */
    double bucket[AFT_HISTOGRAM_BUCKETS];
} AftHistogram;

/** Returns: (transfer full): an empty histogram. */
AftHistogram *aft_histogram_new(void);

void aft_histogram_free(AftHistogram *histogram);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftHistogram, aft_histogram_free)

/** Empties @histogram. */
void aft_histogram_clear(AftHistogram *histogram);

/** The bucket of @value_ns (0 or more); values beyond the last bucket go into it. */
static inline guint aft_histogram_index(gint64 value_ns)
{
    guint64 value = (guint64)value_ns;
    if (value < (1u << AFT_HISTOGRAM_BITS)) {
        return (guint)value;
    }
    guint exponent = 63 - (guint)__builtin_clzll(value);
    guint shift = exponent - AFT_HISTOGRAM_BITS;
    guint index = ((shift + 1) << AFT_HISTOGRAM_BITS) +
                  (guint)((value >> shift) & ((1u << AFT_HISTOGRAM_BITS) - 1));
    return MIN(index, AFT_HISTOGRAM_BUCKETS - 1);
}

/** Counts one observation of @value_ns, 0 or more. */
static inline void aft_histogram_record(AftHistogram *histogram, gint64 value_ns)
{
    histogram->bucket[aft_histogram_index(value_ns)] += 1.0;
    histogram->count += 1.0;
    histogram->sum_ns += (double)value_ns;
    histogram->largest_ns = MAX(histogram->largest_ns, value_ns);
}

/** Adds @weight (0 or more) times the observations of @other; 0 adds nothing at all. */
void aft_histogram_add(AftHistogram *histogram, const AftHistogram *other, double weight);

/** Buckets beside each other, taken together, that have anything in them. */
typedef struct {
    double upper_ns; /* the largest value that is one of them, and that was seen */
    double count;
} AftHistogramStep;

/** Steps through @histogram, @width (a power of two, at most 512) buckets at a time: a step's
 * values lie within @width / 512 of each other. @at is 0 at first, and tells where the next step
 * begins. Returns: FALSE when nothing is left. */
gboolean aft_histogram_step(const AftHistogram *histogram, guint width, guint *at,
                            AftHistogramStep *ret_step);

/** The mean in ns; NaN when empty. */
double aft_histogram_mean(const AftHistogram *histogram);

/** The value in ns below which a share @p (0 to 1) of the observations lies, interpolated inside
 *  its bucket and never above the largest seen; NaN when empty. */
double aft_histogram_quantile(const AftHistogram *histogram, double p);
