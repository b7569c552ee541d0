/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranking.h - the points of a sweep for people, the best first. */
#pragma once

#include <aftershock/report/phases.h>
#include <aftershock/sweep/tables.h>

/** The first @most of @ranking (AftRanked) as a table, ending in a line feed, and how many more
 *  there are. Returns: (transfer full), UTF-8. */
char *aft_ranking_text(const GPtrArray *ranking, guint most, const AftTextStyle *style);
