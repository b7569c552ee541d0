/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

static const char *verb(AftActionKind kind)
{
    return kind == AFT_ACTION_FAIL ? "fail" : "restore";
}

/* Each item says when, and one thing to do. Returns: whether it does. */
static gboolean check_item(AftCheck *check, guint i)
{
    AftAction *action = &check->scenario->timeline[i];
    g_autofree char *item = g_strdup_printf("timeline[%u]", i);
    g_autofree char *set = g_strdup_printf("timeline[%u].set", i);
    gboolean fails = aft_check_written(check, item, "fail");
    gboolean restores = aft_check_written(check, item, "restore");
    gboolean sets =
        aft_check_written_below(check, "timeline[*].set", i) > 0 || !aft_check_sound(check, set);
    gint verbs = fails + restores + sets;
    action->index = i;
    if (sets) {
        action->kind = AFT_ACTION_CONVERT;
    }
    if (verbs > 1) {
        aft_check_error(check, item, sets ? "set" : "restore", NULL,
                        "an item does one thing: fail, restore or set, write one for each");
    } else if (verbs == 0) {
        aft_check_error(check, item, "", NULL, "expected fail, restore or set, like fail: node 2");
    } else if (!sets && aft_check_written(check, item, "pool")) {
        aft_check_error(check, item, "pool", NULL, "only a conversion has a pool, nodes have none");
    }
    return verbs == 1 && aft_check_written(check, item, "at");
}

static gint compare_index(gconstpointer a, gconstpointer b, gpointer data)
{
    (void)data;
    const AftAction *first = a, *second = b;
    return (first->index > second->index) - (first->index < second->index);
}

static gint compare_time(gconstpointer a, gconstpointer b, gpointer data)
{
    const AftAction *first = a, *second = b;
    if (first->at_ns != second->at_ns) {
        return first->at_ns < second->at_ns ? -1 : 1;
    }
    return compare_index(a, b, data);
}

static void sort(AftScenario *scenario, GCompareDataFunc compare)
{
    if (scenario->n_timeline > 1) {
        g_qsort_with_data(scenario->timeline, (gint)scenario->n_timeline, sizeof(AftAction),
                          compare, NULL);
    }
}

void aft_timeline_unsort(AftScenario *scenario)
{
    if (scenario->resolved) {
        sort(scenario, compare_index);
    }
    scenario->resolved = FALSE;
}

/* @last (nullable) is what was done to the node before. */
static void check_order(AftCheck *check, const char *item, const AftAction *action,
                        const AftAction *last)
{
    g_autofree char *at = aft_check_time(action->at_ns);
    gboolean fails = action->kind == AFT_ACTION_FAIL;
    gboolean down = last != NULL && last->kind == AFT_ACTION_FAIL;
    if (last != NULL && last->at_ns == action->at_ns) {
        aft_check_error(check, item, verb(action->kind), NULL,
                        "node %u has two actions at one time, %s", action->part.node, at);
    } else if (fails && down) {
        g_autofree char *since = aft_check_time(last->at_ns);
        aft_check_error(check, item, "fail", NULL, "node %u cannot fail at %s, it is down since %s",
                        action->part.node, at, since);
    } else if (!fails && !down) {
        aft_check_error(check, item, "restore", NULL, "node %u cannot be restored at %s, it is up",
                        action->part.node, at);
    }
}

static void check_orders(AftCheck *check)
{
    const AftScenario *scenario = check->scenario;
    guint nodes = scenario->cluster.nodes;
    g_autofree const AftAction **last = g_new0(const AftAction *, nodes);
    for (guint i = 0; i < scenario->n_timeline; i++) {
        const AftAction *action = &scenario->timeline[i];
        g_autofree char *item = g_strdup_printf("timeline[%u]", action->index);
        if (action->kind == AFT_ACTION_CONVERT) {
            continue;
        }
        if (action->part.node >= nodes) {
            aft_check_error(check, item, verb(action->kind), NULL,
                            "there is no node %u: the cluster has %u, counted from 0",
                            action->part.node, nodes);
            continue;
        }
        check_order(check, item, action, last[action->part.node]);
        last[action->part.node] = action;
    }
}

/* What is due behind the end of the run does not happen. */
static void check_end(AftCheck *check)
{
    const AftScenario *scenario = check->scenario;
    g_autofree char *end = aft_check_time(scenario->run.duration_ns);
    for (guint i = 0; i < scenario->n_timeline; i++) {
        const AftAction *action = &scenario->timeline[i];
        if (action->at_ns >= scenario->run.duration_ns) {
            g_autofree char *item = g_strdup_printf("timeline[%u]", action->index);
            aft_check_warning(check, item, "at", "never happens, run.duration is %s", end);
        }
    }
}

gboolean aft_check_faults(const AftCheck *check)
{
    for (guint i = 0; i < check->scenario->n_timeline; i++) {
        g_autofree char *item = g_strdup_printf("timeline[%u]", i);
        if (aft_check_written(check, item, "fail")) {
            return TRUE;
        }
    }
    return FALSE;
}

void aft_check_timeline(AftCheck *check)
{
    AftScenario *scenario = check->scenario;
    gboolean complete = aft_check_sound(check, "timeline");
    for (guint i = 0; i < scenario->n_timeline; i++) {
        complete &= check_item(check, i);
    }
    sort(scenario, compare_time);
    if (complete && scenario->cluster.nodes > 0) {
        check_orders(check);
    }
    if (complete && aft_check_sound(check, "data")) {
        aft_check_conversions(check);
    }
    if (complete && aft_check_sound(check, "run.duration")) {
        check_end(check);
    }
}
