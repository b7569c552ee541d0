/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "phase_builder.h"

#include "requirement.h"

#include <aftershock/stats/batches.h>
#include <aftershock/stats/quantiles.h>

#include <math.h>

/* Buckets of a histogram that latency.csv has as one. */
#define LATENCY_STEP (1u << (AFT_HISTOGRAM_BITS - 5))

enum { P50, P95, P99, P995, PERCENTILES };
static const double percentiles[PERCENTILES] = {0.50, 0.95, 0.99, 0.995};

typedef struct {
    AftHistogram *latency; /* of the phase, weighted */
    AftBatches rate, mean;
    AftQuantiles quantiles;
    double waited_ns, bytes;
} Direction;

struct AftPhaseBuilder {
    const AftScenario *scenario;
    AftPhase phase;
    gint64 start_ns;
    guint flags;
    double simulated_s;
    Direction direction[AFT_DIRECTIONS];
    AftBatches rate;
    AftUse use[AFT_USES];
    double moved_bytes[AFT_TASKS];
    double shed, destaged_bytes;
    gboolean remembers; /* some of it */
    AftMoment last;
};

AftPhaseBuilder *aft_phase_builder_new(const AftScenario *scenario)
{
    AftPhaseBuilder *builder = g_new0(AftPhaseBuilder, 1);
    builder->scenario = scenario;
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        builder->direction[d].latency = aft_histogram_new();
    }
    return builder;
}

void aft_phase_builder_free(AftPhaseBuilder *builder)
{
    if (builder != NULL) {
        for (guint d = 0; d < AFT_DIRECTIONS; d++) {
            aft_histogram_free(builder->direction[d].latency);
        }
        g_free(builder);
    }
}

static void begin_direction(Direction *direction)
{
    aft_histogram_clear(direction->latency);
    aft_batches_init(&direction->rate);
    aft_batches_init(&direction->mean);
    aft_quantiles_init(&direction->quantiles);
    direction->waited_ns = direction->bytes = 0.0;
}

void aft_phase_builder_begin(AftPhaseBuilder *builder, AftPhase phase, gint64 start_ns)
{
    builder->phase = phase;
    builder->start_ns = start_ns;
    builder->flags = 0;
    builder->remembers = FALSE;
    builder->simulated_s = builder->shed = builder->destaged_bytes = 0.0;
    builder->last = (AftMoment){0};
    aft_batches_init(&builder->rate);
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        begin_direction(&builder->direction[d]);
    }
    for (guint use = 0; use < AFT_USES; use++) {
        builder->use[use] = (AftUse){0};
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        builder->moved_bytes[task] = 0.0;
    }
}

static void add_direction(Direction *direction, const AftSpan *span, AftDirection d)
{
    double weight = aft_span_weight(span), ios = aft_span_ios(span, d);
    aft_span_add_latencies(span, d, weight, direction->latency);
    if (span->figures == NULL) { /* what is remembered has no chance of its own */
        aft_quantiles_add(&direction->quantiles, span->latency[d], weight);
    }
    aft_batches_add(&direction->rate, ios, span->measured_s, weight);
    aft_batches_add(&direction->mean, aft_span_latency_ns(span, d), ios, weight);
    direction->waited_ns += weight * span->waited_ns[d];
    direction->bytes += weight * span->bytes[d];
}

void aft_phase_builder_add(AftPhaseBuilder *builder, const AftSpan *span)
{
    double weight = aft_span_weight(span);
    double ios = aft_span_ios(span, AFT_READ) + aft_span_ios(span, AFT_WRITE);
    builder->flags |= span->flags;
    builder->remembers |= span->figures != NULL;
    builder->simulated_s += span->simulated_s;
    builder->shed += span->shed;
    builder->destaged_bytes += span->destaged_bytes;
    builder->last = span->after;
    aft_batches_add(&builder->rate, ios, span->measured_s, weight);
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        add_direction(&builder->direction[d], span, (AftDirection)d);
    }
    for (guint use = 0; use < AFT_USES; use++) {
        builder->use[use].busy_ns += weight * span->use[use].busy_ns;
        builder->use[use].capable_ns += weight * span->use[use].capable_ns;
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        builder->moved_bytes[task] += span->moved_bytes[task];
    }
}

/* Spans that were not measured but remembered do not differ by chance. */
static double half_width(const AftPhaseBuilder *builder, const AftBatches *batches)
{
    return builder->remembers ? NAN
                              : aft_batches_half_width(batches, builder->scenario->run.confidence);
}

/* Likewise. */
static double percentile_half_width(const AftPhaseBuilder *builder, const Direction *direction,
                                    double p)
{
    return builder->remembers ? NAN
                              : aft_quantiles_half_width(&direction->quantiles, direction->latency,
                                                         p, builder->scenario->run.confidence);
}

/* Where a direction's figures stand in a row. */
typedef struct {
    gsize iops, iops_ci, mean_ms, mean_ci_ms;
    gsize percentile_ms[PERCENTILES], percentile_ci_ms[PERCENTILES];
    gsize response_mean_ms, mb_per_s;
} Columns;

#define AT(member) G_STRUCT_OFFSET(AftPhaseRow, member)

static const Columns columns[AFT_DIRECTIONS] = {
    [AFT_READ] = {AT(read_iops),
                  AT(read_iops_ci),
                  AT(read_mean_ms),
                  AT(read_mean_ci_ms),
                  {AT(read_p50_ms), AT(read_p95_ms), AT(read_p99_ms), AT(read_p995_ms)},
                  {AT(read_p50_ci_ms), AT(read_p95_ci_ms), AT(read_p99_ci_ms), AT(read_p995_ci_ms)},
                  AT(read_response_mean_ms),
                  AT(read_mb_per_s)},
    [AFT_WRITE] = {AT(write_iops),
                   AT(write_iops_ci),
                   AT(write_mean_ms),
                   AT(write_mean_ci_ms),
                   {AT(write_p50_ms), AT(write_p95_ms), AT(write_p99_ms), AT(write_p995_ms)},
                   {AT(write_p50_ci_ms), AT(write_p95_ci_ms), AT(write_p99_ci_ms),
                    AT(write_p995_ci_ms)},
                   AT(write_response_mean_ms),
                   AT(write_mb_per_s)},
};

static void set(AftPhaseRow *row, gsize column, double value)
{
    G_STRUCT_MEMBER(double, row, column) = value;
}

static void fill_direction(const AftPhaseBuilder *builder, AftDirection d, double length_s,
                           AftPhaseRow *row)
{
    const Direction *direction = &builder->direction[d];
    const Columns *column = &columns[d];
    double mean_ns = aft_histogram_mean(direction->latency);
    set(row, column->iops, aft_batches_ratio(&direction->rate));
    set(row, column->iops_ci, half_width(builder, &direction->rate));
    set(row, column->mean_ms, mean_ns / 1e6);
    set(row, column->mean_ci_ms, half_width(builder, &direction->mean) / 1e6);
    for (guint p = 0; p < PERCENTILES; p++) {
        set(row, column->percentile_ms[p],
            aft_histogram_quantile(direction->latency, percentiles[p]) / 1e6);
        set(row, column->percentile_ci_ms[p],
            percentile_half_width(builder, direction, percentiles[p]) / 1e6);
    }
    set(row, column->response_mean_ms,
        (mean_ns + direction->waited_ns / direction->latency->count) / 1e6);
    set(row, column->mb_per_s, direction->bytes / length_s / 1e6);
}

static char *flags_text(guint flags)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint rest = flags; rest != 0; rest &= rest - 1) {
        g_string_append_printf(text, "%s%s", text->len > 0 ? "+" : "", aft_flag_name(rest & -rest));
    }
    return g_strdup(text->str);
}

static double or_zero(double value)
{
    return isnan(value) ? 0.0 : value;
}

static guint missed(const AftPhaseBuilder *builder, const AftPhaseRow *row)
{
    AftAchieved achieved = {
        .iops = row->iops,
        .iops_margin = or_zero(row->iops_ci),
        .read_ns = row->read_mean_ms * 1e6,
        .read_margin_ns = or_zero(row->read_mean_ci_ms) * 1e6,
        .write_ns = row->write_mean_ms * 1e6,
        .write_margin_ns = or_zero(row->write_mean_ci_ms) * 1e6,
    };
    return aft_requirement_missed(&builder->scenario->requirement, &achieved);
}

guint aft_phase_builder_finish(AftPhaseBuilder *builder, gint64 end_ns, AftPhaseRow *ret_row)
{
    aft_phase_row_init(ret_row, builder->phase);
    double length_s = (double)(end_ns - builder->start_ns) / 1e9;
    ret_row->start_s = (double)builder->start_ns / 1e9;
    ret_row->duration_s = length_s;
    ret_row->iops = aft_batches_ratio(&builder->rate);
    ret_row->iops_ci = half_width(builder, &builder->rate);
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        fill_direction(builder, (AftDirection)d, length_s, ret_row);
    }
    ret_row->owed_ios_end = (double)builder->last.owed;
    ret_row->shed_ios = builder->shed;
    ret_row->rebuild_bytes = builder->moved_bytes[AFT_TASK_REBUILD];
    /* Members move to another place, whatever for. */
    ret_row->rebalance_bytes =
        builder->moved_bytes[AFT_TASK_REBALANCE] + builder->moved_bytes[AFT_TASK_EVACUATE];
    ret_row->destage_bytes = isnan(builder->last.buffer_fill) ? NAN : builder->destaged_bytes;
    ret_row->convert_bytes = builder->moved_bytes[AFT_TASK_CONVERT];
    ret_row->encode_bytes = builder->moved_bytes[AFT_TASK_ENCODE];
    gboolean scrubs = builder->scenario->background.scrub_every_ns != G_MAXINT64;
    ret_row->scrub_bytes = scrubs ? builder->moved_bytes[AFT_TASK_SCRUB] : NAN;
    ret_row->controller_util = aft_use_share(&builder->use[AFT_USE_CONTROLLER]);
    ret_row->nic_util = aft_use_share(&builder->use[AFT_USE_NIC]);
    ret_row->cache_util = aft_use_share(&builder->use[AFT_USE_CACHE]);
    ret_row->capacity_util = aft_use_share(&builder->use[AFT_USE_CAPACITY]);
    ret_row->simulated_s = builder->simulated_s;
    ret_row->lost_pgs = builder->last.lost_groups + builder->last.harmed_groups;
    g_free(ret_row->requirement);
    guint bits = missed(builder, ret_row);
    ret_row->requirement = aft_requirement_text(&builder->scenario->requirement, bits);
    g_free(ret_row->flags);
    ret_row->flags = flags_text(builder->flags);
    return bits;
}

static void append_direction(const AftPhaseBuilder *builder, AftDirection d, GArray *latency)
{
    const AftHistogram *histogram = builder->direction[d].latency;
    AftHistogramStep step;
    double count = 0.0;
    for (guint at = 0; aft_histogram_step(histogram, LATENCY_STEP, &at, &step);) {
        count += step.count;
        AftLatencyRow row = {
            .phase = builder->phase,
            .start_s = (double)builder->start_ns / 1e9,
            .write = d == AFT_WRITE,
            .upper_ms = step.upper_ns / 1e6,
            .count = step.count,
            .share = MIN(count / histogram->count, 1.0),
        };
        g_array_append_val(latency, row);
    }
}

void aft_phase_builder_append_latency(const AftPhaseBuilder *builder, GArray *latency)
{
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        append_direction(builder, (AftDirection)d, latency);
    }
}

static double relative(const AftPhaseBuilder *builder, const AftBatches *batches)
{
    double ratio = aft_batches_ratio(batches);
    return ratio > 0.0 ? half_width(builder, batches) / ratio : 0.0;
}

AftPrecision aft_phase_builder_precision(const AftPhaseBuilder *builder)
{
    double worst = relative(builder, &builder->rate);
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        double mean = relative(builder, &builder->direction[d].mean);
        worst = isnan(mean) || mean > worst ? mean : worst;
    }
    return (AftPrecision){
        .worst = worst / builder->scenario->run.precision,
        .simulated_s = builder->simulated_s,
    };
}
