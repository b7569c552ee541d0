/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sheet.h - a table on paper. */
#pragma once

#include "pen.h"

/** Draws rows of @grid from row @first on, under its titles, into @width, from @top down to @bottom
 *  at most; letters shrink where the table would be too wide.
 *  Returns: the row after the last, and @ret_end, where it ends. */
guint aft_sheet_draw(const AftPen *pen, const AftGrid *grid, guint first, double left, double width,
                     double top, double bottom, double *ret_end);
