/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nodes.h"

#include "shares.h"

#include <aftershock/scenario/nodes.h>

guint aft_nodes_down(const AftScenario *scenario, AftClusterState state)
{
    const AftClusterSpec *cluster = &scenario->cluster;
    guint down = 0;
    double most = -1.0;
    if (state == AFT_STATE_HEALTHY) {
        return cluster->nodes;
    }
    for (guint node = 0; node < cluster->nodes; node++) {
        double bytes = aft_node_capacity_bytes(cluster->sites[node].spec);
        if (bytes > most) {
            most = bytes;
            down = node;
        }
    }
    return down;
}

static guint find_kind(const AftNodes *nodes, const AftNodeSpec *spec, double share)
{
    guint kind = 0;
    while (kind < nodes->n_kinds &&
           (nodes->kind[kind].share != share || !aft_node_is_alike(nodes->kind[kind].spec, spec))) {
        kind++;
    }
    return kind;
}

static void sort_into_kinds(AftNodes *nodes, const double *shares)
{
    for (guint node = 0; node < nodes->n; node++) {
        const AftNodeSpec *spec = nodes->scenario->cluster.sites[node].spec;
        guint kind = find_kind(nodes, spec, shares[node]);
        if (kind == nodes->n_kinds) {
            nodes->kind = g_renew(AftNodeKind, nodes->kind, ++nodes->n_kinds);
            nodes->kind[kind] = (AftNodeKind){spec, shares[node], 0};
        }
        nodes->kind_of[node] = kind;
        nodes->kind[kind].n += node != nodes->down;
    }
}

/* Exact where the devices of a node are of one size. */
static double shared(const AftNodes *nodes)
{
    double chance = 0.0;
    for (guint i = 0; i < nodes->n_kinds; i++) {
        const AftNodeKind *kind = &nodes->kind[i];
        guint devices = aft_node_capacity_devices(kind->spec);
        double device = devices > 0 ? kind->share / devices : 0.0;
        chance +=
            device < 1.0 ? kind->n * kind->share * (kind->share - device) / (1.0 - device) : 0.0;
    }
    return chance;
}

void aft_nodes_init(AftNodes *nodes, const AftScenario *scenario, const AftPoolSpec *pool,
                    AftClusterState state)
{
    guint n = scenario->cluster.nodes, down = aft_nodes_down(scenario, state);
    g_autofree double *shares = aft_shares_of_nodes(scenario, pool);
    *nodes = (AftNodes){
        .scenario = scenario,
        .kind_of = g_new(guint, n),
        .n = n,
        .live = n - (down < n ? 1 : 0),
        .down = down,
        .missing = down < n ? shares[down] : 0.0,
        .told = down == n || pool->domain != AFT_DOMAIN_DEVICE,
    };
    sort_into_kinds(nodes, shares);
    double live = 1.0 - nodes->missing;
    nodes->missing = live > 1e-12 ? nodes->missing : 1.0; /* rounding */
    for (guint i = 0; i < nodes->n_kinds && nodes->missing > 0.0; i++) {
        nodes->kind[i].share = nodes->missing < 1.0 ? nodes->kind[i].share / live : 0.0;
    }
    nodes->shared = pool->domain == AFT_DOMAIN_DEVICE ? shared(nodes) : 0.0;
}

void aft_nodes_clear(AftNodes *nodes)
{
    g_clear_pointer(&nodes->kind, g_free);
    g_clear_pointer(&nodes->kind_of, g_free);
}

guint aft_nodes_cache_devices(const AftNodes *nodes)
{
    guint devices = 0;
    for (guint i = 0; i < nodes->n_kinds; i++) {
        devices += nodes->kind[i].n * aft_node_cache_devices(nodes->kind[i].spec);
    }
    return devices;
}

guint aft_nodes_capacity_devices(const AftNodes *nodes)
{
    guint devices = 0;
    for (guint i = 0; i < nodes->n_kinds; i++) {
        devices += nodes->kind[i].n * aft_node_capacity_devices(nodes->kind[i].spec);
    }
    return devices;
}

double aft_nodes_same(const AftNodes *nodes)
{
    double chance = 0.0;
    for (guint i = 0; i < nodes->n_kinds; i++) {
        chance += nodes->kind[i].n * nodes->kind[i].share * nodes->kind[i].share;
    }
    return chance;
}
