/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace_builder.h"

#include "figures_parts.h"

#include <math.h>

struct AftTraceBuilder {
    const AftScenario *scenario;
    AftResult *result;
    gint64 interval_ns;
    gint64 row_ns, at_ns;      /* start of the row; up to where it is filled */
    gboolean begun;            /* a span has been added */
    AftPhase phase;            /* at its start */
    const AftFigures *figures; /* (nullable): those that all of the row so far is of */
    double figures_weight;
    AftHistogram *latency[AFT_DIRECTIONS]; /* but for what @figures are */
    double bytes[AFT_DIRECTIONS];
    AftUse use[AFT_USES];
    double moved_bytes[AFT_TASKS], destaged_bytes;
    double simulated_s;
    double owed, degraded, lost, used_bytes, buffer_fill; /* where it is filled up to */
};

AftTraceBuilder *aft_trace_builder_new(const AftScenario *scenario, AftResult *result)
{
    AftTraceBuilder *builder = g_new0(AftTraceBuilder, 1);
    builder->scenario = scenario;
    builder->result = result;
    builder->interval_ns = scenario->run.trace_interval_ns;
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        builder->latency[d] = aft_histogram_new();
    }
    return builder;
}

void aft_trace_builder_free(AftTraceBuilder *builder)
{
    if (builder != NULL) {
        for (guint d = 0; d < AFT_DIRECTIONS; d++) {
            aft_histogram_free(builder->latency[d]);
        }
        g_free(builder);
    }
}

static void begin_row(AftTraceBuilder *builder, gint64 at_ns)
{
    builder->row_ns = builder->at_ns = at_ns;
    builder->simulated_s = builder->destaged_bytes = 0.0;
    builder->figures = NULL;
    builder->figures_weight = 0.0;
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        if (builder->latency[d]->count > 0.0) {
            aft_histogram_clear(builder->latency[d]);
        }
        builder->bytes[d] = 0.0;
    }
    for (guint use = 0; use < AFT_USES; use++) {
        builder->use[use] = (AftUse){0};
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        builder->moved_bytes[task] = 0.0;
    }
}

static double percentile_ms(const AftHistogram *latency, double p)
{
    return aft_histogram_quantile(latency, p) / 1e6;
}

/* Adds up what was of the same figures all along. */
static void mix_figures(AftTraceBuilder *builder)
{
    for (guint d = 0; d < AFT_DIRECTIONS && builder->figures != NULL; d++) {
        aft_histogram_add_packed(builder->latency[d], builder->figures->latency[d],
                                 builder->figures_weight);
    }
    builder->figures = NULL;
    builder->figures_weight = 0.0;
}

/* Most rows are of one state, whose percentiles are known. */
static void take_latencies(AftTraceBuilder *builder, const AftSpan *span, double weight)
{
    gboolean empty = builder->latency[AFT_READ]->count + builder->latency[AFT_WRITE]->count == 0.0;
    if (span->figures != NULL &&
        (builder->figures == span->figures || (builder->figures == NULL && empty))) {
        builder->figures = span->figures;
        builder->figures_weight += weight;
        return;
    }
    mix_figures(builder);
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        aft_span_add_latencies(span, (AftDirection)d, weight, builder->latency[d]);
    }
}

static double mean_ms(const AftPackedHistogram *latency)
{
    return latency->count > 0.0 ? latency->sum_ns / latency->count / 1e6 : NAN;
}

static void fill_remembered(const AftTraceBuilder *builder, double length_s, AftTraceRow *row)
{
    const AftFigures *figures = builder->figures;
    const double *read_ms = figures->percentile_ms[AFT_READ];
    const double *write_ms = figures->percentile_ms[AFT_WRITE];
    double per_s = builder->figures_weight / length_s;
    row->read_iops = per_s * figures->latency[AFT_READ]->count;
    row->write_iops = per_s * figures->latency[AFT_WRITE]->count;
    row->read_mean_ms = mean_ms(figures->latency[AFT_READ]);
    row->read_p50_ms = read_ms[AFT_FIGURES_P50];
    row->read_p95_ms = read_ms[AFT_FIGURES_P95];
    row->read_p99_ms = read_ms[AFT_FIGURES_P99];
    row->write_mean_ms = mean_ms(figures->latency[AFT_WRITE]);
    row->write_p50_ms = write_ms[AFT_FIGURES_P50];
    row->write_p95_ms = write_ms[AFT_FIGURES_P95];
    row->write_p99_ms = write_ms[AFT_FIGURES_P99];
}

static void fill_latencies(const AftTraceBuilder *builder, double length_s, AftTraceRow *row)
{
    const AftHistogram *reads = builder->latency[AFT_READ];
    const AftHistogram *writes = builder->latency[AFT_WRITE];
    if (builder->figures != NULL) {
        fill_remembered(builder, length_s, row);
        return;
    }
    row->read_iops = reads->count / length_s;
    row->write_iops = writes->count / length_s;
    row->read_mean_ms = aft_histogram_mean(reads) / 1e6;
    row->read_p50_ms = percentile_ms(reads, 0.50);
    row->read_p95_ms = percentile_ms(reads, 0.95);
    row->read_p99_ms = percentile_ms(reads, 0.99);
    row->write_mean_ms = aft_histogram_mean(writes) / 1e6;
    row->write_p50_ms = percentile_ms(writes, 0.50);
    row->write_p95_ms = percentile_ms(writes, 0.95);
    row->write_p99_ms = percentile_ms(writes, 0.99);
}

static void end_row(AftTraceBuilder *builder)
{
    AftTraceRow row;
    double length_s = (double)(builder->at_ns - builder->row_ns) / 1e9;
    aft_trace_row_init(&row, builder->phase);
    row.time_s = (double)builder->row_ns / 1e9;
    fill_latencies(builder, length_s, &row);
    row.read_mb_per_s = builder->bytes[AFT_READ] / length_s / 1e6;
    row.write_mb_per_s = builder->bytes[AFT_WRITE] / length_s / 1e6;
    row.owed_ios = round(builder->owed);
    row.degraded_pgs = round(builder->degraded);
    row.lost_pgs = round(builder->lost);
    row.rebuild_mb_per_s = builder->moved_bytes[AFT_TASK_REBUILD] / length_s / 1e6;
    double placed_bytes =
        builder->moved_bytes[AFT_TASK_REBALANCE] + builder->moved_bytes[AFT_TASK_EVACUATE];
    row.rebalance_mb_per_s = placed_bytes / length_s / 1e6;
    row.destage_mb_per_s =
        isnan(builder->buffer_fill) ? NAN : builder->destaged_bytes / length_s / 1e6;
    row.convert_mb_per_s = builder->moved_bytes[AFT_TASK_CONVERT] / length_s / 1e6;
    row.encode_mb_per_s = builder->moved_bytes[AFT_TASK_ENCODE] / length_s / 1e6;
    gboolean scrubs = builder->scenario->background.scrub_every_ns != G_MAXINT64;
    row.scrub_mb_per_s = scrubs ? builder->moved_bytes[AFT_TASK_SCRUB] / length_s / 1e6 : NAN;
    row.used_bytes = round(builder->used_bytes);
    row.buffer_fill = builder->buffer_fill;
    row.controller_util = aft_use_share(&builder->use[AFT_USE_CONTROLLER]);
    row.nic_util = aft_use_share(&builder->use[AFT_USE_NIC]);
    row.cache_util = aft_use_share(&builder->use[AFT_USE_CACHE]);
    row.capacity_util = aft_use_share(&builder->use[AFT_USE_CAPACITY]);
    row.simulated_s = builder->simulated_s;
    g_array_append_val(builder->result->trace, row);
}

/* Past their tolerance, be it for a sector. */
static double lost_groups(const AftMoment *moment)
{
    return moment->lost_groups + moment->harmed_groups;
}

static double between(double before, double after, double share)
{
    return before + (after - before) * share;
}

/* Up to its end all goes evenly; what happens there comes at once. */
static void take_moment(AftTraceBuilder *builder, const AftSpan *span, gint64 to_ns)
{
    double length_ns = (double)(span->end_ns - span->start_ns);
    double at = (double)(to_ns - span->start_ns) / length_ns;
    const AftMoment *from = &span->before, *to = at < 1.0 ? &span->reached : &span->after;
    builder->owed = between((double)from->owed, (double)to->owed, at);
    builder->degraded = between(from->degraded_groups, to->degraded_groups, at);
    builder->lost = between(lost_groups(from), lost_groups(to), at);
    builder->used_bytes = between(from->used_bytes, to->used_bytes, at);
    builder->buffer_fill = between(from->buffer_fill, to->buffer_fill, at);
}

/* Takes into the row the part of @span up to @to_ns. */
static void take_part(AftTraceBuilder *builder, const AftSpan *span, gint64 to_ns)
{
    double length_ns = (double)(span->end_ns - span->start_ns);
    double share = (double)(to_ns - builder->at_ns) / length_ns;
    double weight = share * aft_span_weight(span);
    take_latencies(builder, span, weight);
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        builder->bytes[d] += weight * span->bytes[d];
    }
    for (guint use = 0; use < AFT_USES; use++) {
        builder->use[use].busy_ns += weight * span->use[use].busy_ns;
        builder->use[use].capable_ns += weight * span->use[use].capable_ns;
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        builder->moved_bytes[task] += share * span->moved_bytes[task];
    }
    builder->destaged_bytes += share * span->destaged_bytes;
    builder->simulated_s += share * span->simulated_s;
    take_moment(builder, span, to_ns);
    builder->at_ns = to_ns;
}

void aft_trace_builder_add(AftTraceBuilder *builder, const AftSpan *span)
{
    if (!builder->begun) {
        begin_row(builder, span->start_ns);
        builder->begun = TRUE;
    }
    g_assert(span->start_ns == builder->at_ns);
    while (builder->at_ns < span->end_ns) {
        if (builder->at_ns == builder->row_ns) {
            builder->phase = span->phase;
        }
        gint64 row_end_ns = builder->row_ns + builder->interval_ns;
        take_part(builder, span, MIN(row_end_ns, span->end_ns));
        if (builder->at_ns == row_end_ns) {
            end_row(builder);
            begin_row(builder, row_end_ns);
        }
    }
}

void aft_trace_builder_finish(AftTraceBuilder *builder)
{
    if (builder->at_ns > builder->row_ns) {
        end_row(builder);
        begin_row(builder, builder->at_ns);
    }
}
