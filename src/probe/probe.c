/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/probe/probe.h>

#include "figures_parts.h"
#include "judge.h"
#include "phase_builder.h"
#include "requirement.h"
#include "span.h"
#include "trace_builder.h"

#include <aftershock/scenario/nodes.h>
#include <math.h>
#include <string.h>

struct AftProbe {
    const AftScenario *scenario;
    AftResult *result;
    AftModel *model;
    const AftEngine *engine;
    AftPhaseBuilder *phase;
    AftTraceBuilder *trace;
    AftJudge *judge;
    AftSpan span;
    gboolean measuring;
    gint64 opened_ns, measured_from_ns; /* engine time */
    AftUse use_before[AFT_USES];
    double moved_before[AFT_TASKS];
    gint64 shed_before;
    double destaged_before;
    gboolean phase_ended; /* no span of the next one has been added yet */
    gboolean reached;     /* the end of the span, but for what happens there */
    gboolean instant;     /* the last span had no length: what happened in it belongs to the next */
    guint latency_before; /* rows of latencies before those of the last phase */
    guint missed;         /* by any phase so far, as AftMissed bits */
    AftFigures *gathered; /* (nullable, borrowed): spans are added to it as well */
    const AftFigures *recalled; /* (nullable, borrowed): what the last span was */
};

AftProbe *aft_probe_new(const AftScenario *scenario, AftResult *result)
{
    AftProbe *probe = g_new0(AftProbe, 1);
    probe->scenario = scenario;
    probe->result = result;
    probe->phase = aft_phase_builder_new(scenario);
    probe->trace = aft_trace_builder_new(scenario, result);
    probe->judge = aft_judge_new(scenario);
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        probe->span.latency[d] = aft_histogram_new();
    }
    return probe;
}

void aft_probe_free(AftProbe *probe)
{
    if (probe != NULL) {
        aft_phase_builder_free(probe->phase);
        aft_trace_builder_free(probe->trace);
        aft_judge_free(probe->judge);
        for (guint d = 0; d < AFT_DIRECTIONS; d++) {
            aft_histogram_free(probe->span.latency[d]);
        }
        g_free(probe);
    }
}

void aft_probe_completed(void *context, const AftCompletion *completion)
{
    AftProbe *probe = context;
    if (probe->measuring) {
        AftDirection d = completion->write ? AFT_WRITE : AFT_READ;
        aft_histogram_record(probe->span.latency[d], completion->latency_ns);
        probe->span.waited_ns[d] += (double)completion->waited_ns;
        probe->span.bytes[d] += (double)completion->bytes;
    }
    probe->result->simulated_ios++;
}

static void note_loss(AftProbe *probe, double now_s)
{
    AftLoss *loss = &probe->result->loss;
    AftMoment moment = aft_model_moment(probe->model);
    if (isnan(loss->first_s)) {
        loss->first_s = now_s;
    }
    loss->lost_pgs = MAX(loss->lost_pgs, moment.lost_groups + moment.harmed_groups);
    loss->lost_bytes = MAX(loss->lost_bytes, moment.lost_bytes);
}

void aft_probe_happened(void *context, const char *event, const char *subject, const char *detail)
{
    AftProbe *probe = context;
    AftEventRow row = {
        .time_s = (double)aft_engine_scenario_now(probe->engine) / 1e9,
        .event = g_strdup(event),
        .subject = g_strdup(subject),
        .detail = g_strdup(detail),
    };
    if (g_str_equal(event, "loss") || g_str_equal(event, "sector-loss")) {
        note_loss(probe, row.time_s);
    }
    AftUndone undone = aft_event_undone(event);
    if (undone < AFT_UNDONE_KINDS) {
        probe->result->undone[undone]++;
    }
    g_array_append_val(probe->result->timeline, row);
}

void aft_probe_begin(AftProbe *probe, AftModel *model, const AftEngine *engine)
{
    probe->model = model;
    probe->engine = engine;
    probe->phase_ended = TRUE;
}

static void measure_from_here(AftProbe *probe)
{
    probe->measuring = TRUE;
    probe->measured_from_ns = aft_engine_now(probe->engine);
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        aft_histogram_clear(probe->span.latency[d]);
        probe->span.waited_ns[d] = probe->span.bytes[d] = 0.0;
    }
    for (guint use = 0; use < AFT_USES; use++) {
        probe->use_before[use] = aft_model_use(probe->model, (AftUseKind)use);
    }
}

static void count_from_here(AftProbe *probe)
{
    probe->span.flags = 0;
    probe->shed_before = aft_model_shed(probe->model);
    probe->destaged_before = aft_model_destaged_bytes(probe->model);
    for (guint task = 0; task < AFT_TASKS; task++) {
        probe->moved_before[task] = aft_model_moved_bytes(probe->model, (AftTaskKind)task);
    }
    measure_from_here(probe);
}

void aft_probe_open(AftProbe *probe)
{
    AftSpan *span = &probe->span;
    probe->recalled = NULL;
    if (!probe->instant) {
        count_from_here(probe);
    }
    probe->measuring = TRUE;
    probe->opened_ns = aft_engine_now(probe->engine);
    span->start_ns = aft_engine_scenario_now(probe->engine);
    span->phase = aft_model_phase(probe->model);
    span->flags |= aft_model_flags(probe->model);
    span->before = aft_model_moment(probe->model);
    probe->reached = FALSE;
}

void aft_probe_reach(AftProbe *probe)
{
    probe->span.reached = aft_model_moment(probe->model);
    probe->reached = TRUE;
}

void aft_probe_restart(AftProbe *probe)
{
    measure_from_here(probe);
}

void aft_probe_flag(AftProbe *probe, guint flag)
{
    probe->span.flags |= flag;
}

void aft_probe_stop(AftProbe *probe)
{
    AftSpan *span = &probe->span;
    gint64 now_ns = aft_engine_now(probe->engine);
    probe->measuring = FALSE;
    span->measured_s = (double)(now_ns - probe->measured_from_ns) / 1e9;
    span->simulated_s = (double)(now_ns - probe->opened_ns) / 1e9;
    for (guint i = 0; i < AFT_USES; i++) {
        AftUse use = aft_model_use(probe->model, (AftUseKind)i);
        span->use[i].busy_ns = use.busy_ns - probe->use_before[i].busy_ns;
        span->use[i].capable_ns = use.capable_ns - probe->use_before[i].capable_ns;
    }
}

/* A phase goes on where nothing but an instant of another lay between. */
static void begin_phase_with(AftProbe *probe, const AftSpan *span)
{
    GArray *phases = probe->result->phases;
    if (phases->len > 0 &&
        g_array_index(phases, AftPhaseRow, phases->len - 1).phase == span->phase) {
        g_array_set_size(phases, phases->len - 1);
        g_array_set_size(probe->result->latency, probe->latency_before);
    } else {
        aft_phase_builder_begin(probe->phase, span->phase, span->start_ns);
    }
    probe->phase_ended = FALSE;
}

/* Ends the span here. Returns: FALSE when it has no length. */
static gboolean end_span(AftProbe *probe)
{
    AftSpan *span = &probe->span;
    span->end_ns = aft_engine_scenario_now(probe->engine);
    probe->instant = span->end_ns == span->start_ns;
    if (!probe->instant && probe->phase_ended) {
        begin_phase_with(probe, span);
    }
    return !probe->instant;
}

static void add_span(AftProbe *probe)
{
    AftSpan *span = &probe->span;
    span->after = aft_model_moment(probe->model);
    span->reached = probe->reached ? span->reached : span->after;
    span->shed = (double)(aft_model_shed(probe->model) - probe->shed_before);
    for (guint task = 0; task < AFT_TASKS; task++) {
        span->moved_bytes[task] =
            aft_model_moved_bytes(probe->model, (AftTaskKind)task) - probe->moved_before[task];
    }
    span->destaged_bytes = aft_model_destaged_bytes(probe->model) - probe->destaged_before;
    aft_phase_builder_add(probe->phase, span);
    aft_trace_builder_add(probe->trace, span);
    aft_judge_add(probe->judge, span);
    if (probe->gathered != NULL) {
        aft_figures_add(probe->gathered, span);
    }
}

void aft_probe_close(AftProbe *probe)
{
    if (probe->measuring) {
        aft_probe_stop(probe);
    }
    if (end_span(probe)) {
        add_span(probe);
    }
}

void aft_probe_gather(AftProbe *probe, AftFigures *figures)
{
    if (probe->gathered != NULL) {
        aft_figures_finish(probe->gathered);
    }
    probe->gathered = figures;
}

void aft_probe_recall(AftProbe *probe, const AftFigures *figures, double waited_ns)
{
    AftSpan *span = &probe->span;
    probe->measuring = FALSE;
    span->figures = figures;
    span->flags |= figures->flags;
    span->measured_s = figures->length_s;
    span->simulated_s = 0.0;
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        double count = figures->latency[d]->count;
        span->waited_ns[d] = waited_ns >= 0.0 ? waited_ns * count : figures->waited_ns[d];
        span->bytes[d] = figures->bytes[d];
    }
    memcpy(span->use, figures->use, sizeof span->use);
    if (end_span(probe)) {
        add_span(probe);
    }
    span->figures = NULL;
    probe->recalled = figures;
}

void aft_probe_next_phase(AftProbe *probe)
{
    gint64 now_ns = aft_engine_scenario_now(probe->engine);
    if (!probe->phase_ended) {
        AftPhaseRow row;
        probe->missed |= aft_phase_builder_finish(probe->phase, now_ns, &row);
        g_array_append_val(probe->result->phases, row);
        probe->latency_before = probe->result->latency->len;
        if (probe->result->phases->len <= AFT_LATENCY_PHASES) {
            aft_phase_builder_append_latency(probe->phase, probe->result->latency);
        }
        probe->phase_ended = TRUE;
    }
}

static void fill_space(AftProbe *probe)
{
    AftSpace *space = &probe->result->space;
    const AftScenario *scenario = probe->scenario;
    for (guint i = 0; i < scenario->n_pools; i++) {
        space->logical_bytes += (double)scenario->pools[i].logical_bytes;
    }
    space->protected_bytes = aft_model_protected_bytes(probe->model);
    space->stored_bytes = aft_model_moment(probe->model).used_bytes;
    space->saved_bytes = 2.0 * space->logical_bytes - space->stored_bytes;
    guint nodes = aft_nodes_at(scenario, aft_engine_scenario_now(probe->engine));
    for (guint node = 0; node < nodes; node++) {
        space->raw_bytes += aft_node_capacity_bytes(scenario->cluster.sites[node].spec);
    }
}

void aft_probe_finish(AftProbe *probe)
{
    AftResult *result = probe->result;
    aft_probe_next_phase(probe);
    aft_trace_builder_finish(probe->trace);
    result->missed_s = aft_judge_finish(probe->judge, result);
    result->simulated_s = (double)aft_engine_now(probe->engine) / 1e9;
    result->shed_lost_ios = (guint64)aft_model_shed_lost(probe->model);
    result->events = aft_engine_executed(probe->engine);
    g_free(result->requirement);
    result->requirement = aft_requirement_text(&probe->scenario->requirement, probe->missed);
    fill_space(probe);
}

AftPrecision aft_probe_precision(const AftProbe *probe)
{
    return aft_phase_builder_precision(probe->phase);
}

double aft_probe_iops(const AftProbe *probe)
{
    const AftSpan *span = &probe->span;
    double ios = span->latency[AFT_READ]->count + span->latency[AFT_WRITE]->count;
    double measured_s =
        probe->measuring ? (double)(aft_engine_now(probe->engine) - probe->measured_from_ns) / 1e9
                         : span->measured_s;
    return measured_s > 0.0 ? ios / measured_s : 0.0;
}

static double mean_ms(const AftSpan *span, AftDirection d)
{
    double ios = aft_span_ios(span, d);
    return ios > 0.0 ? aft_span_latency_ns(span, d) / ios / 1e6 : NAN;
}

AftGlance aft_probe_glance(const AftProbe *probe)
{
    AftSpan last = probe->span;
    last.figures = probe->recalled;
    double ios = aft_span_ios(&last, AFT_READ) + aft_span_ios(&last, AFT_WRITE);
    return (AftGlance){
        .iops = last.measured_s > 0.0 ? ios / last.measured_s : NAN,
        .read_mean_ms = mean_ms(&last, AFT_READ),
        .write_mean_ms = mean_ms(&last, AFT_WRITE),
    };
}

double aft_probe_utilisation(const AftProbe *probe)
{
    double most = 0.0;
    for (guint i = 0; i < AFT_USES; i++) {
        most = fmax(most, aft_use_share(&probe->span.use[i])); /* NaN loses */
    }
    return most;
}
