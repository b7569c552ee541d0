/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - foreign text in, safe text out.
 *
 * Nothing that a foreign file says may end a line, a quote or a cell of what is written.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

enum {
    AFT_TEXT_MOST_BYTES = 64 * 1024 * 1024, /* of a file that is read as a whole */
    AFT_TEXT_LONGEST_NAME = 200,            /* bytes of a name in our files */
    AFT_TEXT_LONGEST_LINE = 1000            /* of another text there */
};

/** Opens the regular file at @path; a folder, a pipe or a device is refused before it is read.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_FILE. */
FILE *aft_text_open(const char *path, GError **error);

/** The whole text of the file at @path. Returns: (transfer full) (nullable): NULL with
 *  AFT_ERROR_FILE, AFT_ERROR_LIMIT when it is larger than AFT_TEXT_MOST_BYTES, or AFT_ERROR_SYNTAX
 *  when it holds a zero byte. */
char *aft_text_read(const char *path, GError **error);

/** @text as UTF-8 of one line and at most @most bytes (4 or more): what is no character that
 *  prints becomes a blank. Returns: (transfer full): "?" instead of nothing. */
char *aft_text_clean(const char *text, gsize most);

/** @text as the name of a device or of another key: letters, digits, - and _.
 *  Returns: (transfer full). */
char *aft_text_key(const char *text);

/** Appends @text, cleaned, as a scalar of YAML in double quotes. */
void aft_text_quote(GString *yaml, const char *text, gsize most);

/** Appends a line of comment: @indent blanks, "# " and the text, cleaned. */
void aft_text_comment(GString *yaml, guint indent, const char *format, ...) G_GNUC_PRINTF(3, 4);

/** Appends @text, cleaned, as a cell of CSV that no spreadsheet takes for a formula. */
void aft_text_cell(GString *csv, const char *text);

/** Appends @value with at most @digits digits. */
void aft_text_number(GString *text, double value, guint digits);

/** Adds a line to @remarks, cleaned. */
void aft_text_remark(GPtrArray *remarks, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** Sets @error to "path:line: " (without the line if that is 0) and a message. Returns: FALSE. */
gboolean aft_text_fail(GError **error, const char *path, guint64 line, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/** Reads all of @text, blanks around it aside, as a plain number of 0 to 1e18; "1,234.5" is one
 *  where @commas. Returns: whether it is one. */
gboolean aft_text_parse(const char *text, gboolean commas, double *ret_value);
