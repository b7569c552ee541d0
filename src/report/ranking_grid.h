/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranking_grid.h - the points of a sweep as a table. */
#pragma once

#include "grid.h"

#include <aftershock/report/ranking.h>

/** The first @n of @ranking (AftRanked, of which there are as many). Returns: (transfer full). */
AftGrid *aft_ranking_grid(const GPtrArray *ranking, guint n, gboolean utf8);
