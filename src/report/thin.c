/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "thin.h"

#include <math.h>

AftThinning aft_thinning(guint n_rows, guint most)
{
    g_assert(most >= 2);
    return (AftThinning){n_rows, n_rows <= most ? n_rows : most - most % 2};
}

static gboolean is_whole(const AftThinning *thinning)
{
    return thinning->n_kept == thinning->n_rows;
}

/* The first row of @bucket, in 64 bits since the product may be large. */
static guint bucket_start(const AftThinning *thinning, guint bucket)
{
    return (guint)((guint64)thinning->n_rows * bucket / (thinning->n_kept / 2));
}

guint aft_thinning_row(const AftThinning *thinning, guint kept)
{
    if (is_whole(thinning)) {
        return kept;
    }
    guint start = bucket_start(thinning, kept / 2);
    if (kept % 2 == 0) {
        return start;
    }
    return start + (bucket_start(thinning, kept / 2 + 1) - start) / 2;
}

static double value_at(gconstpointer values, gsize stride_bytes, guint row)
{
    return *(const double *)(gconstpointer)((const char *)values + row * stride_bytes);
}

/* The least and the greatest of the rows from @from to before @to, as they occurred. */
static void find_extremes(gconstpointer values, gsize stride_bytes, guint from, guint to,
                          double ret_pair[2])
{
    double least = (double)NAN, greatest = (double)NAN;
    gboolean least_first = TRUE;
    for (guint row = from; row < to; row++) {
        double value = value_at(values, stride_bytes, row);
        if (value < least || (isnan(least) && !isnan(value))) {
            least = value;
            least_first = FALSE;
        }
        if (value > greatest || (isnan(greatest) && !isnan(value))) {
            greatest = value;
            least_first = TRUE;
        }
    }
    ret_pair[0] = least_first ? least : greatest;
    ret_pair[1] = least_first ? greatest : least;
}

void aft_thin(const AftThinning *thinning, gconstpointer values, gsize stride_bytes,
              double *ret_kept)
{
    if (is_whole(thinning)) {
        for (guint row = 0; row < thinning->n_rows; row++) {
            ret_kept[row] = value_at(values, stride_bytes, row);
        }
        return;
    }
    for (guint bucket = 0; bucket < thinning->n_kept / 2; bucket++) {
        find_extremes(values, stride_bytes, bucket_start(thinning, bucket),
                      bucket_start(thinning, bucket + 1), ret_kept + 2 * (gsize)bucket);
    }
}
