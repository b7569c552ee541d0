/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.h - which member of a row is which column: one table per row type.
 *
 * Writing, reading and showing a result all go through these tables, so a new figure is a member
 * and a row here. Text is the same everywhere: no locale, no noise digits.
 */
#pragma once

#include <glib.h>

/** How a member is stored and written. A double that is not finite is an empty cell. */
typedef enum {
    AFT_CELL_PHASE,   /* AftPhase: its name */
    AFT_CELL_TEXT,    /* char *, owned by the row; NULL and "" are the same */
    AFT_CELL_SECONDS, /* double: to the nanosecond */
    AFT_CELL_WHOLE,   /* double: bytes or things, to the next whole one */
    AFT_CELL_MEASURE, /* double: nine significant digits, far more than any interval gives */
    AFT_CELL_COUNT,   /* guint64, at most 2^53 */
    AFT_CELL_YES,     /* gboolean: "true" or "false" */
    AFT_CELL_WRITE    /* gboolean: "write" or "read" */
} AftCell;

typedef struct {
    const char *name; /* the column's, as files have it */
    AftCell kind;
    gsize offset; /* of the member in the row */
    gboolean new; /* files from before it was there may lack it */
} AftColumn;

typedef struct {
    const AftColumn *columns; /* in the order of the file */
    guint n_columns;
    gsize row_bytes;
} AftTable;

/** The columns of AftPhaseRow, AftTraceRow, AftEventRow and AftLatencyRow. Returns: (transfer
 * none), for ever. */
const AftTable *aft_phase_table(void);
const AftTable *aft_trace_table(void);
const AftTable *aft_event_table(void);
const AftTable *aft_latency_table(void);

/** The text of @column in @row; "" is an empty cell. Returns: (transfer full). */
char *aft_column_format(const AftColumn *column, gconstpointer row);

/** Sets @column of @row to what @text says; "" is NaN in a double. A text the row had is freed.
 *  Returns: FALSE with AFT_ERROR_SYNTAX, which names the column, when @text is not of its kind. */
gboolean aft_column_parse(const AftColumn *column, gpointer row, const char *text, GError **error);

/** Fills the row's memory: every double NaN, every text empty, the rest 0. */
void aft_table_init_row(const AftTable *table, gpointer row);

/** Frees the row's texts. */
void aft_table_clear_row(const AftTable *table, gpointer row);
