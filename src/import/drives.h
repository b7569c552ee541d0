/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drives.h - daily statistics of drives, summed up as they are read.
 *
 * Files of any number and length, row by row: what is kept grows with drives, not with days.
 * Columns are found by name, since they change by quarter: date, serial_number, model,
 * capacity_bytes, failure, and smart_9_raw (hours of age) where there is one.
 */
#pragma once

#include <aftershock/import/lives.h>

enum { AFT_DRIVES_MOST = 4000000, AFT_DRIVES_MOST_MODELS = 1000, AFT_DRIVES_LONGEST_ROW = 65535 };

typedef struct {
    char *name;
    double size_bytes; /* 0: not told */
    guint drives;
    guint64 days; /* of all drives together */
    guint64 failures;
    GArray *lives; /* AftLife, of drives whose age is known: after aft_drives_finish() */
    guint doubled; /* drives with more rows than days */
    guint unsound; /* drives with ages that cannot be */
} AftDriveModel;

typedef struct AftDrives AftDrives;

/** @model (nullable): the only one to look at. It is borrowed. Returns: (transfer full). */
AftDrives *aft_drives_new(const char *model);

void aft_drives_free(AftDrives *drives);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftDrives, aft_drives_free)

/** Adds the rows of the file at @path. Returns: FALSE with AFT_ERROR_FILE, AFT_ERROR_SYNTAX
 *  ("path:line: ...") or AFT_ERROR_LIMIT. */
gboolean aft_drives_read(AftDrives *drives, const char *path, GError **error);

/** Ends reading. Returns: (transfer none): AftDriveModel, those of most drive-days first; equal
 *  ones by name. */
const GPtrArray *aft_drives_finish(AftDrives *drives);

/** The first and the last day, "2024-01-31". Returns: (transfer full): "?" when there was none. */
char *aft_drives_first(const AftDrives *drives);
char *aft_drives_last(const AftDrives *drives);
