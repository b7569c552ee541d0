/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "outage.h"

#include "model_parts.h"

#include <aftershock/scenario/parts.h>

#include <string.h>

struct AftOutage {
    AftModel *model;
    guint64 number;
    AftPart part;
    GArray *nodes;    /* guint32: their storage is away */
    GArray *devices;  /* guint32: these are away, beside those of the nodes */
    gboolean hosts;   /* machines on the nodes stop */
    gboolean media;   /* what the devices held is lost */
    gboolean planned; /* the cluster knows beforehand */
    gboolean unnoticed;
    gboolean out;
    gboolean ended;                /* but it is still out */
    AftMarks marks;                /* all that is away */
    AftEvent notice, leave, enter; /* (slow) */
};

static void tell(const AftOutage *outage, const char *event, const char *detail)
{
    g_autofree char *subject = aft_part_format(&outage->part);
    aft_model_tell(outage->model, event, subject, detail);
}

static void add_node(AftOutage *outage, guint32 node)
{
    const AftNode *it = &outage->model->topology.nodes[node];
    if (!it->absent) {
        g_array_append_val(outage->nodes, node);
        outage->marks.nodes[node] = 1;
        memset(&outage->marks.devices[it->first_device], 1, it->n_devices);
    }
}

static void add_device(AftOutage *outage, guint32 device)
{
    g_array_append_val(outage->devices, device);
    outage->marks.devices[device] = 1;
}

static void add_group(AftOutage *outage, guint node, guint group)
{
    const AftTopology *topology = &outage->model->topology;
    const AftNode *it = &topology->nodes[node];
    for (guint32 i = it->first_device; i < it->first_device + it->n_devices; i++) {
        if (topology->devices[i].group == group) {
            add_device(outage, i);
        }
    }
}

static void add_rack(AftOutage *outage, guint rack)
{
    const AftTopology *topology = &outage->model->topology;
    for (guint node = 0; node < topology->n_nodes; node++) {
        if (topology->nodes[node].rack == rack) {
            add_node(outage, node);
        }
    }
}

/* Whether a service makes the disk groups that have cache devices live and die as one. */
static gboolean groups_are_one(const AftScenario *scenario)
{
    for (guint i = 0; i < scenario->n_pools; i++) {
        for (guint s = 0; s < AFT_SERVICES; s++) {
            const AftServiceSpec *service = &scenario->pools[i].services[s];
            if (service->enabled && service->failure_domain == AFT_FAILURE_GROUP) {
                return TRUE;
            }
        }
    }
    return FALSE;
}

static void add_capacity_device(AftOutage *outage, const AftPart *part)
{
    const AftTopology *topology = &outage->model->topology;
    guint32 device = aft_topology_find_device(topology, part->node, part->group, part->device);
    g_assert(device != AFT_NOWHERE); /* the scenario was validated */
    if (topology->devices[device].buffer != NULL && groups_are_one(outage->model->scenario)) {
        add_group(outage, part->node, part->group);
    } else {
        add_device(outage, device);
    }
}

static void add_parts(AftOutage *outage)
{
    const AftPart *part = &outage->part;
    outage->hosts = part->kind == AFT_PART_NODE || part->kind == AFT_PART_RACK;
    outage->media = part->kind == AFT_PART_DEVICE || part->kind == AFT_PART_CACHE;
    switch (part->kind) {
    case AFT_PART_NODE:
    case AFT_PART_CONTROLLER:
        add_node(outage, part->node);
        break;
    case AFT_PART_RACK:
        add_rack(outage, part->node);
        break;
    case AFT_PART_DEVICE:
        add_capacity_device(outage, part);
        break;
    default:
        add_group(outage, part->node, part->group);
        break;
    }
}

static AftOutage *outage_new(AftModel *model, const AftPart *part, gboolean planned)
{
    AftOutage *outage = g_new(AftOutage, 1);
    *outage = (AftOutage){
        .model = model,
        .number = ++model->n_outages,
        .part = *part,
        .nodes = g_array_new(FALSE, FALSE, sizeof(guint32)),
        .devices = g_array_new(FALSE, FALSE, sizeof(guint32)),
        .planned = planned,
        .marks = {g_new0(guint8, model->topology.n_devices),
                  g_new0(guint8, model->topology.n_nodes)},
    };
    add_parts(outage);
    return outage;
}

void aft_outage_free(void *data)
{
    AftOutage *outage = data;
    g_array_unref(outage->nodes);
    g_array_unref(outage->devices);
    g_free(outage->marks.devices);
    g_free(outage->marks.nodes);
    g_free(outage);
}

/* Holds, or lets go of, all that is away. */
static void hold(const AftOutage *outage, AftHold hold, gboolean on)
{
    AftTopology *topology = &outage->model->topology;
    for (guint i = 0; i < outage->nodes->len; i++) {
        guint32 node = g_array_index(outage->nodes, guint32, i);
        (on ? aft_topology_hold_node : aft_topology_release_node)(topology, node, hold);
    }
    for (guint i = 0; i < outage->devices->len; i++) {
        guint32 device = g_array_index(outage->devices, guint32, i);
        (on ? aft_topology_hold_device : aft_topology_release_device)(topology, device, hold);
    }
}

typedef void (*GroupVisitor)(AftModel *model, AftPool *pool, guint group);

/* Calls @visit for every group that has, or is to have, a member where the outage is. */
static void visit_groups(const AftOutage *outage, GroupVisitor visit)
{
    AftModel *model = outage->model;
    for (guint p = 0; p < model->pools->len; p++) {
        AftPool *pool = model->pools->pdata[p];
        for (guint group = 0; group < pool->n_groups; group++) {
            if (pool->groups[group].used && aft_pool_touches(pool, group, &outage->marks)) {
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
        hold(outage, AFT_HOLD_UNNOTICED, FALSE);
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
    hold(outage, AFT_HOLD_OUT, TRUE);
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
    hold(outage, AFT_HOLD_OUT, FALSE);
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
        if (outage->ended == ended && is_same(&outage->part, part)) {
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
    AftOutage *before = find(outage->model, &outage->part, TRUE);
    if (before != NULL) {
        aft_engine_cancel(outage->model->engine, before->enter);
        outage->out = TRUE;
        hold(outage, AFT_HOLD_OUT, TRUE);
        hold(before, AFT_HOLD_OUT, FALSE);
        forget(before);
    }
}

/* A node whose data had to leave it before it went down is out already. */
static void stay_out(AftOutage *outage)
{
    const AftTopology *topology = &outage->model->topology;
    if (outage->planned && !outage->out &&
        topology->nodes[outage->part.node].held[AFT_HOLD_OUT] > 0) {
        outage->out = TRUE;
        hold(outage, AFT_HOLD_OUT, TRUE);
    }
}

static void lose_media(const AftOutage *outage)
{
    AftModel *model = outage->model;
    for (guint i = 0; i < outage->devices->len; i++) {
        guint32 device = g_array_index(outage->devices, guint32, i);
        aft_topology_wipe(&model->topology, device);
        for (guint p = 0; p < model->pools->len; p++) {
            aft_pool_lose_device(model->pools->pdata[p], device);
        }
    }
}

static void drop(const AftOutage *outage)
{
    AftModel *model = outage->model;
    for (guint n = 0; n < outage->nodes->len; n++) {
        guint32 node = g_array_index(outage->nodes, guint32, n);
        for (guint i = 0; outage->hosts && i < model->n_clients; i++) {
            aft_clients_stop_node(&model->clients[i], node);
        }
        aft_executor_drop_node(model->executor, node);
    }
    for (guint i = 0; i < outage->devices->len; i++) {
        aft_executor_drop_device(model->executor, g_array_index(outage->devices, guint32, i));
    }
}

static void set_timers(AftOutage *outage)
{
    const AftScenario *scenario = outage->model->scenario;
    AftEngine *engine = outage->model->engine;
    gint64 now_ns = aft_engine_scenario_now(engine);
    gint64 detect_ns = now_ns + (outage->planned ? 0 : scenario->cluster.detect_ns);
    gint64 delay_ns = outage->media ? scenario->background.device_delay_ns
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
    hold(outage, AFT_HOLD_DOWN, TRUE);
    if (!outage->planned) {
        outage->unnoticed = TRUE;
        hold(outage, AFT_HOLD_UNNOTICED, TRUE);
    }
    if (outage->hosts) {
        hold(outage, AFT_HOLD_HOST, TRUE);
    }
    if (outage->media) {
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
    } else if (outage->devices->len > 0) { /* something may lodge beside them */
        aft_model_rehome(outage->model);
    }
    visit_groups(outage, review);
}

static void call_home(const AftOutage *outage)
{
    AftModel *model = outage->model;
    for (guint n = 0; outage->hosts && n < outage->nodes->len; n++) {
        for (guint i = 0; i < model->n_clients; i++) {
            aft_clients_node_returned(&model->clients[i], g_array_index(outage->nodes, guint32, n));
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
    hold(outage, AFT_HOLD_DOWN, FALSE);
    if (outage->hosts) {
        hold(outage, AFT_HOLD_HOST, FALSE);
    }
    tell(outage, "restore", outage->media ? "empty" : "");
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

/* Whether @node belongs to what is away. */
static gboolean covers(const AftOutage *outage, guint node)
{
    const AftPart *part = &outage->part;
    return part->kind == AFT_PART_RACK
               ? part->node == outage->model->topology.nodes[node].rack
               : (part->kind == AFT_PART_NODE || part->kind == AFT_PART_CONTROLLER) &&
                     part->node == node;
}

/* Holds @node in all the ways in which the outage holds its others. */
static void take_in(AftOutage *outage, guint node)
{
    AftTopology *topology = &outage->model->topology;
    const gboolean on[AFT_HOLDS] = {
        [AFT_HOLD_DOWN] = !outage->ended,
        [AFT_HOLD_UNNOTICED] = outage->unnoticed,
        [AFT_HOLD_OUT] = outage->out,
        [AFT_HOLD_HOST] = outage->hosts && !outage->ended,
    };
    add_node(outage, node);
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
        if (covers(outage, node)) {
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
