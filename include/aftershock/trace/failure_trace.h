/* SPDX-License-Identifier: GPL-3.0-or-later */
/* failure_trace.h - recorded failures, read row by row: what fails and returns, and when.
 *
 * A CSV file (RFC 4180) whose first line names its columns. Those used are
 *
 *     time_s    seconds from the start, not before the row above
 *     event     fail or restore
 *     subject   the part: "node 2", "device 0.1.3", as in a timeline
 *
 * Rows of other events are passed over, so the events.csv of a run can be replayed.
 */
#pragma once

#include <aftershock/scenario/scenario.h>

typedef struct AftFailureTrace AftFailureTrace;

typedef struct {
    gint64 time_ns;
    gboolean restore; /* FALSE: it fails */
    AftPart part;
} AftFailureRow;

/** Opens the file at @path. Returns: (transfer full) (nullable): NULL with AFT_ERROR_FILE, or
 *  AFT_ERROR_SYNTAX when it has no such columns. */
AftFailureTrace *aft_failure_trace_open(const char *path, GError **error);

void aft_failure_trace_free(AftFailureTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftFailureTrace, aft_failure_trace_free)

/** Reads the next row. Returns: FALSE at the end, and with @error set when something is wrong:
 *  messages begin with "path:line: ". */
gboolean aft_failure_trace_next(AftFailureTrace *trace, AftFailureRow *ret_row, GError **error);

/** Sets @error to "path:line: " and a message about the row read last. */
void aft_failure_trace_fail(const AftFailureTrace *trace, GError **error, const char *message);
