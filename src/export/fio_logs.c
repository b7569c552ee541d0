/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kinds.h"

#include <math.h>

/* A line is "time in ms, value, direction (0: read, 1: write), block size, priority", as fio writes
 * it with log_avg_msec: of a window that ends then. */

#define NS_PER_MS 1e6
#define KIB       1024.0

enum { DIRECTIONS = 2 };

typedef struct {
    double iops, mean_ms, mb_per_s;
} Side;

static Side side_of(const AftTraceRow *row, guint direction)
{
    return direction == 0 ? (Side){row->read_iops, row->read_mean_ms, row->read_mb_per_s}
                          : (Side){row->write_iops, row->write_mean_ms, row->write_mb_per_s};
}

static double latency_ns(Side side)
{
    return side.mean_ms * NS_PER_MS;
}

/* Nothing waits between the user and the queue. */
static double submission_ns(Side side)
{
    return side.mean_ms * 0.0;
}

static double bandwidth_kib(Side side)
{
    return side.mb_per_s * 1e6 / KIB;
}

static double operations(Side side)
{
    return side.iops;
}

static double block_bytes(Side side)
{
    double bytes = side.mb_per_s * 1e6 / side.iops;
    return side.iops > 0.0 && isfinite(bytes) ? bytes : 0.0;
}

static void write_line(AftOut *out, double end_s, double value, guint direction, double block)
{
    aft_out_format(out, "%.0f, %.0f, %u, %.0f, 0\n", end_s * 1e3, value, direction, block);
}

static void write_log(const AftExport *export, AftOut *out, double (*value_of)(Side side))
{
    const GArray *trace = export->result->trace;
    for (guint i = 0; i < trace->len; i++) {
        double end_s = aft_result_interval_end_s(export->result, i);
        for (guint direction = 0; direction < DIRECTIONS; direction++) {
            Side side = side_of(&g_array_index(trace, AftTraceRow, i), direction);
            double value = value_of(side);
            if (isfinite(value)) { /* fio has no line where nothing was done */
                write_line(out, end_s, value, direction, block_bytes(side));
            }
        }
    }
}

static void write_latency(const AftExport *export, AftOut *out)
{
    write_log(export, out, latency_ns);
}

static void write_submission(const AftExport *export, AftOut *out)
{
    write_log(export, out, submission_ns);
}

static void write_bandwidth(const AftExport *export, AftOut *out)
{
    write_log(export, out, bandwidth_kib);
}

static void write_operations(const AftExport *export, AftOut *out)
{
    write_log(export, out, operations);
}

/* fio_generate_plots gives up where one of them is missing. */
static const AftExportFile files[] = {
    {"_lat.1.log", write_latency},     {"_clat.1.log", write_latency},
    {"_slat.1.log", write_submission}, {"_bw.1.log", write_bandwidth},
    {"_iops.1.log", write_operations},
};

const AftExportKind aft_export_fio_logs = {
    .name = "fio-logs",
    .needs_trace = TRUE,
    .labelled = TRUE,
    .files = files,
    .n_files = G_N_ELEMENTS(files),
};
