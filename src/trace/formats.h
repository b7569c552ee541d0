/* SPDX-License-Identifier: GPL-3.0-or-later */
/* formats.h - the forms that rows of I/O traces have: one const struct, one row in the table each.
 */
#pragma once

#include "line_file.h"

#include <aftershock/trace/io_trace.h>

#define AFT_FIELDS_MOST 8

/** What a row says, its time not yet since the first. */
typedef struct {
    guint64 ticks;
    AftIoRow row;
} AftRawRow;

/** A row in parts, and where to tell what is wrong with them. */
typedef struct {
    const AftLineFile *file;
    char *field[AFT_FIELDS_MOST];
    guint n;
    GError **error; /* (nullable) */
} AftFields;

typedef struct {
    const char *name;
    const char *columns; /* what they are called */
    guint n_columns;
    guint type; /* column that says whether it reads or writes: tells the formats apart */
    const char *read, *write;
    gint64 tick_ns;
    gboolean (*parse)(const AftFields *fields, AftRawRow *ret_row);
} AftRowFormat;

/** Returns: (transfer none): that of @format, not AFT_TRACE_AUTO. */
const AftRowFormat *aft_row_format(AftTraceFormat format);

/** Splits @line, which it changes, at its commas. */
void aft_fields_split(AftFields *fields, char *line);

/** Whether @fields could be a row of @format. */
gboolean aft_row_format_fits(const AftRowFormat *format, const AftFields *fields);

/** Reads the row that @fields are. Returns: FALSE with the error set. */
gboolean aft_row_format_read(const AftRowFormat *format, const AftFields *fields,
                             AftRawRow *ret_row);

/** Reads a whole number from column @i called @name. Returns: FALSE with the error set. */
gboolean aft_fields_number(const AftFields *fields, guint i, const char *name, guint64 most,
                           guint64 *ret_number);

/** The hash of a text, going on from @hash; AFT_HASH_BEGIN at first. */
#define AFT_HASH_BEGIN G_GUINT64_CONSTANT(0xCBF29CE484222325)
guint64 aft_fields_hash(guint64 hash, const char *text);

extern const AftRowFormat aft_row_msr;
extern const AftRowFormat aft_row_alibaba;
