/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.h - several files put in place as one: all of them, or none.
 *
 * Every file is complete on disk under another name before the first takes its place; what was
 * there is put back when that fails half-way.
 */
#pragma once

#include <aftershock/result/csv.h>

typedef struct {
    const char *path;
    const char *data;
    gsize length;
    const AftTable *table; /* (nullable): what it holds is @rows of this, as CSV, and not @data */
    const GArray *rows;
} AftNewFile;

/** Writes the @n files. The first is taken away first and arrives last: one that is there has the
 *  others. Only files, and links, are replaced; nothing else is.
 *  Returns: FALSE with AFT_ERROR_FILE, which names the path, and what was there before. */
gboolean aft_place_files(const AftNewFile *files, guint n, GError **error);
