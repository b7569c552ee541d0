/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cells.h - a reference in the making: figures one by one, then the text of all.
 *
 *     g_autoptr(AftCells) cells = aft_cells_new(options);
 *     g_autofree char *label = aft_cells_label(cells, "randrw");
 *     if (!aft_cells_add(cells, where, label, "read_mean", 488e-6, NULL, error)) ...
 *     return aft_cells_write(cells, files, error);
 */
#pragma once

#include <aftershock/import/import.h>

typedef struct AftCells AftCells;

/** @options is borrowed for as long as the cells are there. Returns: (transfer full). */
AftCells *aft_cells_new(const AftImportOptions *options);

void aft_cells_free(AftCells *cells);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftCells, aft_cells_free)

/** A label like @wanted that no cell has yet, and none will get again. Returns: (transfer full). */
char *aft_cells_label(AftCells *cells, const char *wanted);

/** Adds the figure @metric of @label: @value in its base unit (seconds, bytes a second, times a
 *  second). NaN and 0 are no figure, and left out. With a @derivation (nullable) it is derived,
 *  else stated. @where is what it was read from, for errors.
 *  Returns: FALSE with AFT_ERROR_RANGE when nothing can measure that much, AFT_ERROR_LIMIT when
 *  there are too many cells. */
gboolean aft_cells_add(AftCells *cells, const char *where, const char *label, const char *metric,
                       double value, const char *derivation, GError **error);

/** Adds a line of comment before the cell that is added next. */
void aft_cells_comment(AftCells *cells, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** Says what wrote the files: "fio-3.33". The last word counts. */
void aft_cells_tool(AftCells *cells, const char *tool);

/** All of them, which come from @files. Returns: (transfer full) (nullable): the reference, as YAML
 *  or CSV; NULL with AFT_ERROR_SYNTAX when no cell was added. */
char *aft_cells_write(const AftCells *cells, const char *const *files, GError **error);
