/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_file.h - a text file, read line by line, of which no line may be long. */
#pragma once

#include <glib.h>

#define AFT_LINE_MOST 1000 /* bytes of a line */

typedef struct AftLineFile AftLineFile;

/** Opens the regular file at @path. Returns: (transfer full) (nullable): NULL with
 *  AFT_ERROR_FILE. */
AftLineFile *aft_line_file_open(const char *path, GError **error);

void aft_line_file_free(AftLineFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftLineFile, aft_line_file_free)

/** Reads the next line that is not empty, without its end, "\n" or "\r\n".
 *  Returns: (transfer none) (nullable): valid until the next is read, and may be written to; NULL
 *  at the end, and with @error set when it cannot be read, is too long or holds a zero byte. */
char *aft_line_file_next(AftLineFile *file, GError **error);

/** Sets @error to "path:line: " and a message about the line read last. Returns: FALSE. */
gboolean aft_line_file_fail(const AftLineFile *file, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
