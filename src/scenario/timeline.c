/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <aftershock/scenario/parts.h>

/* What was done so far, from the start of the timeline on. */
typedef struct {
    AftCheck *check;
    GHashTable *last;         /* "node 2": the last action that took it down or brought it back */
    GHashTable *slow;         /* "device 0.1.2": the last action that slowed it */
    const AftAction *upgrade; /* (nullable): the last */
    guint there;              /* nodes */
    gboolean *stopped;        /* workloads, tasks, maintenance */
} Course;

/* How messages and keys call what an action does to a part; NULL: it has none. */
static const struct {
    const char *key, *link_key, *doing;
} deeds[] = {
    [AFT_ACTION_FAIL] = {"fail", NULL, "fail"},
    [AFT_ACTION_RESTORE] = {"restore", NULL, "be restored"},
    [AFT_ACTION_SLOW] = {"slow.device", "slow.link", "be slow"},
    [AFT_ACTION_CORRUPT] = {"corrupt.device", NULL, "be corrupted"},
    [AFT_ACTION_MAINTENANCE] = {"maintenance.node", NULL, "be maintained"},
    [AFT_ACTION_UPGRADE] = {NULL, NULL, NULL},
    [AFT_ACTION_ADD] = {NULL, NULL, NULL},
    [AFT_ACTION_CONVERT] = {NULL, NULL, NULL},
};

static const char *key_of(const AftAction *action)
{
    const char *link_key = deeds[action->kind].link_key;
    gboolean device = action->part.kind == AFT_PART_DEVICE;
    return link_key != NULL && !device ? link_key : deeds[action->kind].key;
}

/* Whether @last (nullable) has the part down at @at_ns: surely, since nobody knows how long a
 * maintenance takes before the node goes down. */
static gboolean is_down(const AftAction *last, gint64 at_ns)
{
    return last != NULL &&
           (last->kind == AFT_ACTION_FAIL ||
            (last->kind == AFT_ACTION_MAINTENANCE && at_ns < last->at_ns + last->for_ns));
}

static void refuse(AftCheck *check, const char *item, const AftAction *action, const char *state,
                   const AftAction *since)
{
    g_autofree char *name = aft_part_format(&action->part);
    g_autofree char *at = aft_check_time(action->at_ns);
    g_autofree char *then = since == NULL ? NULL : aft_check_time(since->at_ns);
    aft_check_error(check, item, key_of(action), NULL, "%s cannot %s at %s, it is %s%s%s", name,
                    deeds[action->kind].doing, at, state, since == NULL ? "" : " since ",
                    since == NULL ? "" : then);
}

/* @last (nullable) is what took the part down or brought it back before.
 * Returns: whether @action can follow it. */
static gboolean check_state(AftCheck *check, const char *item, const AftAction *action,
                            const AftAction *last)
{
    gboolean down = is_down(last, action->at_ns);
    gboolean failed = last != NULL && last->kind == AFT_ACTION_FAIL;
    if (last != NULL && last->at_ns == action->at_ns) {
        g_autofree char *name = aft_part_format(&action->part);
        g_autofree char *at = aft_check_time(action->at_ns);
        aft_check_error(check, item, key_of(action), NULL, "%s has two actions at one time, %s",
                        name, at);
    } else if (action->kind == AFT_ACTION_RESTORE && !failed) {
        refuse(check, item, action, down ? "in maintenance" : "up", down ? last : NULL);
    } else if (action->kind != AFT_ACTION_RESTORE && down) {
        refuse(check, item, action, failed ? "down" : "in maintenance", last);
    } else {
        return TRUE;
    }
    return FALSE;
}

static void check_slow(Course *course, const char *item, const AftAction *action)
{
    g_autofree char *name = aft_part_format(&action->part);
    const AftAction *last = g_hash_table_lookup(course->slow, name);
    if (last != NULL && action->at_ns < last->at_ns + last->for_ns) {
        refuse(course->check, item, action, "slow", last);
    }
    g_hash_table_insert(course->slow, g_steal_pointer(&name), (gpointer)(gsize)action);
}

/* Nodes that the timeline adds are there from then on. */
static gboolean check_there(Course *course, const char *item, const AftAction *action)
{
    guint node = action->part.node;
    if (action->part.kind == AFT_PART_RACK || node < course->there) {
        return TRUE;
    }
    g_autofree char *at = aft_check_time(action->at_ns);
    aft_check_error(course->check, item, key_of(action), NULL, "node %u is not there yet at %s",
                    node, at);
    return FALSE;
}

static void check_part(Course *course, const char *item, const AftAction *action)
{
    gboolean moves = action->kind != AFT_ACTION_SLOW && action->kind != AFT_ACTION_CORRUPT;
    if (!aft_check_part(course->check, item, key_of(action), &action->part) ||
        !check_there(course, item, action)) {
        return;
    }
    g_autofree char *name = aft_part_format(&action->part);
    gboolean link = action->kind == AFT_ACTION_SLOW && action->part.kind != AFT_PART_DEVICE;
    const AftAction *last = link ? NULL : g_hash_table_lookup(course->last, name);
    if (!check_state(course->check, item, action, last)) {
        return;
    }
    if (action->kind == AFT_ACTION_SLOW) {
        check_slow(course, item, action);
    }
    if (moves) {
        g_hash_table_insert(course->last, g_steal_pointer(&name), (gpointer)(gsize)action);
    }
}

/* Whether @last (nullable) is surely still under way at @at_ns. */
static gboolean is_upgrading(const AftAction *last, guint nodes, gint64 at_ns)
{
    return last != NULL && (double)(at_ns - last->at_ns) < (double)last->for_ns * nodes;
}

/* One upgrade, or maintenance, at a time: how long an upgrade takes at least is known. */
static void check_upgrade(Course *course, const char *item, const AftAction *action)
{
    const AftAction *last = course->upgrade;
    if (is_upgrading(last, course->check->scenario->cluster.nodes, action->at_ns)) {
        g_autofree char *since = aft_check_time(last->at_ns);
        const char *key = action->kind == AFT_ACTION_UPGRADE ? "upgrade" : "maintenance";
        aft_check_error(course->check, item, key, NULL, "an upgrade is under way since %s", since);
    }
    if (action->kind == AFT_ACTION_UPGRADE) {
        course->upgrade = action;
    }
}

static void check_switch(Course *course, const char *item, AftAction *action)
{
    const AftScenario *scenario = course->check->scenario;
    gboolean stop = action->kind == AFT_ACTION_STOP;
    const char *key = stop ? "stop" : "start";
    if (!aft_check_target(course->check, item, key, action)) {
        return;
    }
    guint before = action->target_kind == AFT_TARGET_WORKLOAD ? 0
                   : action->target_kind == AFT_TARGET_TASK   ? scenario->n_workloads
                                                              : scenario->n_workloads + AFT_TASKS;
    gboolean *stopped = &course->stopped[before + action->target_index];
    if (*stopped == stop) {
        aft_check_warning(course->check, item, key, "has no effect, %s is %s then", action->target,
                          stop ? "stopped" : "running");
    }
    *stopped = stop;
}

static void check_action(Course *course, AftAction *action)
{
    g_autofree char *item = g_strdup_printf("timeline[%u]", action->index);
    switch (action->kind) {
    case AFT_ACTION_CONVERT:
        break;
    case AFT_ACTION_ADD:
        course->there += action->nodes;
        break;
    case AFT_ACTION_START:
    case AFT_ACTION_STOP:
        check_switch(course, item, action);
        break;
    case AFT_ACTION_UPGRADE:
        check_upgrade(course, item, action);
        break;
    case AFT_ACTION_MAINTENANCE:
        check_upgrade(course, item, action);
        check_part(course, item, action);
        break;
    default:
        check_part(course, item, action);
        break;
    }
}

static void check_course(AftCheck *check)
{
    const AftScenario *scenario = check->scenario;
    guint maintenance = scenario->n_workloads + AFT_TASKS;
    g_autoptr(GHashTable) last = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) slow = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree gboolean *stopped = g_new0(gboolean, maintenance + 1);
    stopped[maintenance] = !scenario->background.maintenance.enabled;
    Course course = {check, last, slow, NULL, scenario->cluster.nodes, stopped};
    for (guint i = 0; i < scenario->n_timeline; i++) {
        check_action(&course, &scenario->timeline[i]);
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

void aft_check_timeline(AftCheck *check, gboolean complete)
{
    if (complete && check->scenario->cluster.n_sites > 0) {
        check_course(check);
    }
    if (complete && aft_check_sound(check, "data")) {
        aft_check_conversions(check);
    }
    if (complete && aft_check_sound(check, "run.duration")) {
        check_end(check);
    }
}
