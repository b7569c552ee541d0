/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thin.h - a long column of numbers as a short one that has the same extremes.
 *
 * Rows fall into buckets of equal length. Of each, the least and the greatest value remain, in the
 * order in which they occurred; NaN remains where a bucket has nothing else. What is short enough
 * remains as it is.
 */
#pragma once

#include <glib.h>

typedef struct {
    guint n_rows; /* before */
    guint n_kept; /* after: n_rows, or 2 for each bucket */
} AftThinning;

/** How to thin @n_rows to @most (2 or more) at most. */
AftThinning aft_thinning(guint n_rows, guint most);

/** The first row that @kept (below n_kept) may stand for; n_rows for n_kept. A pair of extremes
 *  shares a bucket: the second stands for its latter half. */
guint aft_thinning_row(const AftThinning *thinning, guint kept);

/** Thins a column: @values points at the double of the first row, and the next is @stride_bytes
 *  further. Fills @ret_kept, of n_kept elements. */
void aft_thin(const AftThinning *thinning, gconstpointer values, gsize stride_bytes,
              double *ret_kept);
