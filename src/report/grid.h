/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.h - texts in columns, aligned.
 *
 * A column in which every cell is "" is left out, title and all.
 */
#pragma once

#include <aftershock/report/phases.h>
#include <aftershock/report/table.h>

/** Returns: (transfer full): a grid without columns, of ASCII unless @utf8. */
AftGrid *aft_grid_new(gboolean utf8);

/** Starts another column; its texts must outlive the grid. */
void aft_grid_add_column(AftGrid *grid, const AftGridColumn *column);

/** Adds a cell below those of the last column; all columns must end up equally long. */
void aft_grid_add_cell(AftGrid *grid, const char *text, AftTint tint);

/** Columns of a terminal that a line takes. */
guint aft_grid_width(const AftGrid *grid);

/** Appends titles and rows, a line each. */
void aft_grid_append_text(const AftGrid *grid, GString *out, gboolean colour);

/** Appends the grid as a Markdown table. */
void aft_grid_append_markdown(const AftGrid *grid, GString *out);

/** Appends the grid as an HTML table; texts are escaped, tints are classes "good", "bad" and
 *  "notice", and strong cells head their rows. */
void aft_grid_append_html(const AftGrid *grid, GString *out);

/** Appends @text in the colours of @tint; NONE, or no @colour, appends it plain. */
void aft_tint_append(GString *out, const char *text, AftTint tint, gboolean colour);

/** @text as a terminal may show it (base/shown.h), in ASCII unless @utf8. Returns: (transfer full).
 */
char *aft_text_for(const char *text, gboolean utf8);
