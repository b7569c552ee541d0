/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.h - texts in columns, aligned.
 *
 * Columns may stand under a common group title. A tight column continues the one before it, as
 * "± 3" continues "107". A column in which every cell is "" is left out, title and all.
 */
#pragma once

#include <aftershock/report/phases.h>

typedef enum {
    AFT_TINT_NONE,
    AFT_TINT_STRONG,
    AFT_TINT_GOOD,
    AFT_TINT_BAD,
    AFT_TINT_NOTICE
} AftTint;

typedef struct {
    const char *group; /* (nullable) */
    const char *title;
    gboolean right; /* align right */
    gboolean tight;
} AftGridColumn;

typedef struct AftGrid AftGrid;

/** Returns: (transfer full): a grid without columns, of ASCII unless @utf8. */
AftGrid *aft_grid_new(gboolean utf8);

void aft_grid_free(AftGrid *grid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftGrid, aft_grid_free)

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
