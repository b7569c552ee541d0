/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.h - rows as RFC 4180 text and back.
 *
 * A line of column names, then a line per row, each ending in a line feed; cells with a comma, a
 * quote or a line break stand in quotes. There are no comments. Reading takes lines ending in
 * carriage return and line feed too, and the columns in any order.
 */
#pragma once

#include <aftershock/result/columns.h>

/** Appends @text to @csv as a cell, in quotes if it has to be. */
void aft_csv_append(GString *csv, const char *text);

/** Appends the names of @table's columns, or what they say in @row, to @csv as a line. */
void aft_csv_append_names(GString *csv, const AftTable *table);
void aft_csv_append_row(GString *csv, const AftTable *table, gconstpointer row);

/** Writes @rows, an array of @table's rows. Returns: (transfer full). */
char *aft_csv_format(const AftTable *table, const GArray *rows);

/** Appends the rows in @text to @rows, an array of @table's rows. @name is the file's, for errors.
 *  Columns the table does not have are skipped.
 *  Returns: FALSE with AFT_ERROR_SYNTAX and "name:line: ..." when a column that is not new is
 *  missing, or one is there twice, a line has too few or too many cells, a quote stays open, or a
 * cell is not of its column's kind; the rows before that have been appended. */
gboolean aft_csv_parse(const AftTable *table, const char *text, const char *name, GArray *rows,
                       GError **error);
