/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scope.h"

#include <string.h>

void aft_scope_add_node(AftScope *scope, guint32 node)
{
    const AftNode *it = &scope->topology->nodes[node];
    if (!it->absent) {
        g_array_append_val(scope->nodes, node);
        scope->marks.nodes[node] = 1;
        memset(&scope->marks.devices[it->first_device], 1, it->n_devices);
    }
}

static void add_device(AftScope *scope, guint32 device)
{
    g_array_append_val(scope->devices, device);
    scope->marks.devices[device] = 1;
}

static void add_group(AftScope *scope, guint node, guint group)
{
    const AftTopology *topology = scope->topology;
    const AftNode *it = &topology->nodes[node];
    for (guint32 i = it->first_device; i < it->first_device + it->n_devices; i++) {
        if (topology->devices[i].group == group) {
            add_device(scope, i);
        }
    }
}

static void add_rack(AftScope *scope, guint rack)
{
    const AftTopology *topology = scope->topology;
    for (guint node = 0; node < topology->n_nodes; node++) {
        if (topology->nodes[node].rack == rack) {
            aft_scope_add_node(scope, node);
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

static void add_capacity_device(AftScope *scope, const AftPart *part)
{
    const AftTopology *topology = scope->topology;
    guint32 device = aft_topology_find_device(topology, part->node, part->group, part->device);
    g_assert(device != AFT_NOWHERE); /* the scenario was validated */
    if (topology->devices[device].buffer != NULL && groups_are_one(topology->scenario)) {
        add_group(scope, part->node, part->group);
    } else {
        add_device(scope, device);
    }
}

static void add_parts(AftScope *scope)
{
    const AftPart *part = &scope->part;
    scope->hosts = part->kind == AFT_PART_NODE || part->kind == AFT_PART_RACK;
    scope->media = part->kind == AFT_PART_DEVICE || part->kind == AFT_PART_CACHE;
    switch (part->kind) {
    case AFT_PART_NODE:
    case AFT_PART_CONTROLLER:
        aft_scope_add_node(scope, part->node);
        break;
    case AFT_PART_RACK:
        add_rack(scope, part->node);
        break;
    case AFT_PART_DEVICE:
        add_capacity_device(scope, part);
        break;
    default:
        add_group(scope, part->node, part->group);
        break;
    }
}

void aft_scope_init(AftScope *scope, AftTopology *topology, const AftPart *part)
{
    *scope = (AftScope){
        .topology = topology,
        .part = *part,
        .nodes = g_array_new(FALSE, FALSE, sizeof(guint32)),
        .devices = g_array_new(FALSE, FALSE, sizeof(guint32)),
        .marks = {g_new0(guint8, topology->n_devices), g_new0(guint8, topology->n_nodes)},
    };
    add_parts(scope);
}

void aft_scope_clear(AftScope *scope)
{
    g_array_unref(scope->nodes);
    g_array_unref(scope->devices);
    g_free(scope->marks.devices);
    g_free(scope->marks.nodes);
}

gboolean aft_scope_covers(const AftScope *scope, guint node)
{
    const AftPart *part = &scope->part;
    return part->kind == AFT_PART_RACK
               ? part->node == scope->topology->nodes[node].rack
               : (part->kind == AFT_PART_NODE || part->kind == AFT_PART_CONTROLLER) &&
                     part->node == node;
}

void aft_scope_hold(const AftScope *scope, AftHold hold, gboolean on)
{
    AftTopology *topology = scope->topology;
    for (guint i = 0; i < scope->nodes->len; i++) {
        guint32 node = g_array_index(scope->nodes, guint32, i);
        (on ? aft_topology_hold_node : aft_topology_release_node)(topology, node, hold);
    }
    for (guint i = 0; i < scope->devices->len; i++) {
        guint32 device = g_array_index(scope->devices, guint32, i);
        (on ? aft_topology_hold_device : aft_topology_release_device)(topology, device, hold);
    }
}
