/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What breaks and comes back. A node that dies is first unknown to the cluster: I/O to its groups
 * waits. Noticed, it is missed: its members are stale from then on. After the repair delay it is
 * out: placement counts on it no longer, and its members are made again elsewhere. Returned, it is
 * in again, and placement takes back exactly what it gave away.
 *
 *     alive -- dies --> unknown -- detect --> missed -- repair delay --> out
 *       ^------------------'--------------------'------- returns --------'
 */
#include "model_parts.h"

typedef void (*GroupVisitor)(AftModel *model, AftPool *pool, guint group, guint node);

/* Calls @visit for every group that has, or is to have, a member on @node. */
static void visit_groups(AftModel *model, guint node, GroupVisitor visit)
{
    for (guint p = 0; p < model->pools->len; p++) {
        AftPool *pool = model->pools->pdata[p];
        for (guint group = 0; group < pool->n_groups; group++) {
            if (pool->groups[group].used && aft_pool_touches(pool, group, node)) {
                visit(model, pool, group, node);
            }
        }
    }
}

static void tell_node(const AftModel *model, const char *event, guint node, const char *detail)
{
    g_autofree char *subject = g_strdup_printf("node %u", node);
    aft_model_tell(model, event, subject, detail);
}

static void refresh(AftModel *model G_GNUC_UNUSED, AftPool *pool, guint group,
                    guint node G_GNUC_UNUSED)
{
    aft_pool_refresh(pool, group);
}

static void review(AftModel *model, AftPool *pool, guint group, guint node G_GNUC_UNUSED)
{
    aft_curator_review(model->curator, pool, group);
}

static void retry_stalled(AftModel *model)
{
    for (guint i = 0; i < model->n_clients; i++) {
        aft_clients_retry_stalled(&model->clients[i]);
    }
}

static void tell_lost(const AftModel *model, guint before)
{
    guint lost = aft_model_moment(model).lost_groups;
    if (lost > before) {
        g_autofree char *detail = g_strdup_printf("%u groups past their tolerance", lost);
        aft_model_tell(model, "loss", "cluster", detail);
    }
}

static void detect(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftNodeTimers *timers = context;
    AftModel *model = timers->model;
    guint lost = aft_model_moment(model).lost_groups;
    timers->detect = 0;
    model->topology.nodes[timers->node].known = TRUE;
    visit_groups(model, timers->node, review);
    tell_node(model, "detect", timers->node, "");
    tell_lost(model, lost);
    retry_stalled(model);
    aft_model_changed(model);
}

/* Lets placement decide again over the nodes that are in. */
static void rehome(AftModel *model)
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

static void goes_out(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftNodeTimers *timers = context;
    AftModel *model = timers->model;
    timers->out = 0;
    model->topology.in[timers->node] = 0;
    tell_node(model, "out", timers->node, "its data is to be made again elsewhere");
    rehome(model);
    aft_model_changed(model);
}

static void bring_in(AftModel *model, guint node)
{
    model->topology.in[node] = 1;
    rehome(model);
}

static void comes_in(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftNodeTimers *timers = context;
    timers->in = 0;
    bring_in(timers->model, timers->node);
    aft_model_changed(timers->model);
}

static void fail_node(AftModel *model, guint node)
{
    AftNodeTimers *timers = &model->timers[node];
    gint64 now_ns = aft_engine_scenario_now(model->engine);
    gint64 detect_ns = now_ns + model->scenario->cluster.detect_ns;
    gint64 out_ns = now_ns + model->scenario->background.task[AFT_TASK_REBUILD].delay_ns;
    tell_node(model, "fail", node, "");
    aft_engine_cancel(model->engine, timers->in);
    aft_topology_stop(&model->topology, node);
    visit_groups(model, node, refresh);
    for (guint i = 0; i < model->n_clients; i++) {
        aft_clients_stop_node(&model->clients[i], node);
    }
    aft_executor_drop_node(model->executor, node);
    timers->detect = aft_engine_schedule_slow(model->engine, detect_ns, detect, timers);
    if (model->topology.in[node]) {
        timers->out =
            aft_engine_schedule_slow(model->engine, MAX(out_ns, detect_ns), goes_out, timers);
    }
    aft_model_changed(model);
}

/* Where nothing delays it, the node is in before anybody looks at its groups: else data that it
 * still has would set out to where it would have had to go. */
static void welcome(AftModel *model, guint node)
{
    AftNodeTimers *timers = &model->timers[node];
    gint64 delay_ns = model->scenario->background.task[AFT_TASK_REBALANCE].delay_ns;
    if (!model->topology.in[node] && delay_ns > 0) {
        timers->in = aft_engine_schedule_slow(model->engine,
                                              aft_engine_scenario_now(model->engine) + delay_ns,
                                              comes_in, timers);
    } else if (!model->topology.in[node]) {
        bring_in(model, node);
    }
    visit_groups(model, node, review);
}

static void restore_node(AftModel *model, guint node)
{
    AftNodeTimers *timers = &model->timers[node];
    aft_engine_cancel(model->engine, timers->detect);
    aft_engine_cancel(model->engine, timers->out);
    aft_topology_start(&model->topology, node);
    tell_node(model, "restore", node, "");
    welcome(model, node);
    for (guint i = 0; i < model->n_clients; i++) {
        aft_clients_node_returned(&model->clients[i], node);
    }
    retry_stalled(model);
    aft_model_changed(model);
}

static void act(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftPlanned *planned = context;
    if (planned->action->kind == AFT_ACTION_CONVERT) {
        aft_goals_convert(planned);
        return;
    }
    planned->model->n_waiting--;
    if (planned->action->kind == AFT_ACTION_FAIL) {
        fail_node(planned->model, planned->action->part.node);
    } else {
        restore_node(planned->model, planned->action->part.node);
    }
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
