/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fault_replay.h"
#include "lifetimes.h"
#include "maintenance.h"
#include "model_parts.h"
#include "outage.h"

#include <aftershock/scenario/services.h>

static void free_pool(void *pool)
{
    aft_pool_clear(pool);
    g_free(pool);
}

static void make_pools(AftModel *model)
{
    model->pools = g_ptr_array_new_with_free_func(free_pool);
    for (guint i = 0; i < model->scenario->n_pools; i++) {
        AftPool *pool = g_new(AftPool, 1);
        aft_pool_init(pool, model->scenario, i, &model->topology);
        g_ptr_array_add(model->pools, pool);
    }
}

/* The most steps of a stage: all members of a stripe; a destage reads the log of as many beside. */
static guint most_steps(const AftModel *model)
{
    guint widest = 1;
    for (guint i = 0; i < model->pools->len; i++) {
        widest = MAX(widest, ((const AftPool *)model->pools->pdata[i])->width);
    }
    return model->scenario->tiers.parity == AFT_PARITY_DESTAGE ? 2 * widest : MAX(widest, 2);
}

/* Dirty bytes at the start belong to pools by what they store. */
static void fill_buffers(AftModel *model)
{
    const AftScenario *scenario = model->scenario;
    g_autofree double *share = g_new(double, scenario->n_pools);
    double stored = 0.0;
    for (guint i = 0; i < scenario->n_pools; i++) {
        share[i] = aft_services_stored_bytes(&scenario->pools[i]);
        stored += share[i];
    }
    for (guint i = 0; i < scenario->n_pools; i++) {
        share[i] /= stored;
    }
    for (guint i = 0; i < model->topology.n_buffers; i++) {
        aft_buffer_begin(&model->topology.buffers[i], share);
    }
}

/* What clients are to tell. */
static AftModelWatch client_watch(AftModel *model)
{
    if (!aft_adaptive_is_wanted(model->scenario)) {
        return model->watch;
    }
    return aft_adaptive_start(&model->adaptive, model->scenario, &model->topology, &model->watch);
}

static void make_clients(AftModel *model, guint32 replication)
{
    AftModelWatch watch = client_watch(model);
    model->n_clients = model->scenario->n_workloads;
    model->clients = g_new0(AftClients, model->n_clients);
    for (guint i = 0; i < model->n_clients; i++) {
        AftClients *clients = &model->clients[i];
        const AftWorkloadSpec *spec = &model->scenario->workloads[i];
        aft_clients_init(clients, model->scenario, i, model->pools->pdata[spec->pool_index],
                         model->executor, replication);
        if (model->scenario->tiers.parity == AFT_PARITY_DESTAGE && model->topology.n_buffers > 0) {
            aft_clients_log_to(clients, model->destager);
        }
        clients->watch = watch;
        clients->owed_changed = aft_phases_owed_changed;
        clients->model = model;
        model->rate_per_s += spec->kind == AFT_WORKLOAD_PACED ? spec->rate_per_s : 0.0;
    }
}

static void make_records(AftModel *model)
{
    model->outages = g_ptr_array_new_with_free_func(aft_outage_free);
    model->slowdowns = g_ptr_array_new_with_free_func(g_free);
    model->maintenances = g_ptr_array_new_with_free_func(g_free);
    model->planned = g_new0(AftPlanned, model->scenario->n_timeline);
    model->ageing = g_new0(AftAgeing, model->scenario->n_pools);
}

/* Writes that wait for room try again: a device may be full no longer, or a group have left one. */
static void admit_writes(AftModel *model)
{
    gboolean some_wait = model->some_full;
    model->some_full = model->topology.n_full > 0;
    if (some_wait) {
        aft_model_retry_stalled(model);
    }
}

static void member_arrived(void *context)
{
    AftModel *model = context;
    admit_writes(model);
    aft_maintenance_look(model);
    aft_phases_update(model);
}

static void changed(void *model)
{
    aft_model_changed(model);
}

static void happened(void *model, const char *event, const char *subject, const char *detail)
{
    aft_model_tell(model, event, subject, detail);
}

static void free_fault_replay(gpointer replay)
{
    aft_fault_replay_free(replay);
}

static void replay_faults(AftModel *model)
{
    model->fault_replays = g_ptr_array_new_with_free_func(free_fault_replay);
    for (guint i = 0; i < model->scenario->n_faults; i++) {
        const char *trace = model->scenario->faults[i].trace;
        if (trace != NULL) {
            g_ptr_array_add(model->fault_replays, aft_fault_replay_new(model, trace));
        }
    }
}

static void plan_events(AftModel *model, guint32 replication)
{
    aft_faults_plan(model);
    aft_goals_plan(model);
    model->lifetimes = aft_lifetimes_new(model, replication);
    replay_faults(model);
}

static void set_clients_quiet(AftModel *model, gboolean quiet)
{
    for (guint i = 0; i < model->n_clients; i++) {
        model->clients[i].quiet = quiet;
    }
    aft_destager_set_quiet(model->destager, quiet);
}

static AftModel *make(const AftScenario *scenario, AftEngine *engine, guint32 replication,
                      const AftModelWatch *watch)
{
    AftModel *model = g_new0(AftModel, 1);
    model->scenario = scenario;
    model->engine = engine;
    model->phase = AFT_PHASE_STEADY;
    if (watch != NULL) {
        model->watch = *watch;
    }
    aft_topology_init(&model->topology, scenario, engine, replication);
    make_pools(model);
    fill_buffers(model);
    model->executor = aft_executor_new(&model->topology, most_steps(model), replication);
    model->destager =
        aft_destager_new(scenario, model->pools, model->executor, &model->topology, replication);
    model->curator =
        aft_curator_new(scenario, model->pools, model->executor, &model->topology,
                        &(AftCuratorWatch){model, member_arrived, changed, happened}, replication);
    make_clients(model, replication);
    make_records(model);
    plan_events(model, replication);
    aft_phases_update(model);
    return model;
}

static void start_io(AftModel *model)
{
    for (guint i = 0; i < model->n_clients; i++) {
        aft_clients_start(&model->clients[i]);
    }
    aft_destager_pump_all(model->destager);
    aft_fullness_start(model);
}

static void start_slow(AftModel *model)
{
    for (guint i = 0; i < model->n_clients; i++) {
        aft_rhythm_start_slow(&model->clients[i]);
    }
}

AftModel *aft_model_new(const AftScenario *scenario, AftEngine *engine, guint32 replication,
                        const AftModelWatch *watch)
{
    AftModel *model = make(scenario, engine, replication, watch);
    start_io(model);
    start_slow(model);
    return model;
}

AftModel *aft_model_new_quiet(const AftScenario *scenario, AftEngine *engine, guint32 replication,
                              const AftModelWatch *watch, gboolean load_changes)
{
    AftModel *model = make(scenario, engine, replication, watch);
    set_clients_quiet(model, TRUE);
    aft_curator_set_quiet(model->curator, TRUE);
    if (load_changes) {
        start_slow(model);
    }
    return model;
}

void aft_model_wake_clients(AftModel *model)
{
    set_clients_quiet(model, FALSE);
    start_io(model);
}

void aft_model_wake_curator(AftModel *model)
{
    aft_curator_set_quiet(model->curator, FALSE);
    aft_curator_pump(model->curator);
}

void aft_model_free(AftModel *model)
{
    if (model == NULL) {
        return;
    }
    for (guint i = 0; i < model->n_clients; i++) {
        aft_clients_clear(&model->clients[i]);
    }
    g_free(model->clients);
    aft_curator_free(model->curator);
    aft_destager_free(model->destager);
    aft_executor_free(model->executor);
    g_ptr_array_unref(model->pools);
    aft_topology_clear(&model->topology);
    aft_lifetimes_free(model->lifetimes);
    g_ptr_array_unref(model->fault_replays);
    g_ptr_array_unref(model->outages);
    g_ptr_array_unref(model->slowdowns);
    g_ptr_array_unref(model->maintenances);
    g_free(model->upgrade);
    g_free(model->planned);
    g_free(model->ageing);
    g_free(model);
}

AftPhase aft_model_phase(const AftModel *model)
{
    return model->phase;
}

guint aft_model_flags(const AftModel *model)
{
    return aft_phases_flags(model);
}

const char *aft_flag_name(guint flag)
{
    static const char *const names[] = {"stall", "no_target", "no_space",    "owed",
                                        "loss",  "unbounded", "buffer_full", "read_only"};
    g_assert(flag != 0 && (guint)__builtin_ctz(flag) < G_N_ELEMENTS(names));
    return names[__builtin_ctz(flag)];
}

static gboolean goal_waits(const AftModel *model)
{
    for (guint i = 0; i < model->pools->len; i++) {
        if (aft_engine_due(model->engine, model->ageing[i].due) >= 0) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean machines_are_home(const AftModel *model)
{
    for (guint i = 0; i < model->n_clients; i++) {
        if (!aft_clients_are_home(&model->clients[i])) {
            return FALSE;
        }
    }
    return TRUE;
}

/* One that repeats has no end. */
static gboolean trace_waits(const AftModel *model)
{
    for (guint i = 0; i < model->n_clients; i++) {
        const AftClients *clients = &model->clients[i];
        if (clients->replay != NULL && aft_replay_plays(clients->replay) &&
            !clients->spec->repeat) {
            return TRUE;
        }
    }
    return FALSE;
}

gboolean aft_model_replays(const AftModel *model)
{
    for (guint i = 0; i < model->n_clients; i++) {
        if (model->clients[i].replay != NULL && aft_replay_plays(model->clients[i].replay)) {
            return TRUE;
        }
    }
    return FALSE;
}

gint64 aft_model_relaxation_ns(const AftModel *model)
{
    gint64 longest_ns = 0;
    for (guint i = 0; i < model->n_clients; i++) {
        longest_ns = MAX(longest_ns, aft_rhythm_relaxation_ns(&model->clients[i]));
    }
    return longest_ns;
}

gint64 aft_model_beat_ns(const AftModel *model)
{
    return aft_curator_beat_ns(model->curator);
}

const GError *aft_model_error(const AftModel *model)
{
    for (guint i = 0; i < model->n_clients; i++) {
        if (model->clients[i].error != NULL) {
            return model->clients[i].error;
        }
    }
    for (guint i = 0; i < model->fault_replays->len; i++) {
        const GError *error = aft_fault_replay_error(model->fault_replays->pdata[i]);
        if (error != NULL) {
            return error;
        }
    }
    return NULL;
}

static gboolean fault_waits(const AftModel *model)
{
    for (guint i = 0; i < model->fault_replays->len; i++) {
        if (aft_fault_replay_waits(model->fault_replays->pdata[i])) {
            return TRUE;
        }
    }
    return aft_lifetimes_any(model->lifetimes) || aft_outages_wait(model);
}

gboolean aft_model_is_settled(const AftModel *model)
{
    return model->n_waiting == 0 && model->phase == AFT_PHASE_STEADY && !fault_waits(model) &&
           !goal_waits(model) && !trace_waits(model) && !aft_curator_waits(model->curator) &&
           machines_are_home(model);
}

void aft_model_rehome(AftModel *model)
{
    for (guint p = 0; p < model->pools->len; p++) {
        AftPool *pool = model->pools->pdata[p];
        for (guint group = 0; group < pool->n_groups; group++) {
            if (pool->groups[group].used && aft_pool_rehome(pool, group)) {
                aft_curator_review(model->curator, pool, group);
            }
        }
    }
}

void aft_model_retry_stalled(AftModel *model)
{
    for (guint i = 0; i < model->n_clients; i++) {
        aft_clients_retry_stalled(&model->clients[i]);
    }
}

void aft_model_changed(AftModel *model)
{
    aft_curator_review_conversions(model->curator);
    aft_curator_recount(model->curator);
    aft_curator_pump(model->curator);
    aft_destager_pump_all(model->destager);
    admit_writes(model);
    aft_maintenance_look(model);
    aft_phases_update(model);
    if (model->watch.disturbed != NULL) {
        model->watch.disturbed(model->watch.context);
    }
}

void aft_model_tell(const AftModel *model, const char *event, const char *subject,
                    const char *detail)
{
    if (model->watch.happened != NULL) {
        model->watch.happened(model->watch.context, event, subject, detail);
    }
}

void aft_model_audit(const AftModel *model)
{
    aft_topology_audit(&model->topology);
    for (guint i = 0; i < model->n_clients; i++) {
        aft_clients_audit(&model->clients[i]);
    }
}
