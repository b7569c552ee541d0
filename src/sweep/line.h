/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line.h - a line of a table on its way into a file. */
#pragma once

#include <aftershock/sweep/store.h>

#include <stdio.h>

/** Appends a cell with @text, or @number (NaN: an empty one), and a comma before it unless it is
 *  the first. */
void aft_line_text(GString *line, const char *text);
void aft_line_number(GString *line, double number);
void aft_line_count(GString *line, guint64 count);

/** Appends what axes are at a point: @axes are "path=text" each, NULL-terminated (nullable): as
 *  many empty cells as there are axes. */
void aft_line_axes(GString *line, const char *const *axes, guint n_axes);

/** Appends the names of @axes. */
void aft_line_axis_names(GString *line, const char *const *axes);

/** Ends @line, writes it to @out and empties it. Returns: FALSE with AFT_ERROR_FILE. */
gboolean aft_line_end(GString *line, FILE *out, GError **error);

/** What axes are at the first point that @store has. Returns: (transfer full), NULL-terminated. */
char **aft_line_axes_of(AftStore *store);
