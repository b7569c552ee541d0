/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/run/run.h>

#include "walk.h"

#include <aftershock/base/error.h>
#include <aftershock/model/heat.h>
#include <aftershock/scenario/nodes.h>
#include <aftershock/scenario/schemes.h>

#define MOST_BYTES  16e9
#define MOST_SCORES 1e10 /* about a minute */

static gint64 now_ns(const AftWalk *walk)
{
    return aft_engine_scenario_now(walk->engine);
}

gint64 aft_walk_end_ns(const AftWalk *walk)
{
    const AftRunSpec *run = &walk->scenario->run;
    if (run->until == AFT_UNTIL_STEADY && aft_model_is_settled(walk->model)) {
        gint64 settled_ns = MAX(walk->phase_began_ns, walk->changed_ns) + run->settle_ns;
        return MIN(MAX(settled_ns, now_ns(walk)), run->duration_ns);
    }
    return run->duration_ns;
}

static gboolean is_interrupted(const AftWalk *walk)
{
    return walk->options->interrupted != NULL && g_atomic_int_get(walk->options->interrupted) != 0;
}

gboolean aft_walk_is_over(const AftWalk *walk)
{
    return now_ns(walk) >= aft_walk_end_ns(walk) || is_interrupted(walk) ||
           aft_model_error(walk->model) != NULL;
}

static void tell_progress(const AftWalk *walk)
{
    if (walk->options->progress != NULL) {
        AftProgress progress = {
            .done = (double)now_ns(walk) / (double)walk->scenario->run.duration_ns,
            .phase = aft_phase_name(walk->phase),
            .scenario_s = (double)now_ns(walk) / 1e9,
        };
        walk->options->progress(&progress, walk->options->context);
    }
    const AftRunObserver *observer = walk->options->observer;
    if (observer != NULL) {
        observer->moved(observer->context, walk);
    }
}

static void phase_changed(void *context)
{
    AftWalk *walk = context;
    aft_engine_stop(walk->engine);
}

static void load_changed(void *context)
{
    AftWalk *walk = context;
    walk->disturbed = TRUE;
    aft_engine_stop(walk->engine);
}

static void disturbed(void *context)
{
    AftWalk *walk = context;
    walk->changed = TRUE;
    load_changed(walk);
}

static void completed(void *context, const AftCompletion *completion)
{
    AftWalk *walk = context;
    aft_probe_completed(walk->probe, completion);
    if (is_interrupted(walk)) { /* the clock may stand still, with I/O that takes no time */
        aft_engine_stop(walk->engine);
    }
}

static void happened(void *context, const char *event, const char *subject, const char *detail)
{
    const AftWalk *walk = context;
    aft_probe_happened(walk->probe, event, subject, detail);
}

AftModelWatch aft_walk_watch(AftWalk *walk)
{
    return (AftModelWatch){walk, completed, phase_changed, happened, disturbed, load_changed};
}

gboolean aft_walk_run(AftWalk *walk, gint64 until_ns)
{
    gboolean reached = aft_engine_run(walk->engine, until_ns);
    return reached && !walk->disturbed && aft_model_phase(walk->model) == walk->phase;
}

void aft_walk_note_changes(AftWalk *walk)
{
    if (aft_model_phase(walk->model) != walk->phase) {
        aft_probe_next_phase(walk->probe);
        walk->phase = aft_model_phase(walk->model);
        walk->phase_began_ns = now_ns(walk);
        walk->windows = 0;
        walk->disturbed = walk->changed = TRUE;
        aft_model_audit(walk->model);
    }
    if (walk->disturbed) {
        walk->changed_ns = walk->changed ? now_ns(walk) : walk->changed_ns;
        walk->changed = FALSE;
        if (walk->pace != NULL) {
            aft_pace_forget(walk->pace);
        }
    }
    tell_progress(walk);
}

void aft_walk_close_span(AftWalk *walk)
{
    aft_probe_close(walk->probe);
    aft_walk_note_changes(walk);
}

gboolean aft_walk_simulate(AftWalk *walk, gint64 until_ns, gint64 span_ns)
{
    walk->disturbed = FALSE;
    while (!walk->disturbed && now_ns(walk) < until_ns && !aft_walk_is_over(walk)) {
        aft_probe_open(walk->probe);
        gint64 end_ns = MIN(until_ns, aft_walk_end_ns(walk));
        aft_walk_run(walk, MIN(now_ns(walk) + span_ns, end_ns));
        aft_walk_close_span(walk);
    }
    return !walk->disturbed;
}

/* Batches of about a second are beyond the memory of most systems' queues, and a trace interval
 * has some of them. */
static gint64 span_ns(const AftScenario *scenario)
{
    const gint64 second_ns = 1000000000;
    gint64 interval_ns = scenario->run.trace_interval_ns;
    return interval_ns <= second_ns ? interval_ns : interval_ns / (interval_ns / second_ns);
}

static void walk_every_io(AftWalk *walk)
{
    while (!aft_walk_is_over(walk)) {
        aft_walk_simulate(walk, walk->scenario->run.duration_ns, span_ns(walk->scenario));
    }
}

static const char *fidelity_name(AftFidelity fidelity)
{
    static const char *const names[] = {
        [AFT_FIDELITY_IO] = "io",
        [AFT_FIDELITY_SAMPLED] = "sampled",
        [AFT_FIDELITY_FLOW] = "flow",
    };
    return names[fidelity];
}

static void describe(AftResult *result, const AftScenario *scenario, const AftRunOptions *options)
{
    result->scenario = g_strdup(scenario->name);
    result->label = g_strdup(options->label != NULL ? options->label : scenario->name);
    result->scenario_sha256 = aft_scenario_digest(scenario);
    result->seed = scenario->run.seed;
    result->version = g_strdup(AFT_VERSION);
    result->fidelity = g_strdup(fidelity_name(scenario->run.fidelity));
    result->confidence = scenario->run.confidence;
    result->precision = scenario->run.precision;
    result->required_iops = scenario->requirement.iops;
    result->required_read_ms = (double)scenario->requirement.read_ns / 1e6;
    result->required_write_ms = (double)scenario->requirement.write_ns / 1e6;
}

static gboolean is_flow(const AftWalk *walk)
{
    return walk->scenario->run.fidelity == AFT_FIDELITY_FLOW;
}

static void walk_to_end(AftWalk *walk, AftRates *own, GError **error)
{
    aft_probe_begin(walk->probe, walk->model, walk->engine);
    walk->phase = aft_model_phase(walk->model);
    if (walk->scenario->run.fidelity == AFT_FIDELITY_IO) {
        walk_every_io(walk);
    } else if (is_flow(walk)) {
        aft_walk_flow(walk, own, error);
    } else {
        aft_walk_sampled(walk);
    }
    aft_model_audit(walk->model);
    walk->result->interrupted = now_ns(walk) < aft_walk_end_ns(walk);
    aft_model_tell_unfinished(walk->model);
    aft_probe_finish(walk->probe);
}

/* Members of pool @index, under the widest of the protections it comes to: of copies and of strips,
 * if it has both. */
static double members_needed(const AftScenario *scenario, guint index)
{
    const AftPoolSpec *pool = &scenario->pools[index];
    double width = MAX(aft_scheme_width(&pool->initial), aft_scheme_width(&pool->encoded));
    double groups = 1.0; /* for one of those it begins with */
    guint data = pool->encoded.data;
    for (guint i = 0; i < scenario->n_timeline; i++) {
        const AftAction *action = &scenario->timeline[i];
        if (action->kind == AFT_ACTION_CONVERT && action->pool_index == index) {
            width = MAX(width, aft_scheme_width(&action->protection));
            data = MAX(data, MAX(action->protection.data, pool->initial.data));
        }
    }
    groups += pool->initial.data > 1 ? data : data > 1 ? 1.0 / data : 0.0;
    return pool->placement_groups * groups * width;
}

/* What the buffers of one of @group keep for every pool: 16 bytes for each device behind, and a log
 * a kB of what was written last. */
static double buffers_needed(const AftScenario *scenario, const AftDiskGroupSpec *group)
{
    gboolean logs = scenario->tiers.parity == AFT_PARITY_DESTAGE;
    double behind = group->cache.count > 0 ? 16.0 * group->capacity.count : 0.0;
    return scenario->n_pools * (behind + (logs ? 1032.0 * group->cache.count : 0.0));
}

/* A machine is 400 bytes and 16 for each stream, a chunk 24 for each workload with skew. */
static double machines_needed(const AftScenario *scenario)
{
    double bytes = 0.0;
    for (guint i = 0; i < scenario->n_workloads; i++) {
        const AftWorkloadSpec *it = &scenario->workloads[i];
        gboolean skewed = it->skew == AFT_SKEW_ZIPF;
        double streams = it->access == AFT_ACCESS_SEQUENTIAL ? it->streams : 0.0;
        bytes += it->vms * (400.0 + 16.0 * streams);
        bytes += skewed ? 24.0 * aft_heat_chunks(scenario, it->pool_index) : 0.0;
    }
    return bytes;
}

/* What a node would take, roughly: a station is 1 kB and 16 bytes a server. */
static double node_needed(const AftScenario *scenario, const AftNodeSpec *node)
{
    double bytes = 1e3 + 16.0 * node->controller.slots;
    for (guint i = 0; i < node->n_disk_groups; i++) {
        const AftDiskGroupSpec *group = &node->disk_groups[i];
        const AftDiskSpec *disks[] = {&group->cache, &group->capacity};
        for (guint d = 0; d < G_N_ELEMENTS(disks); d++) {
            guint parallel = disks[d]->count > 0 ? disks[d]->profile->parallel : 0;
            bytes += (double)group->count * disks[d]->count * (1e3 + 16.0 * parallel);
        }
        bytes += group->count * buffers_needed(scenario, group);
    }
    return bytes;
}

/* What a cluster would take; a member is 64 bytes. */
static double bytes_needed(const AftScenario *scenario)
{
    double bytes = machines_needed(scenario);
    for (guint i = 0; i < scenario->cluster.n_sites; i++) {
        bytes += node_needed(scenario, scenario->cluster.sites[i].spec);
    }
    for (guint i = 0; i < scenario->n_pools; i++) {
        bytes += 64.0 * (members_needed(scenario, i) + scenario->pools[i].placement_groups);
    }
    return bytes;
}

/* Placement looks at every node for every group, or at every device. */
static double scores_needed(const AftScenario *scenario)
{
    const AftClusterSpec *cluster = &scenario->cluster;
    double scores = 0.0, devices = 0.0;
    for (guint i = 0; i < cluster->n_sites; i++) {
        devices += aft_node_capacity_devices(cluster->sites[i].spec);
    }
    for (guint i = 0; i < scenario->n_pools; i++) {
        const AftPoolSpec *pool = &scenario->pools[i];
        scores += (double)pool->placement_groups *
                  (pool->domain == AFT_DOMAIN_DEVICE ? devices : cluster->n_sites);
    }
    return scores;
}

static gboolean fits(const AftScenario *scenario, GError **error)
{
    double bytes = bytes_needed(scenario), scores = scores_needed(scenario);
    if (bytes > MOST_BYTES) {
        g_set_error(
            error, AFT_ERROR, AFT_ERROR_LIMIT,
            "this cluster would take some %.0f GB of memory, more than the %.0f GB allowed: "
            "fewer nodes, devices, pools or placement groups, please",
            bytes / 1e9, MOST_BYTES / 1e9);
        return FALSE;
    }
    if (scores > MOST_SCORES) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT,
                    "%.3g placement groups times nodes are more than the %.3g that can be placed "
                    "in reasonable time: fewer placement groups, please",
                    scores, MOST_SCORES);
        return FALSE;
    }
    return TRUE;
}

static AftModel *new_model(const AftWalk *walk, const AftModelWatch *watch)
{
    guint32 replication = walk->options->replication;
    return is_flow(walk)
               ? aft_model_new_quiet(walk->scenario, walk->engine, replication, watch, TRUE)
               : aft_model_new(walk->scenario, walk->engine, replication, watch);
}

AftResult *aft_run(const AftScenario *scenario, const AftRunOptions *options, GError **error)
{
    static const AftRunOptions defaults = {0};
    g_autoptr(AftEngine) engine = aft_engine_new();
    gboolean flow = scenario->run.fidelity == AFT_FIDELITY_FLOW;
    if (!fits(scenario, error) || (flow && !aft_flow_can(scenario, error))) {
        return NULL;
    }
    g_autoptr(AftResult) result = aft_result_new();
    AftWalk walk = {
        .scenario = scenario,
        .result = result,
        .options = options != NULL ? options : &defaults,
        .engine = engine,
    };
    describe(result, scenario, walk.options);
    g_autoptr(AftRates) own = aft_rates_new_for(G_MAXUINT);
    g_autoptr(AftProbe) probe = aft_probe_new(scenario, result);
    walk.probe = probe;
    AftModelWatch watch = aft_walk_watch(&walk);
    g_autoptr(AftModel) model = new_model(&walk, &watch);
    walk.model = model;
    g_autoptr(AftPace) pace = is_flow(&walk) ? NULL : aft_pace_new(model);
    walk.pace = pace;
    GError *stopped = NULL;
    walk_to_end(&walk, own, &stopped);
    if (stopped != NULL) {
        g_propagate_error(error, stopped);
        return NULL;
    }
    if (aft_model_error(model) != NULL) {
        g_propagate_error(error, g_error_copy(aft_model_error(model)));
        return NULL;
    }
    return g_steal_pointer(&result);
}
