/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.h - a finished table, for those who draw it themselves.
 *
 * Columns may stand under a common group title. A tight column continues the one before it, as
 * "± 3" continues "107". Columns that have nothing to show are not counted.
 */
#pragma once

#include <glib.h>

/** What a text says beside its words. */
typedef enum {
    AFT_TINT_NONE,
    AFT_TINT_STRONG,
    AFT_TINT_GOOD,
    AFT_TINT_BAD,
    AFT_TINT_NOTICE
} AftTint;

/** A label and what it says. */
typedef struct {
    const char *label; /* static */
    char *text;
    AftTint tint; /* of the label; NONE: as all labels */
} AftNote;

typedef struct {
    const char *group; /* (nullable) */
    const char *title;
    gboolean right; /* align right */
    gboolean tight;
} AftGridColumn;

typedef struct AftGrid AftGrid;

void aft_grid_free(AftGrid *grid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftGrid, aft_grid_free)

guint aft_grid_n_columns(const AftGrid *grid);
guint aft_grid_n_rows(const AftGrid *grid);

/** Returns: (transfer none): the column @column, from 0; its group is "" without one. */
AftGridColumn aft_grid_column(const AftGrid *grid, guint column);

/** The text of a cell, and its tint. Returns: (transfer none). */
const char *aft_grid_cell(const AftGrid *grid, guint column, guint row, AftTint *ret_tint);
