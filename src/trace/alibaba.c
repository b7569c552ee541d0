/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device_id,opcode,offset,length,timestamp */
#include "formats.h"

static gboolean parse(const AftFields *fields, AftRawRow *ret_row)
{
    ret_row->row.stream = aft_fields_hash(AFT_HASH_BEGIN, fields->field[0]);
    return aft_fields_number(fields, 2, "offset", G_MAXINT64, &ret_row->row.offset) &&
           aft_fields_number(fields, 3, "length", AFT_IO_TRACE_MOST, &ret_row->row.bytes) &&
           aft_fields_number(fields, 4, "timestamp", G_MAXINT64, &ret_row->ticks);
}

const AftRowFormat aft_row_alibaba = {
    .name = "alibaba",
    .columns = "device_id,opcode,offset,length,timestamp",
    .n_columns = 5,
    .type = 1,
    .read = "R",
    .write = "W",
    .tick_ns = 1000,
    .parse = parse,
};
