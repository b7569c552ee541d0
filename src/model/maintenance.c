/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "maintenance.h"

#include "outage.h"

typedef enum { STAGE_LEAVING, STAGE_DOWN } Stage;

/* What has to change before data that finds no other place may find one. */
typedef struct {
    gboolean moving; /* members are made again, or go home */
    guint n_down, n_unnoticed;
    guint n_in; /* nodes that data may live on */
    guint n_maintenances;
} Outlook;

struct AftMaintenance {
    AftModel *model;
    guint node;
    AftMaintenanceMode mode;
    gint64 for_ns;
    Stage stage;
    gboolean stuck;  /* members have to leave, and none of them can */
    Outlook outlook; /* while it is */
    AftEvent next;   /* (slow) it goes on */
};

struct AftUpgrade {
    gint64 each_ns;
    guint node;    /* that is, or comes, next */
    AftEvent next; /* (slow) */
};

static void tell(const AftMaintenance *it, const char *event, const char *detail)
{
    g_autofree char *subject = g_strdup_printf("node %u", it->node);
    aft_model_tell(it->model, event, subject, detail);
}

static gboolean is_on(const AftPool *pool, const AftMember *member, guint node)
{
    return pool->topology->devices[member->device].node == node;
}

/* Whether @group could not be read without the members it has on @node, but can be with them. */
static gboolean depends_on(const AftPool *pool, guint group, guint node)
{
    const AftLayout *layout = aft_pool_layout(pool, group);
    guint32 current = pool->groups[group].current, without = current;
    for (guint m = 0; m < layout->width; m++) {
        if (is_on(pool, aft_pool_member(pool, group, m), node)) {
            without &= ~(1u << m);
        }
    }
    return aft_protection_readable(&layout->spec, current) &&
           !aft_protection_readable(&layout->spec, without);
}

typedef void (*GroupVisitor)(AftMaintenance *it, AftPool *pool, guint group);

static void visit_groups(AftMaintenance *it, GroupVisitor visit)
{
    for (guint p = 0; p < it->model->pools->len; p++) {
        AftPool *pool = it->model->pools->pdata[p];
        for (guint group = 0; group < pool->n_groups; group++) {
            if (pool->groups[group].used) {
                visit(it, pool, group);
            }
        }
    }
}

/* A group that another maintenance moves already is left to that: this one cannot go on then. */
static void shun(AftMaintenance *it, AftPool *pool, guint group)
{
    if (pool->groups[group].shunned == AFT_NOWHERE && depends_on(pool, group, it->node)) {
        pool->groups[group].shunned = it->node;
        aft_pool_rehome(pool, group);
        aft_curator_review(it->model->curator, pool, group);
    }
}

static void stop_shunning(AftMaintenance *it, AftPool *pool, guint group)
{
    if (pool->groups[group].shunned == it->node) {
        pool->groups[group].shunned = AFT_NOWHERE;
        aft_pool_rehome(pool, group);
        aft_curator_review(it->model->curator, pool, group);
    }
}

static void review(AftMaintenance *it, AftPool *pool, guint group)
{
    aft_curator_review(it->model->curator, pool, group);
}

/* Lets what has to leave the node set out; what moves already, as a part of this. */
static void send_away(AftMaintenance *it)
{
    if (it->mode == AFT_MAINTENANCE_EVACUATE) {
        aft_model_rehome(it->model);
        visit_groups(it, review);
    } else {
        visit_groups(it, shun);
    }
}

/* Lets go of whatever kept data from the node. */
static void readmit(AftMaintenance *it)
{
    if (it->mode == AFT_MAINTENANCE_EVACUATE) {
        aft_topology_release_node(&it->model->topology, it->node, AFT_HOLD_OUT);
        aft_model_rehome(it->model);
    } else {
        visit_groups(it, stop_shunning);
    }
}

static void forget(AftMaintenance *it)
{
    AftModel *model = it->model;
    model->topology.nodes[it->node].leaving = FALSE;
    model->n_waiting--;
    aft_engine_cancel(model->engine, it->next);
    g_ptr_array_remove(model->maintenances, it);
}

static void come_back(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftMaintenance *it = context;
    AftModel *model = it->model;
    AftPart part = {.kind = AFT_PART_NODE, .node = it->node};
    it->next = 0;
    aft_topology_release_node(&model->topology, it->node, AFT_HOLD_HOST);
    model->topology.nodes[it->node].leaving = FALSE;
    readmit(it); /* as far as this kept data away; the outage may keep it longer */
    aft_outage_end(aft_outage_find(model, &part));
    forget(it);
    aft_model_changed(model);
}

static gboolean must_leave(const AftMaintenance *it, const AftPool *pool, guint group, guint m)
{
    return (pool->groups[group].current >> m & 1) != 0 &&
           is_on(pool, aft_pool_member(pool, group, m), it->node) &&
           (it->mode == AFT_MAINTENANCE_EVACUATE || depends_on(pool, group, it->node));
}

/* Members that have to leave the node and are still there. */
static guint count_left(const AftMaintenance *it)
{
    guint left = 0;
    for (guint p = 0; p < it->model->pools->len; p++) {
        const AftPool *pool = it->model->pools->pdata[p];
        for (guint group = 0; group < pool->n_groups; group++) {
            for (guint m = 0; pool->groups[group].used && m < aft_pool_layout(pool, group)->width;
                 m++) {
                left += must_leave(it, pool, group, m) ? 1 : 0;
            }
        }
    }
    return left;
}

static void refuse(AftMaintenance *it, guint left)
{
    AftModel *model = it->model;
    gboolean alive = model->topology.nodes[it->node].alive;
    g_autofree char *detail =
        alive ? g_strdup_printf("%u members have to leave it and find no other place", left)
              : g_strdup("it has failed");
    tell(it, "maintenance-refused", detail);
    aft_topology_release_node(&model->topology, it->node, AFT_HOLD_HOST);
    for (guint i = 0; i < model->n_clients; i++) {
        aft_clients_node_returned(&model->clients[i], it->node);
    }
    model->topology.nodes[it->node].leaving = FALSE;
    readmit(it);
    forget(it);
    aft_model_changed(model);
}

static void go_down(AftMaintenance *it)
{
    AftModel *model = it->model;
    AftPart part = {.kind = AFT_PART_NODE, .node = it->node};
    it->stage = STAGE_DOWN;
    it->next =
        aft_engine_schedule_slow(model->engine, aft_engine_scenario_now(model->engine) + it->for_ns,
                                 come_back, it);
    aft_outage_begin(model, &part, TRUE);
}

static gboolean is_leaving(const AftMaintenance *it)
{
    return aft_curator_leaving(it->model->curator, it->node) > 0;
}

static gboolean is_moving(const AftModel *model)
{
    return aft_curator_works(model->curator, AFT_TASK_REBUILD) ||
           aft_curator_works(model->curator, AFT_TASK_REBALANCE);
}

static Outlook look_out(const AftModel *model)
{
    const AftTopology *topology = &model->topology;
    Outlook outlook = {
        .moving = is_moving(model),
        .n_down = topology->n_down,
        .n_unnoticed = topology->n_unnoticed,
        .n_maintenances = model->maintenances->len,
    };
    for (guint node = 0; node < topology->n_nodes; node++) {
        outlook.n_in += topology->in[node];
    }
    return outlook;
}

static gboolean has_changed(const Outlook *before, const Outlook *now)
{
    return before->moving != now->moving || before->n_down != now->n_down ||
           before->n_unnoticed != now->n_unnoticed || before->n_in != now->n_in ||
           before->n_maintenances != now->n_maintenances;
}

/* Whether another maintenance goes on by itself: of two that wait for each other, none does. */
static gboolean another_goes_on(const AftMaintenance *it)
{
    const GPtrArray *all = it->model->maintenances;
    for (guint i = 0; i < all->len; i++) {
        const AftMaintenance *other = all->pdata[i];
        if (other != it && (other->stage == STAGE_DOWN || is_leaving(other))) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Whether the outlook will change with nobody's help: data moves, or a part that is away has still
 * to be noticed, or to be left out or taken in by placement. */
static gboolean may_find_place(const AftMaintenance *it)
{
    return is_moving(it->model) || aft_outages_wait(it->model) || another_goes_on(it);
}

/* Nothing is on its way from the node any more, unless something else has failed meanwhile. */
static void has_left(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftMaintenance *it = context;
    it->next = 0;
    send_away(it);
    guint left = count_left(it);
    if (!it->model->topology.nodes[it->node].alive) {
        refuse(it, left);
    } else if (left == 0 && !is_leaving(it)) {
        go_down(it);
    } else if (is_leaving(it) || may_find_place(it)) {
        it->stuck = !is_leaving(it);
        it->outlook = look_out(it->model);
        aft_model_changed(it->model);
    } else {
        refuse(it, left);
    }
}

void aft_maintenance_begin(AftModel *model, guint node, AftMaintenanceMode mode, gint64 for_ns)
{
    AftMaintenance *it = g_new(AftMaintenance, 1);
    *it = (AftMaintenance){.model = model, .node = node, .mode = mode, .for_ns = for_ns};
    g_ptr_array_add(model->maintenances, it);
    model->n_waiting++;
    tell(it, "maintenance", mode == AFT_MAINTENANCE_EVACUATE ? "evacuate" : "accessible");
    model->topology.nodes[node].leaving = TRUE;
    aft_topology_hold_node(&model->topology, node, AFT_HOLD_HOST);
    for (guint i = 0; i < model->n_clients; i++) {
        aft_clients_leave_node(&model->clients[i], node);
    }
    if (mode == AFT_MAINTENANCE_EVACUATE) {
        aft_topology_hold_node(&model->topology, node, AFT_HOLD_OUT);
    }
    send_away(it);
    aft_model_changed(model);
}

static gboolean is_whole(const AftModel *model)
{
    for (guint i = 0; i < model->pools->len; i++) {
        if (((const AftPool *)model->pools->pdata[i])->missing > 0) {
            return FALSE;
        }
    }
    return aft_curator_transfers(model->curator, AFT_TASK_REBUILD) == 0 &&
           aft_curator_transfers(model->curator, AFT_TASK_REBALANCE) == 0;
}

/* Whether one more node may be taken down. */
static gboolean may_go_on(const AftModel *model)
{
    return model->maintenances->len == 0 && is_whole(model);
}

/* A node that is not there yet has nothing to be upgraded. */
static void skip(const AftModel *model, guint node)
{
    if (!model->topology.nodes[node].absent) {
        g_autofree char *subject = g_strdup_printf("node %u", node);
        aft_model_tell(model, "upgrade-skipped", subject, "it is down");
    }
}

static void take_next(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftModel *model = context;
    AftUpgrade *upgrade = model->upgrade;
    const AftNode *nodes = model->topology.nodes;
    upgrade->next = 0;
    if (!may_go_on(model)) {
        return; /* something has come up at this very time */
    }
    while (upgrade->node < model->topology.n_nodes &&
           (nodes[upgrade->node].absent || !nodes[upgrade->node].alive)) {
        skip(model, upgrade->node++);
    }
    if (upgrade->node == model->topology.n_nodes) {
        aft_model_tell(model, "upgrade-end", "cluster", "");
        g_clear_pointer(&model->upgrade, g_free);
        model->n_waiting--;
        return;
    }
    aft_maintenance_begin(model, upgrade->node++, AFT_MAINTENANCE_ACCESSIBLE, upgrade->each_ns);
}

void aft_upgrade_begin(AftModel *model, gint64 each_ns)
{
    if (model->upgrade != NULL) { /* how long one takes, no scenario can tell */
        aft_model_tell(model, "upgrade-refused", "cluster", "one is under way");
        return;
    }
    model->upgrade = g_new0(AftUpgrade, 1);
    model->upgrade->each_ns = each_ns;
    model->n_waiting++;
    aft_model_tell(model, "upgrade", "cluster", "");
    aft_model_changed(model);
}

/* As an event of its own: this is heard in the middle of other changes. */
static AftEvent soon(const AftModel *model, AftHandler handler, void *context)
{
    return aft_engine_schedule_slow(model->engine, aft_engine_scenario_now(model->engine), handler,
                                    context);
}

static void tell_leaving(const AftModel *model)
{
    for (guint i = 0; i < model->maintenances->len; i++) {
        const AftMaintenance *it = model->maintenances->pdata[i];
        if (it->stage == STAGE_LEAVING) {
            g_autofree char *detail =
                g_strdup_printf("%u members have still to leave it", count_left(it));
            tell(it, "maintenance-unfinished", detail);
        }
    }
}

void aft_model_tell_unfinished(const AftModel *model)
{
    tell_leaving(model);
    if (model->upgrade != NULL) {
        const char *reason = model->maintenances->len > 0 ? "one is in maintenance"
                             : !is_whole(model)           ? "not all data is whole and at home"
                                                          : "it is their turn";
        g_autofree char *detail =
            g_strdup_printf("nodes from %u on are still to come, %s", model->upgrade->node, reason);
        aft_model_tell(model, "upgrade-unfinished", "cluster", detail);
    }
}

gboolean aft_maintenance_waits(const AftModel *model)
{
    for (guint i = 0; i < model->maintenances->len; i++) {
        if (((const AftMaintenance *)model->maintenances->pdata[i])->stage == STAGE_LEAVING) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Whether it is time to see if all has left. */
static gboolean may_have_left(AftMaintenance *it)
{
    if (is_leaving(it)) {
        it->stuck = FALSE;
        return FALSE;
    }
    if (!it->stuck) {
        return TRUE;
    }
    Outlook now = look_out(it->model);
    return has_changed(&it->outlook, &now) || !may_find_place(it);
}

void aft_maintenance_look(AftModel *model)
{
    for (guint i = 0; i < model->maintenances->len; i++) {
        AftMaintenance *it = model->maintenances->pdata[i];
        if (it->stage == STAGE_LEAVING && it->next == 0 && may_have_left(it)) {
            it->next = soon(model, has_left, it);
        }
    }
    if (model->upgrade != NULL && model->upgrade->next == 0 && may_go_on(model)) {
        model->upgrade->next = soon(model, take_next, model);
    }
}
