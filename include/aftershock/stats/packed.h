/* SPDX-License-Identifier: GPL-3.0-or-later */
/* packed.h - a histogram that is kept and not added to: its buckets in use, 10 bytes each. */
#pragma once

#include <aftershock/stats/histogram.h>

typedef struct {
    double count;      /* as of AftHistogram */
    double sum_ns;     /* as well */
    gint64 largest_ns; /* as well */
    guint n;           /* buckets in use */
    guint16 *index;    /* of each, rising */
    double *weight;    /* of each */
} AftPackedHistogram;

/** Returns: (transfer full): what is in @histogram. */
AftPackedHistogram *aft_histogram_pack(const AftHistogram *histogram);

/** Accepts NULL. */
void aft_packed_free(AftPackedHistogram *packed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftPackedHistogram, aft_packed_free)

/** As aft_histogram_add() of the histogram that was packed, to the last bit. */
void aft_histogram_add_packed(AftHistogram *histogram, const AftPackedHistogram *packed,
                              double weight);
