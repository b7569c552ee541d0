/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.h - files put in place as one: all of them, or none.
 *
 * Every file is complete on its disk under another name before the first takes its place; what was
 * there is put back when that fails half-way. SIGINT, SIGTERM and SIGHUP wait meanwhile, on this
 * thread; a process that is killed in between leaves what was there beside it, as
 * ".name.XXXXXX.old", and no first file.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

/** Sets @error to AFT_ERROR_FILE: "@path: @what: " and what errno means. Returns: FALSE. */
gboolean aft_file_failed(const char *path, const char *what, GError **error);

/** Sets @error to AFT_ERROR_FILE: "@path: @what: " and why, of what GLib reports as @cause.
 *  Returns: FALSE. */
gboolean aft_file_failed_by(const char *path, const char *what, const GError *cause,
                            GError **error);

/** Writes what a file holds to @stream. It may leave it to others to see whether all of it came
 *  through, when it ends with errno as the write that failed left it.
 *  Returns: FALSE with an error, which gets the path in front if it is the stream's. */
typedef gboolean (*AftFileWriter)(gconstpointer what, FILE *stream, GError **error);

/** Writers of text with an end, and of GBytes. */
gboolean aft_file_write_text(gconstpointer text, FILE *stream, GError **error);
gboolean aft_file_write_bytes(gconstpointer bytes, FILE *stream, GError **error);

typedef struct {
    const char *path;
    AftFileWriter write;
    gconstpointer what; /* handed to @write */
} AftNewFile;

/** Writes the @n files. The first is taken away first and arrives last: one that is there has the
 *  others. Through a link, what it leads to is replaced; only files are, and their modes stay.
 *  Returns: FALSE with AFT_ERROR_FILE, which names the path, or the error of a writer, and what was
 *  there before. */
gboolean aft_files_place(const AftNewFile *files, guint n, GError **error);

/** Whether aft_files_place() would take files called @names (NULL-terminated) in @directory, which
 *  is, or could be made, one to write to. Changes nothing; ask before long work, and expect that
 *  placing them may fail all the same. Without names, tells whether the directory would do.
 *  Returns: FALSE with AFT_ERROR_FILE that says what is in the way: of a file, as placing it would.
 */
gboolean aft_files_placeable(const char *directory, const char *const *names, GError **error);

/** The same with one file that holds @text. */
gboolean aft_file_place_text(const char *path, const char *text, GError **error);

/** The same with a file that is not there yet: never over one that came meanwhile.
 *  Returns: FALSE with AFT_ERROR_CONFLICT when it is there, or AFT_ERROR_FILE. */
gboolean aft_file_place_new(const char *path, const char *text, GError **error);
