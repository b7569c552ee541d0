/* SPDX-License-Identifier: GPL-3.0-or-later */
/* files.h - a result as a directory of five files, and back.
 *
 *     phases.csv  trace.csv  events.csv  latency.csv  summary.json
 *
 * The set is written whole or not at all. Every file is complete on disk under another name
 * before the first takes its place; an older set is put back when that fails half-way. The
 * summary arrives last, so a directory that has one has the others.
 */
#pragma once

#include <aftershock/base/api.h>
#include <aftershock/result/result.h>

AFT_BEGIN_DECLS

/** Whether a result could be written to @directory: it is, or could be made, a directory one may
 *  write to, and nothing is in the way of the files. Changes nothing; ask before a long run.
 *  Returns: FALSE with AFT_ERROR_FILE that says what is in the way. */
gboolean aft_result_writable(const char *directory, GError **error);

/** Writes the five files of @result into @directory, made if missing (its parents too). Other
 *  files in it stay. Equal results make equal bytes.
 *  Returns: FALSE with AFT_ERROR_FILE, and what was there before. */
gboolean aft_result_write(const AftResult *result, const char *directory, GError **error);

/** Reads what aft_result_write() wrote; results from before there was a latency.csv have none.
 * Values come back as written: doubles rounded as columns.h says, so writing them again makes the
 * same bytes. Returns: (transfer full) (nullable): NULL with AFT_ERROR_FILE when a file is missing,
 * or AFT_ERROR_SYNTAX with "file:line: ..." when it is broken. */
AftResult *aft_result_read(const char *directory, GError **error);

/** The names of the files of a result. Returns: (transfer none): NULL-terminated. */
const char *const *aft_result_file_names(void);

AFT_END_DECLS
