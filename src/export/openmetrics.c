/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kinds.h"
#include "openmetrics_parts.h"

#define PLAIN(member)              AFT_FAMILY_PLAIN(AftTraceRow, member)
#define NAMED(member, label, text) AFT_FAMILY_NAMED(AftTraceRow, member, label, text)
#define OP(member, op)             NAMED(member, "op", op)
#define QUANTILE(member, op, share)                           \
    {                                                         \
        G_STRUCT_OFFSET(AftTraceRow, member), "op", op, share \
    }

static const AftMetricFamily traced[] = {
    {{"client", "ios_per_second", "Client I/Os completed."},
     1.0,
     FALSE,
     {OP(read_iops, "read"), OP(write_iops, "write")}},
    {{"client", "bytes_per_second", "Bytes of client I/Os completed."},
     1e6,
     FALSE,
     {OP(read_mb_per_s, "read"), OP(write_mb_per_s, "write")}},
    {{"client_latency_mean", "seconds", "Mean latency of client I/Os."},
     1e-3,
     FALSE,
     {OP(read_mean_ms, "read"), OP(write_mean_ms, "write")}},
    {{"client_latency", "seconds", "Quantiles of the latency of client I/Os in an interval."},
     1e-3,
     FALSE,
     {QUANTILE(read_p50_ms, "read", "0.5"), QUANTILE(read_p95_ms, "read", "0.95"),
      QUANTILE(read_p99_ms, "read", "0.99"), QUANTILE(write_p50_ms, "write", "0.5"),
      QUANTILE(write_p95_ms, "write", "0.95"), QUANTILE(write_p99_ms, "write", "0.99")}},
    {{"owed", "ios", "Client I/Os behind the target rate."}, 1.0, TRUE, {PLAIN(owed_ios)}},
    {{"degraded", "groups", "Placement groups that lack a member."},
     1.0,
     TRUE,
     {PLAIN(degraded_pgs)}},
    {{"lost", "groups", "Placement groups past their tolerance."}, 1.0, TRUE, {PLAIN(lost_pgs)}},
    {{"background", "bytes_per_second", "Bytes moved by background work."},
     1e6,
     FALSE,
     {NAMED(rebuild_mb_per_s, "task", "rebuild"), NAMED(rebalance_mb_per_s, "task", "rebalance"),
      NAMED(convert_mb_per_s, "task", "convert"), NAMED(encode_mb_per_s, "task", "encode"),
      NAMED(scrub_mb_per_s, "task", "scrub"), NAMED(destage_mb_per_s, "task", "destage")}},
    {{"used", "bytes", "Bytes stored on the devices."}, 1.0, TRUE, {PLAIN(used_bytes)}},
    {{"buffer_fill", "ratio", "How full the write buffers are."}, 1.0, TRUE, {PLAIN(buffer_fill)}},
    {{"utilization", "ratio", "Mean utilization of the parts that are up."},
     1.0,
     FALSE,
     {NAMED(controller_util, "part", "controller"), NAMED(nic_util, "part", "nic"),
      NAMED(cache_util, "part", "cache"), NAMED(capacity_util, "part", "capacity")}},
    {{"simulated", "seconds", "How much of the interval was simulated I/O by I/O."},
     1.0,
     FALSE,
     {PLAIN(simulated_s)}},
};

static const AftTraceRow *row_of(const AftExport *export, guint row)
{
    return &g_array_index(export->result->trace, AftTraceRow, row);
}

static void write_column(const AftExport *export, AftOut *out, const AftMetricFamily *family,
                         const AftFamilyColumn *column)
{
    g_autoptr(GString) labels = aft_openmetrics_labels(export);
    aft_family_label(column, labels);
    AftSeries series = aft_series(out, &family->family, labels->str);
    for (guint i = 0; i < export->result->trace->len; i++) {
        const AftTraceRow *row = row_of(export, i);
        double time_s = family->at_end ? aft_result_interval_end_s(export->result, i) : row->time_s;
        aft_series_add(&series, aft_openmetrics_ms(export, time_s),
                       aft_family_cell(family, column, row));
    }
}

static void write_traced(const AftExport *export, AftOut *out, const AftMetricFamily *family)
{
    gboolean begun = FALSE;
    for (guint i = 0; i < aft_family_columns(family); i++) {
        if (aft_family_occur(family, &family->columns[i], export->result->trace)) {
            if (!begun) {
                aft_family_begin(out, &family->family);
            }
            begun = TRUE;
            write_column(export, out, family, &family->columns[i]);
        }
    }
}

static gboolean is_in_phase(const AftExport *export, AftPhase phase)
{
    for (guint i = 0; i < export->result->trace->len; i++) {
        if (row_of(export, i)->phase == phase) {
            return TRUE;
        }
    }
    return FALSE;
}

static void write_phase(const AftExport *export, AftOut *out, const AftFamily *family,
                        AftPhase phase)
{
    g_autoptr(GString) labels = aft_openmetrics_labels(export);
    aft_label_add(labels, "phase", aft_phase_name(phase));
    AftSeries series = aft_series(out, family, labels->str);
    for (guint i = 0; i < export->result->trace->len; i++) {
        const AftTraceRow *row = row_of(export, i);
        aft_series_add(&series, aft_openmetrics_ms(export, row->time_s),
                       row->phase == phase ? 1.0 : 0.0);
    }
}

/* A series for each phase that occurs: 1 where it is the one, else 0. */
static void write_phases(const AftExport *export, AftOut *out)
{
    static const AftFamily family = {"phase", "", "1 in the phase that the cluster is in, else 0."};
    if (export->result->trace->len > 0) {
        aft_family_begin(out, &family);
    }
    for (AftPhase phase = 0; phase < AFT_PHASES; phase++) {
        if (is_in_phase(export, phase)) {
            write_phase(export, out, &family, phase);
        }
    }
}

/* What is required, as a line to draw beside what was reached. */
static void write_required(const AftExport *export, AftOut *out, const AftFamily *family,
                           const char *op, double value)
{
    if (!(value > 0.0)) {
        return;
    }
    g_autoptr(GString) labels = aft_openmetrics_labels(export);
    if (op != NULL) {
        aft_label_add(labels, "op", op);
    }
    AftSeries series = aft_series(out, family, labels->str);
    for (guint i = 0; i < export->result->trace->len; i++) {
        aft_series_add(&series, aft_openmetrics_ms(export, row_of(export, i)->time_s), value);
    }
}

static void write_requirement(const AftExport *export, AftOut *out)
{
    static const AftFamily ios = {"required", "ios_per_second", "I/Os that are required."};
    static const AftFamily latency = {"required_latency", "seconds",
                                      "Mean latency that is allowed."};
    const AftResult *result = export->result;
    if (result->required_iops > 0.0) {
        aft_family_begin(out, &ios);
        write_required(export, out, &ios, NULL, result->required_iops);
    }
    if (result->required_read_ms > 0.0 || result->required_write_ms > 0.0) {
        aft_family_begin(out, &latency);
        write_required(export, out, &latency, "read", result->required_read_ms / 1e3);
        write_required(export, out, &latency, "write", result->required_write_ms / 1e3);
    }
}

static void write_all(const AftExport *export, AftOut *out)
{
    for (guint i = 0; i < G_N_ELEMENTS(traced); i++) {
        write_traced(export, out, &traced[i]);
    }
    write_phases(export, out);
    write_requirement(export, out);
    aft_openmetrics_events(export, out);
    aft_openmetrics_summary(export, out);
    aft_out_add(out, "# EOF\n");
}

static const AftExportFile files[] = {{"metrics.txt", write_all}};

const AftExportKind aft_export_openmetrics = {
    .name = "openmetrics",
    .has_start = TRUE,
    .files = files,
    .n_files = G_N_ELEMENTS(files),
};
