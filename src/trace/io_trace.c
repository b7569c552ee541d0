/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/trace/io_trace.h>

#include "formats.h"

#define MOST_YEARS 25 /* between two rows */
#define YEAR_NS    G_GINT64_CONSTANT(31536000000000000)

typedef struct {
    AftRawRow row;
    guint64 number; /* in the file: ties go by it */
} Waiting;

/* Rows that were read and not handed out stand in a binary heap, the earliest in front. */
struct AftIoTrace {
    AftLineFile *file;
    const AftRowFormat *format;
    guint n;
    guint64 n_read;
    gboolean ended;
    gboolean begun;
    guint64 read_ticks;              /* of the row read first */
    guint64 first_ticks, last_ticks; /* of rows handed out */
    Waiting waiting[AFT_IO_TRACE_AHEAD];
};

static gboolean goes_before(const Waiting *a, const Waiting *b)
{
    return a->row.ticks != b->row.ticks ? a->row.ticks < b->row.ticks : a->number < b->number;
}

static void push(AftIoTrace *trace, const AftRawRow *row)
{
    Waiting added = {*row, trace->n_read++};
    guint i = trace->n++;
    for (; i > 0 && goes_before(&added, &trace->waiting[(i - 1) / 2]); i = (i - 1) / 2) {
        trace->waiting[i] = trace->waiting[(i - 1) / 2];
    }
    trace->waiting[i] = added;
}

static AftRawRow pop(AftIoTrace *trace)
{
    AftRawRow first = trace->waiting[0].row;
    Waiting last = trace->waiting[--trace->n];
    guint i = 0;
    for (guint child = 1; child < trace->n; child = 2 * i + 1) {
        child +=
            child + 1 < trace->n && goes_before(&trace->waiting[child + 1], &trace->waiting[child]);
        if (!goes_before(&trace->waiting[child], &last)) {
            break;
        }
        trace->waiting[i] = trace->waiting[child];
        i = child;
    }
    trace->waiting[i] = last;
    return first;
}

/* Whether times from here on can be counted in nanoseconds. */
static gboolean is_near(const AftIoTrace *trace, guint64 ticks)
{
    guint64 apart = MAX(ticks, trace->read_ticks) - MIN(ticks, trace->read_ticks);
    return apart <= (guint64)(MOST_YEARS * YEAR_NS / trace->format->tick_ns);
}

/* Takes in the row that @fields are. */
static gboolean take(AftIoTrace *trace, const AftFields *fields)
{
    AftRawRow row;
    if (!aft_row_format_read(trace->format, fields, &row)) {
        return FALSE;
    }
    if (trace->begun && row.ticks < trace->last_ticks) {
        return aft_line_file_fail(trace->file, fields->error,
                                  "is earlier than a row %d or more before it: sort the file by "
                                  "time",
                                  AFT_IO_TRACE_AHEAD);
    }
    trace->read_ticks = trace->n_read == 0 ? row.ticks : trace->read_ticks;
    if (!is_near(trace, row.ticks)) {
        return aft_line_file_fail(trace->file, fields->error,
                                  "timestamp: is more than %d years away from that of the first "
                                  "row",
                                  MOST_YEARS);
    }
    push(trace, &row);
    return TRUE;
}

static gboolean read_ahead(AftIoTrace *trace, GError **error)
{
    while (!trace->ended && trace->n < AFT_IO_TRACE_AHEAD) {
        GError *problem = NULL;
        char *line = aft_line_file_next(trace->file, &problem);
        AftFields fields = {.file = trace->file, .error = &problem};
        if (line != NULL) {
            aft_fields_split(&fields, line);
            take(trace, &fields);
        }
        trace->ended = line == NULL || problem != NULL;
        if (problem != NULL) {
            g_propagate_error(error, problem);
            return FALSE;
        }
    }
    return TRUE;
}

/* Returns: (nullable): that no format has such rows. */
static const AftRowFormat *guess(const AftFields *fields)
{
    return aft_row_format_fits(&aft_row_msr, fields)       ? &aft_row_msr
           : aft_row_format_fits(&aft_row_alibaba, fields) ? &aft_row_alibaba
                                                           : NULL;
}

static gboolean read_first(AftIoTrace *trace, AftTraceFormat format, GError **error)
{
    GError *problem = NULL;
    char *line = aft_line_file_next(trace->file, &problem);
    AftFields fields = {.file = trace->file, .error = error};
    if (problem != NULL) {
        g_propagate_error(error, problem);
        return FALSE;
    }
    if (line == NULL) {
        return aft_line_file_fail(trace->file, error,
                                  "expected rows of a trace, got an empty file");
    }
    aft_fields_split(&fields, line);
    trace->format = format == AFT_TRACE_AUTO ? guess(&fields) : aft_row_format(format);
    if (trace->format == NULL) {
        return aft_line_file_fail(trace->file, error,
                                  "expected a row of %s (%s) or %s (%s), as text and with no line "
                                  "of titles",
                                  aft_row_msr.name, aft_row_msr.columns, aft_row_alibaba.name,
                                  aft_row_alibaba.columns);
    }
    return take(trace, &fields);
}

AftIoTrace *aft_io_trace_open(const char *path, AftTraceFormat format, GError **error)
{
    AftLineFile *file = aft_line_file_open(path, error);
    if (file == NULL) {
        return NULL;
    }
    g_autoptr(AftIoTrace) trace = g_new0(AftIoTrace, 1);
    trace->file = file;
    return read_first(trace, format, error) ? g_steal_pointer(&trace) : NULL;
}

void aft_io_trace_free(AftIoTrace *trace)
{
    if (trace != NULL) {
        aft_line_file_free(trace->file);
        g_free(trace);
    }
}

gboolean aft_io_trace_next(AftIoTrace *trace, AftIoRow *ret_row, GError **error)
{
    if (!read_ahead(trace, error) || trace->n == 0) {
        return FALSE;
    }
    AftRawRow row = pop(trace);
    trace->first_ticks = trace->begun ? trace->first_ticks : row.ticks;
    trace->last_ticks = row.ticks;
    trace->begun = TRUE;
    row.row.time_ns = (gint64)(row.ticks - trace->first_ticks) * trace->format->tick_ns;
    *ret_row = row.row;
    return TRUE;
}
