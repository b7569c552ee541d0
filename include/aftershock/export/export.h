/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.h - a result as files that other tools read.
 *
 * A kind is a tool's format: one file, or several that belong together. Names and events of a
 * result are data in all of them, and never a command or markup.
 *
 *     const AftExportKind *kind = aft_export_find("openmetrics");
 *     AftExport export = {.result = result, .start_ms = AFT_EXPORT_START_MS};
 *     aft_export_check(kind, &export, &error) && aft_export_put(kind, &export, stream, &error);
 */
#pragma once

#include <aftershock/result/result.h>

#include <stdio.h>

/** When runs begin unless told otherwise, in milliseconds since 1970 and as text. */
#define AFT_EXPORT_START_MS   G_GINT64_CONSTANT(1704067200000)
#define AFT_EXPORT_START_TEXT "2024-01-01T00:00:00Z"

typedef struct {
    const AftResult *result;
    gint64 start_ms; /* when the run begins, since 1970 */
} AftExport;

typedef struct AftExportKind AftExportKind;

/** All kinds. Returns: (transfer none): NULL-terminated, for ever. */
const AftExportKind *const *aft_export_kinds(void);

/** Returns: (transfer none) (nullable). */
const AftExportKind *aft_export_find(const char *name);

/** "openmetrics". Returns: (transfer none). */
const char *aft_export_name(const AftExportKind *kind);

/** How many files a kind has: one can go into a stream, several need a folder. */
guint aft_export_files(const AftExportKind *kind);

/** Whether @kind tells absolute times, and AftExport.start_ms counts. */
gboolean aft_export_has_start(const AftExportKind *kind);

/** Reads a beginning: RFC 3339, like "2024-01-01T00:00:00Z", or seconds since 1970.
 *  Returns: FALSE with AFT_ERROR_SYNTAX, or AFT_ERROR_RANGE outside of 1970 to 9999. */
gboolean aft_export_parse_start(const char *text, gint64 *ret_start_ms, GError **error);

/** Whether the result can be told by @kind: times that are there, go on and stay below 10^11
 *  seconds, and a trace where the kind is about nothing else.
 *  Returns: FALSE with AFT_ERROR_RANGE that names table, row and column. */
gboolean aft_export_check(const AftExportKind *kind, const AftExport *export, GError **error);

/** Writes @export, which was checked, to @stream, piece by piece. @kind has one file.
 *  Returns: FALSE with AFT_ERROR_FILE. */
gboolean aft_export_put(const AftExportKind *kind, const AftExport *export, FILE *stream,
                        GError **error);

/** Writes @export, which was checked, as @path: the file, or of a kind of several the folder that
 *  they go into, made if missing: all of the files, or none (aft_files_place()).
 *  Returns: FALSE with AFT_ERROR_FILE. */
gboolean aft_export_save(const AftExportKind *kind, const AftExport *export, const char *path,
                         GError **error);
