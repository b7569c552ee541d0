/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_page.h - a sweep as one HTML page that needs nothing else, as page.h has it for results.
 *
 * It says which points held the requirement, and in how many of their replications; then figures
 * against an axis, with intervals and from the 5th to the 95th percentile, how replications of
 * points are distributed, what a figure is sensitive to, and the ranking.
 *
 * Of many points, replications and figures the page keeps what fits into 2 MB, and says what is
 * left out: of a point 21 quantiles of its replications, of figures first those that matter most.
 */
#pragma once

#include <aftershock/sweep/store.h>

/** The page of what @store holds. Returns: (transfer full) (nullable): UTF-8; NULL with
 *  AFT_ERROR_FILE when it cannot be read, or AFT_ERROR_SYNTAX when no replication is in it. */
char *aft_sweep_page_new(AftStore *store, GError **error);
