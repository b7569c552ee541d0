/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "outage.h"

#include "model_parts.h"
#include "scope.h"

#include <aftershock/scenario/parts.h>

struct AftOutage {
    AftModel *model;
    guint64 number;
    AftScope scope;   /* what is away */
    gboolean planned; /* the cluster knows beforehand */
    gboolean unnoticed;
    gboolean out;
    gboolean ended;                /* but it is still out */
    AftEvent notice, leave, enter; /* (slow) */
};

static void tell(const AftOutage *outage, const char *event, const char *detail)
{
    g_autofree char *subject = aft_part_format(&outage->scope.part);
    aft_model_tell(outage->model, event, subject, detail);
}

static AftOutage *outage_new(AftModel *model, const AftPart *part, gboolean planned)
{
    AftOutage *outage = g_new(AftOutage, 1);
    *outage = (AftOutage){
        .model = model,
        .number = ++model->n_outages,
        .planned = planned,
    };
    aft_scope_init(&outage->scope, &model->topology, part);
    return outage;
}

void aft_outage_free(void *data)
{
    AftOutage *outage = data;
    aft_scope_clear(&outage->scope);
    g_free(outage);
}

typedef void (*GroupVisitor)(AftModel *model, AftPool *pool, guint group);

/* Calls @visit for every group that has, or is to have, a member where the outage is. */
static void visit_groups(const AftOutage *outage, GroupVisitor visit)
{
    AftModel *model = outage->model;
    for (guint p = 0; p < model->pools->len; p++) {
        AftPool *pool = model->pools->pdata[p];
        for (guint group = 0; group < pool->n_groups; group++) {
            if (pool->groups[group].used && aft_pool_touches(pool, group, &outage->scope.marks)) {
                visit(model, pool, group);
            }
        }
    }
}

static void refresh(AftModel *model G_GNUC_UNUSED, AftPool *pool, guint group)
{
    aft_pool_refresh(pool, group);
}

static void review(AftModel *model, AftPool *pool, guint group)
{
    aft_curator_review(model->curator, pool, group);
}

static void tell_lost(const AftModel *model, guint before)
{
    AftMoment moment = aft_model_moment(model);
    if (moment.lost_groups > before) {
        g_autofree char *detail =
            g_strdup_printf("groups past their tolerance: %u, with %.0f bytes of data",
                            moment.lost_groups, moment.lost_bytes);
        aft_model_tell(model, "loss", "cluster", detail);
    }
}

static void become_noticed(AftOutage *outage)
{
    if (outage->unnoticed) {
        outage->unnoticed = FALSE;
        aft_scope_hold(&outage->scope, AFT_HOLD_UNNOTICED, FALSE);
    }
}

static void notice(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftOutage *outage = context;
    AftModel *model = outage->model;
    guint lost = aft_model_moment(model).lost_groups;
    become_noticed(outage);
    visit_groups(outage, review);
    tell(outage, "detect", "");
    tell_lost(model, lost);
    aft_model_retry_stalled(model);
    aft_model_changed(model);
}

static void go_out(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftOutage *outage = context;
    outage->out = TRUE;
    aft_scope_hold(&outage->scope, AFT_HOLD_OUT, TRUE);
    tell(outage, "out", "its data is to be made again elsewhere");
    aft_model_rehome(outage->model);
    aft_model_changed(outage->model);
}

static void forget(AftOutage *outage)
{
    g_ptr_array_remove(outage->model->outages, outage);
}

static void come_in(AftOutage *outage)
{
    outage->out = FALSE;
    aft_scope_hold(&outage->scope, AFT_HOLD_OUT, FALSE);
    aft_model_rehome(outage->model);
}

static void come_in_late(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftOutage *outage = context;
    AftModel *model = outage->model;
    come_in(outage);
    forget(outage);
    aft_model_changed(model);
}

static gboolean is_same(const AftPart *a, const AftPart *b)
{
    return a->kind == b->kind && a->node == b->node && a->group == b->group &&
           a->device == b->device;
}

static AftOutage *find(const AftModel *model, const AftPart *part, gboolean ended)
{
    for (guint i = 0; i < model->outages->len; i++) {
        AftOutage *outage = model->outages->pdata[i];
        if (outage->ended == ended && is_same(&outage->scope.part, part)) {
            return outage;
        }
    }
    return NULL;
}

AftOutage *aft_outage_find(const AftModel *model, const AftPart *part)
{
    return find(model, part, FALSE);
}

guint64 aft_outage_number(const AftOutage *outage)
{
    return outage->number;
}

/* A part that fails again before it was to come in stays out, and with it what it has got since. */
static void inherit(AftOutage *outage)
{
    AftOutage *before = find(outage->model, &outage->scope.part, TRUE);
    if (before != NULL) {
        aft_engine_cancel(outage->model->engine, before->enter);
        outage->out = TRUE;
        aft_scope_hold(&outage->scope, AFT_HOLD_OUT, TRUE);
        aft_scope_hold(&before->scope, AFT_HOLD_OUT, FALSE);
        forget(before);
    }
}

/* A node whose data had to leave it before it went down is out already. */
static void stay_out(AftOutage *outage)
{
    const AftTopology *topology = &outage->model->topology;
    if (outage->planned && !outage->out &&
        topology->nodes[outage->scope.part.node].held[AFT_HOLD_OUT] > 0) {
        outage->out = TRUE;
        aft_scope_hold(&outage->scope, AFT_HOLD_OUT, TRUE);
    }
}

static void lose_media(const AftOutage *outage)
{
    AftModel *model = outage->model;
    for (guint i = 0; i < outage->scope.devices->len; i++) {
        guint32 device = g_array_index(outage->scope.devices, guint32, i);
        aft_topology_wipe(&model->topology, device);
        for (guint p = 0; p < model->pools->len; p++) {
            aft_pool_lose_device(model->pools->pdata[p], device);
        }
    }
}

static void drop(const AftOutage *outage)
{
    AftModel *model = outage->model;
    for (guint n = 0; n < outage->scope.nodes->len; n++) {
        guint32 node = g_array_index(outage->scope.nodes, guint32, n);
        for (guint i = 0; outage->scope.hosts && i < model->n_clients; i++) {
            aft_clients_stop_node(&model->clients[i], node);
        }
        aft_executor_drop_node(model->executor, node);
    }
    for (guint i = 0; i < outage->scope.devices->len; i++) {
        aft_executor_drop_device(model->executor, g_array_index(outage->scope.devices, guint32, i));
    }
}

static void set_timers(AftOutage *outage)
{
    const AftScenario *scenario = outage->model->scenario;
    AftEngine *engine = outage->model->engine;
    gint64 now_ns = aft_engine_scenario_now(engine);
    gint64 detect_ns = now_ns + (outage->planned ? 0 : scenario->cluster.detect_ns);
    gint64 delay_ns = outage->scope.media ? scenario->background.device_delay_ns
                                          : scenario->background.task[AFT_TASK_REBUILD].delay_ns;
    if (!outage->planned) {
        outage->notice = aft_engine_schedule_slow(engine, detect_ns, notice, outage);
    }
    if (!outage->out) {
        outage->leave =
            aft_engine_schedule_slow(engine, MAX(now_ns + delay_ns, detect_ns), go_out, outage);
    }
}

/* Everything that is away is held before anybody looks for another place; what is known of it, is
 * known before I/O that was there is tried again. */
static void take_away(AftOutage *outage)
{
    aft_scope_hold(&outage->scope, AFT_HOLD_DOWN, TRUE);
    if (!outage->planned) {
        outage->unnoticed = TRUE;
        aft_scope_hold(&outage->scope, AFT_HOLD_UNNOTICED, TRUE);
    }
    if (outage->scope.hosts) {
        aft_scope_hold(&outage->scope, AFT_HOLD_HOST, TRUE);
    }
    if (outage->scope.media) {
        lose_media(outage);
    }
    visit_groups(outage, outage->planned ? review : refresh);
    drop(outage);
}

AftOutage *aft_outage_begin(AftModel *model, const AftPart *part, gboolean planned)
{
    AftOutage *outage = outage_new(model, part, planned);
    g_ptr_array_add(model->outages, outage);
    tell(outage, planned ? "down" : "fail", "");
    inherit(outage);
    stay_out(outage);
    take_away(outage);
    set_timers(outage);
    if (planned) {
        aft_model_retry_stalled(model);
    }
    aft_model_changed(model);
    return outage;
}

/* Where nothing delays it, it is in before anybody looks at its groups: else data that it still has
 * would set out to where it would have had to go. */
static void welcome(AftOutage *outage)
{
    AftEngine *engine = outage->model->engine;
    gint64 delay_ns = outage->model->scenario->background.task[AFT_TASK_REBALANCE].delay_ns;
    if (outage->out && delay_ns > 0) {
        outage->enter = aft_engine_schedule_slow(engine, aft_engine_scenario_now(engine) + delay_ns,
                                                 come_in_late, outage);
    } else if (outage->out) {
        come_in(outage);
    } else if (outage->scope.devices->len > 0) { /* something may lodge beside them */
        aft_model_rehome(outage->model);
    }
    visit_groups(outage, review);
}

static void call_home(const AftOutage *outage)
{
    AftModel *model = outage->model;
    for (guint n = 0; outage->scope.hosts && n < outage->scope.nodes->len; n++) {
        for (guint i = 0; i < model->n_clients; i++) {
            aft_clients_node_returned(&model->clients[i],
                                      g_array_index(outage->scope.nodes, guint32, n));
        }
    }
}

void aft_outage_end(AftOutage *outage)
{
    AftModel *model = outage->model;
    guint lost = aft_model_moment(model).lost_groups;
    outage->ended = TRUE;
    aft_engine_cancel(model->engine, outage->notice);
    aft_engine_cancel(model->engine, outage->leave);
    become_noticed(outage);
    aft_scope_hold(&outage->scope, AFT_HOLD_DOWN, FALSE);
    if (outage->scope.hosts) {
        aft_scope_hold(&outage->scope, AFT_HOLD_HOST, FALSE);
    }
    tell(outage, "restore", outage->scope.media ? "empty" : "");
    welcome(outage);
    tell_lost(model, lost); /* a device may be back, empty, before anybody has missed it */
    call_home(outage);
    if (!outage->out) {
        forget(outage);
    }
    aft_model_retry_stalled(model);
    aft_model_changed(model);
}

void aft_outage_restore(AftModel *model, const AftPart *part)
{
    AftOutage *outage = aft_outage_find(model, part);
    if (outage != NULL && !outage->planned) {
        aft_outage_end(outage);
    }
}

/* Holds @node in all the ways in which the outage holds its others. */
static void take_in(AftOutage *outage, guint node)
{
    AftTopology *topology = &outage->model->topology;
    const gboolean on[AFT_HOLDS] = {
        [AFT_HOLD_DOWN] = !outage->ended,
        [AFT_HOLD_UNNOTICED] = outage->unnoticed,
        [AFT_HOLD_OUT] = outage->out,
        [AFT_HOLD_HOST] = outage->scope.hosts && !outage->ended,
    };
    aft_scope_add_node(&outage->scope, node);
    for (guint hold = 0; hold < AFT_HOLDS; hold++) {
        if (on[hold]) {
            aft_topology_hold_node(topology, node, (AftHold)hold);
        }
    }
}

void aft_outages_join(AftModel *model, guint node)
{
    for (guint i = 0; i < model->outages->len; i++) {
        AftOutage *outage = model->outages->pdata[i];
        if (aft_scope_covers(&outage->scope, node)) {
            take_in(outage, node);
        }
    }
}

gboolean aft_outages_wait(const AftModel *model)
{
    for (guint i = 0; i < model->outages->len; i++) {
        const AftOutage *outage = model->outages->pdata[i];
        if (aft_engine_due(model->engine, outage->notice) >= 0 ||
            aft_engine_due(model->engine, outage->leave) >= 0 ||
            aft_engine_due(model->engine, outage->enter) >= 0) {
            return TRUE;
        }
    }
    return FALSE;
}

AftOutageLook aft_outage_look(const AftOutage *outage)
{
    return (AftOutageLook){
        .number = outage->number,
        .part = outage->scope.part,
        .unnoticed = outage->unnoticed,
        .out = outage->out,
        .ended = outage->ended,
    };
}

void aft_outage_notice_now(AftModel *model, const AftPart *part)
{
    AftOutage *outage = find(model, part, FALSE);
    if (outage != NULL && outage->unnoticed) {
        aft_engine_cancel(model->engine, outage->notice);
        notice(outage, aft_engine_now(model->engine));
    }
}

void aft_outage_go_out_now(AftModel *model, const AftPart *part)
{
    AftOutage *outage = find(model, part, FALSE);
    if (outage != NULL && !outage->out) {
        aft_engine_cancel(model->engine, outage->leave);
        go_out(outage, aft_engine_now(model->engine));
    }
}

void aft_outage_come_in_now(AftModel *model, const AftPart *part)
{
    AftOutage *outage = find(model, part, TRUE);
    if (outage != NULL) {
        aft_engine_cancel(model->engine, outage->enter);
        come_in_late(outage, aft_engine_now(model->engine));
    }
}

void aft_outages_hold(AftModel *model)
{
    for (guint i = 0; i < model->outages->len; i++) {
        const AftOutage *outage = model->outages->pdata[i];
        aft_engine_cancel(model->engine, outage->notice);
        aft_engine_cancel(model->engine, outage->leave);
        aft_engine_cancel(model->engine, outage->enter);
    }
}
