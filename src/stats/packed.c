/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/stats/packed.h>

G_STATIC_ASSERT(AFT_HISTOGRAM_BUCKETS <= G_MAXUINT16);

static guint buckets_in_use(const AftHistogram *histogram)
{
    guint n = 0;
    for (guint i = 0; i < AFT_HISTOGRAM_BUCKETS; i++) {
        n += histogram->bucket[i] != 0.0;
    }
    return n;
}

AftPackedHistogram *aft_histogram_pack(const AftHistogram *histogram)
{
    AftPackedHistogram *packed = g_new0(AftPackedHistogram, 1);
    guint n = buckets_in_use(histogram);
    packed->count = histogram->count;
    packed->sum_ns = histogram->sum_ns;
    packed->largest_ns = histogram->largest_ns;
    packed->index = g_new(guint16, n);
    packed->weight = g_new(double, n);
    for (guint i = 0; i < AFT_HISTOGRAM_BUCKETS; i++) {
        if (histogram->bucket[i] != 0.0) {
            packed->index[packed->n] = (guint16)i;
            packed->weight[packed->n++] = histogram->bucket[i];
        }
    }
    return packed;
}

void aft_packed_free(AftPackedHistogram *packed)
{
    if (packed != NULL) {
        g_free(packed->index);
        g_free(packed->weight);
        g_free(packed);
    }
}

void aft_histogram_add_packed(AftHistogram *histogram, const AftPackedHistogram *packed,
                              double weight)
{
    g_assert(weight >= 0.0);
    if (weight == 0.0 || packed->count == 0.0) {
        return;
    }
    histogram->count += weight * packed->count;
    histogram->sum_ns += weight * packed->sum_ns;
    histogram->largest_ns = MAX(histogram->largest_ns, packed->largest_ns);
    for (guint i = 0; i < packed->n; i++) {
        histogram->bucket[packed->index[i]] += weight * packed->weight[i];
    }
}
