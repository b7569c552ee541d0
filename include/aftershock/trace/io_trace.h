/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io_trace.h - recorded I/O, read row by row from a file that may be larger than memory.
 *
 *     msr      Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime     without such a line
 *              in 100 ns since 1601; Read or Write; bytes. As of MSR Cambridge (SNIA IOTTA 388).
 *     alibaba  device_id,opcode,offset,length,timestamp                        without such a line
 *              R or W; bytes; in microseconds. As of Alibaba block traces (2020).
 *
 * Rows come in order of time, those of the same time in that of the file. Recorders write them down
 * a little out of order, so a bounded number is read ahead; a row that is later than that is an
 * error, and so is everything that is not a row.
 *
 *     while (aft_io_trace_next(trace, &row, &error)) ...
 *     if (error != NULL) ...
 */
#pragma once

#include <aftershock/scenario/scenario.h>

#define AFT_IO_TRACE_AHEAD 4096       /* rows that are read ahead */
#define AFT_IO_TRACE_MOST  (1u << 30) /* bytes of one I/O, at most */

typedef struct AftIoTrace AftIoTrace;

typedef struct {
    gint64 time_ns; /* since the first row */
    gboolean write;
    guint64 offset; /* bytes, in what @stream tells apart */
    guint64 bytes;  /* 0 to AFT_IO_TRACE_MOST */
    guint64 stream; /* a hash of the disk or device that the row names */
} AftIoRow;

/** Opens the trace at @path; AFT_TRACE_AUTO takes the format that its first row has.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_FILE when it cannot be read,
 *  AFT_ERROR_SYNTAX when its first row is none or there is none. */
AftIoTrace *aft_io_trace_open(const char *path, AftTraceFormat format, GError **error);

void aft_io_trace_free(AftIoTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftIoTrace, aft_io_trace_free)

/** Reads the next row. Returns: FALSE at the end, and with @error set when something is wrong:
 *  messages begin with "path:line: ". */
gboolean aft_io_trace_next(AftIoTrace *trace, AftIoRow *ret_row, GError **error);
