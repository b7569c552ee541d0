/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lists.h"
#include "value.h"

#include <aftershock/scenario/what_if.h>

static void add_part(GArray *parts, AftPartKind kind, guint node, guint group, guint device)
{
    const AftPart part = {kind, node, group, device};
    g_array_append_val(parts, part);
}

/* The parts of disk group @group, counted through all of a node's. */
static void add_of_group(GArray *parts, AftPartKind kind, guint node, guint group,
                         const AftDiskGroupSpec *spec)
{
    if (kind == AFT_PART_GROUP || (kind == AFT_PART_CACHE && spec->cache.count > 0)) {
        add_part(parts, kind, node, group, 0);
    }
    for (guint i = 0; kind == AFT_PART_DEVICE && i < spec->capacity.count; i++) {
        add_part(parts, kind, node, group, i);
    }
}

static void add_of_node(GArray *parts, AftPartKind kind, guint node, const AftNodeSpec *spec)
{
    guint group = 0;
    if (kind == AFT_PART_NODE || kind == AFT_PART_CONTROLLER) {
        add_part(parts, kind, node, 0, 0);
    }
    for (guint i = 0; i < spec->n_disk_groups; i++) {
        for (guint k = 0; k < spec->disk_groups[i].count; k++) {
            add_of_group(parts, kind, node, group++, &spec->disk_groups[i]);
        }
    }
}

GArray *aft_what_if_parts(const AftScenario *scenario, AftPartKind kind)
{
    g_assert(scenario->resolved && kind != AFT_PART_LINK);
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(AftPart));
    const AftClusterSpec *cluster = &scenario->cluster;
    g_autofree gboolean *seen = g_new0(gboolean, cluster->racks);
    for (guint node = 0; node < cluster->nodes; node++) {
        seen[cluster->sites[node].rack] = TRUE;
        add_of_node(parts, kind, node, cluster->sites[node].spec);
    }
    for (guint rack = 0; kind == AFT_PART_RACK && rack < cluster->racks; rack++) {
        if (seen[rack]) {
            add_part(parts, kind, rack, 0, 0);
        }
    }
    return parts;
}

gint64 aft_what_if_first_failure(const AftScenario *scenario)
{
    for (guint i = 0; i < scenario->n_timeline; i++) {
        if (scenario->timeline[i].kind == AFT_ACTION_FAIL) {
            return scenario->timeline[i].at_ns;
        }
    }
    return AFT_WHAT_IF_NEVER;
}

/* Calls @function for the field of every key that an item of @list has itself. */
static void each_field(AftListId list, void *item, void (*function)(const AftKey *, void *))
{
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        if (keys[i].list == list && keys[i].type != AFT_KEY_BARE) {
            function(&keys[i], (char *)item + keys[i].offset);
        }
    }
}

static gboolean is_fault(const AftAction *action)
{
    return action->kind == AFT_ACTION_FAIL || action->kind == AFT_ACTION_RESTORE ||
           action->kind == AFT_ACTION_SLOW || action->kind == AFT_ACTION_CORRUPT;
}

static void drop_drawn(AftScenario *scenario)
{
    for (guint i = 0; i < scenario->n_faults; i++) {
        AftFaultSpec *fault = &scenario->faults[i];
        each_field(AFT_LIST_FAULTS, fault, aft_value_clear);
        g_free(fault->life.values);
        g_free(fault->repair.values);
        g_free(fault->on_nodes);
    }
    g_clear_pointer(&scenario->faults, g_free);
    scenario->n_faults = 0;
}

void aft_what_if_no_faults(AftScenario *scenario)
{
    g_assert(scenario->resolved);
    guint kept = 0;
    for (guint i = 0; i < scenario->n_timeline; i++) {
        if (is_fault(&scenario->timeline[i])) {
            each_field(AFT_LIST_TIMELINE, &scenario->timeline[i], aft_value_clear);
        } else {
            scenario->timeline[kept++] = scenario->timeline[i];
        }
    }
    scenario->n_timeline = kept;
    drop_drawn(scenario);
}

/* Behind all that happens no later. */
static void insert(AftScenario *scenario, AftActionKind kind, const AftPart *part, gint64 at_ns)
{
    guint n = scenario->n_timeline, place = n;
    scenario->timeline = g_renew(AftAction, scenario->timeline, n + 1);
    for (; place > 0 && scenario->timeline[place - 1].at_ns > at_ns; place--) {
        scenario->timeline[place] = scenario->timeline[place - 1];
    }
    AftAction action = {0};
    each_field(AFT_LIST_TIMELINE, &action, aft_value_reset);
    action.kind = kind;
    action.part = *part;
    action.at_ns = at_ns;
    action.index = n;
    scenario->timeline[place] = action;
    scenario->n_timeline++;
}

void aft_what_if_fails(AftScenario *scenario, const AftPart *part, gint64 at_ns, gint64 restore_ns)
{
    g_assert(scenario->resolved && at_ns < restore_ns);
    insert(scenario, AFT_ACTION_FAIL, part, at_ns);
    if (restore_ns != AFT_WHAT_IF_NEVER) {
        insert(scenario, AFT_ACTION_RESTORE, part, restore_ns);
    }
}
