/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime */
#include "formats.h"

static gboolean parse(const AftFields *fields, AftRawRow *ret_row)
{
    guint64 host = aft_fields_hash(AFT_HASH_BEGIN, fields->field[1]);
    ret_row->row.stream = aft_fields_hash(aft_fields_hash(host, ","), fields->field[2]);
    return aft_fields_number(fields, 0, "timestamp", G_MAXINT64, &ret_row->ticks) &&
           aft_fields_number(fields, 4, "offset", G_MAXINT64, &ret_row->row.offset) &&
           aft_fields_number(fields, 5, "size", AFT_IO_TRACE_MOST, &ret_row->row.bytes);
}

const AftRowFormat aft_row_msr = {
    .name = "msr",
    .columns = "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime",
    .n_columns = 7,
    .type = 3,
    .read = "Read",
    .write = "Write",
    .tick_ns = 100,
    .parse = parse,
};
