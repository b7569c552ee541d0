/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spill.h - numbers of many rows, to be looked at column by column.
 *
 * Rows are gathered into a block; full ones go, each column in one piece, to a file without a name
 * in the folder for temporary files (TMPDIR), which stays until the end. Memory is that of one
 * block, however many rows there are; while there are fewer than a block takes there is no file.
 */
#pragma once

#include <glib.h>

enum { AFT_SPILL_BLOCK = 128 }; /* rows */

typedef struct AftSpill AftSpill;

/** Returns: (transfer full): without rows, of @columns (> 0). */
AftSpill *aft_spill_new(guint columns);
void aft_spill_free(AftSpill *spill); /**< (nullable) */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftSpill, aft_spill_free)

/** Appends @row, a number for each column. Returns: FALSE with AFT_ERROR_FILE; @row is not in. */
gboolean aft_spill_add(AftSpill *spill, const double *row, GError **error);

/** How many rows there are. */
guint aft_spill_rows(const AftSpill *spill);

/** Reads @column of all rows into @values, which has room for them (NULL: there are none).
 *  Returns: FALSE with AFT_ERROR_FILE. */
gboolean aft_spill_read(AftSpill *spill, guint column, double *values, GError **error);

/** Forgets all rows. */
void aft_spill_clear(AftSpill *spill);
