/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the timeline does: one function for each of its verbs. */
#include "actions.h"
#include "maintenance.h"
#include "outage.h"

static void fail(AftModel *model, const AftAction *action)
{
    if (aft_outage_find(model, &action->part) == NULL) { /* chance may have been faster */
        aft_outage_begin(model, &action->part, FALSE);
    }
}

static void restore(AftModel *model, const AftAction *action)
{
    aft_outage_restore(model, &action->part);
}

static void maintain(AftModel *model, const AftAction *action)
{
    const AftNode *node = &model->topology.nodes[action->part.node];
    if (node->alive && !node->leaving && model->upgrade == NULL) {
        aft_maintenance_begin(model, action->part.node, action->mode, action->for_ns);
    } else {
        g_autofree char *subject = g_strdup_printf("node %u", action->part.node);
        aft_model_tell(model, "maintenance-refused", subject,
                       "it is down, or in maintenance, or an upgrade is under way");
    }
}

static void upgrade(AftModel *model, const AftAction *action)
{
    aft_upgrade_begin(model, action->for_ns);
}

static void add(AftModel *model, const AftAction *action)
{
    guint end = action->first_node + action->nodes;
    for (guint node = action->first_node; node < end; node++) {
        g_autofree char *subject = g_strdup_printf("node %u", node);
        aft_topology_arrive(&model->topology, node);
        aft_outages_join(model, node);
        aft_model_tell(model, "add", subject, "");
    }
    aft_model_rehome(model);
    for (guint i = 0; i < model->n_clients; i++) { /* those that found no host at all */
        aft_clients_node_returned(&model->clients[i], action->first_node);
    }
    aft_model_retry_stalled(model);
    aft_model_changed(model);
}

typedef void (*Verb)(AftModel *model, const AftAction *action);

static const Verb verbs[] = {
    [AFT_ACTION_FAIL] = fail,
    [AFT_ACTION_RESTORE] = restore,
    [AFT_ACTION_SLOW] = aft_slow_begin,
    [AFT_ACTION_MAINTENANCE] = maintain,
    [AFT_ACTION_UPGRADE] = upgrade,
    [AFT_ACTION_ADD] = add,
    [AFT_ACTION_START] = aft_action_start,
    [AFT_ACTION_STOP] = aft_action_stop,
    [AFT_ACTION_CORRUPT] = aft_action_corrupt,
};

static void act(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftPlanned *planned = context;
    if (planned->action->kind == AFT_ACTION_CONVERT) {
        aft_goals_convert(planned);
        return;
    }
    g_assert(planned->action->kind < G_N_ELEMENTS(verbs) && verbs[planned->action->kind] != NULL);
    planned->model->n_waiting--;
    verbs[planned->action->kind](planned->model, planned->action);
}

void aft_faults_plan(AftModel *model)
{
    const AftScenario *scenario = model->scenario;
    model->n_waiting = scenario->n_timeline;
    for (guint i = 0; i < scenario->n_timeline; i++) {
        model->planned[i] = (AftPlanned){model, &scenario->timeline[i]};
        aft_engine_schedule_slow(model->engine, scenario->timeline[i].at_ns, act,
                                 &model->planned[i]);
    }
}
