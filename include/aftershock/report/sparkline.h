/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparkline.h - how a figure went, as a line of characters: ▁▂▅▇█, or _.-=^ in ASCII. */
#pragma once

#include <glib.h>

/** A bar of @width characters, filled to @share (0 to 1) of them. Returns: (transfer full). */
char *aft_bar(double share, guint width, gboolean utf8);

/** A character for each of @n @values, as high as it is of @most (0: all are lowest); a blank for
 *  NaN. Returns: (transfer full): "" when all are NaN. */
char *aft_sparkline(const double *values, guint n, double most, gboolean utf8);
