/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "conversion.h"
#include "demand.h"
#include "rebuild.h"
#include "workload.h"

#include <aftershock/scenario/nodes.h>
#include <aftershock/scenario/services.h>

const char *aft_cluster_state_name(AftClusterState state)
{
    static const char *const names[] = {"healthy", "one node down"};
    g_assert((guint)state < G_N_ELEMENTS(names));
    return names[state];
}

const char *aft_scarce_name(AftScarce scarce)
{
    static const char *const names[] = {
        [AFT_SCARCE_CONTROLLER] = "controller",
        [AFT_SCARCE_NIC_OUT] = "NIC out",
        [AFT_SCARCE_NIC_IN] = "NIC in",
        [AFT_SCARCE_CACHE_ACCESS] = "cache access",
        [AFT_SCARCE_CACHE_TRANSFER] = "cache transfer",
        [AFT_SCARCE_CAPACITY_ACCESS] = "capacity access",
        [AFT_SCARCE_CAPACITY_TRANSFER] = "capacity transfer",
    };
    g_assert((guint)scarce < G_N_ELEMENTS(names));
    return names[scarce];
}

static gboolean exists(const AftNodeSpec *node, AftScarce scarce)
{
    switch (scarce) {
    case AFT_SCARCE_CONTROLLER:
        return node->controller.slots > 0;
    case AFT_SCARCE_NIC_OUT:
    case AFT_SCARCE_NIC_IN:
        return node->nic_bytes_per_s > 0.0;
    case AFT_SCARCE_CACHE_ACCESS:
    case AFT_SCARCE_CACHE_TRANSFER:
        return aft_node_cache_devices(node) > 0;
    default:
        return aft_node_capacity_devices(node) > 0;
    }
}

gboolean aft_scarce_exists(const AftScenario *scenario, AftScarce scarce)
{
    const AftClusterSpec *cluster = &scenario->cluster;
    guint node = 0;
    while (node < cluster->nodes && !exists(cluster->sites[node].spec, scarce)) {
        node++;
    }
    return node < cluster->nodes;
}

static void fill_pool(const AftScenario *scenario, guint index, AftPoolBounds *pool)
{
    const AftPoolSpec *spec = &scenario->pools[index];
    double protected_bytes = (double)spec->logical_bytes * aft_protection_overhead(&spec->initial);
    *pool = (AftPoolBounds){
        .spec = spec,
        .protected_bytes = protected_bytes,
        .stored_bytes = aft_services_stored_bytes(spec),
    };
    aft_rebuild_fill(scenario, pool);
}

static void add_utilisation(const AftBounds *bounds, AftClusterState state,
                            AftClusterBounds *cluster)
{
    for (guint i = 0; i < bounds->scenario->n_workloads; i++) {
        const AftWorkloadBounds *workload = &bounds->workload[i];
        cluster->told &= workload->state[state].told;
        for (guint s = 0; s < AFT_SCARCES; s++) {
            const AftDemand *demand = &workload->state[state].demand[s];
            cluster->utilisation[s].mean_s += workload->asked_iops * demand->mean_s;
            cluster->utilisation[s].most_s += workload->asked_iops * demand->most_s;
        }
    }
}

static void count_parts(const AftScenario *scenario, AftClusterState state,
                        AftClusterBounds *cluster)
{
    guint down = aft_nodes_down(scenario, state);
    *cluster = (AftClusterBounds){0};
    for (guint node = 0; node < scenario->cluster.nodes; node++) {
        const AftNodeSpec *spec = scenario->cluster.sites[node].spec;
        if (node != down) {
            cluster->nodes++;
            cluster->cache_devices += aft_node_cache_devices(spec);
            cluster->capacity_devices += aft_node_capacity_devices(spec);
            cluster->raw_bytes += aft_node_capacity_bytes(spec);
        }
    }
}

static void fill_cluster(const AftBounds *bounds, AftClusterState state, AftClusterBounds *cluster)
{
    const AftDemand *busy = cluster->utilisation;
    count_parts(bounds->scenario, state, cluster);
    cluster->told = TRUE;
    add_utilisation(bounds, state, cluster);
    cluster->bottleneck = aft_demand_bottleneck(busy);
    cluster->cache_devices_needed =
        cluster->cache_devices *
        MAX(busy[AFT_SCARCE_CACHE_ACCESS].mean_s, busy[AFT_SCARCE_CACHE_TRANSFER].mean_s);
    cluster->capacity_devices_needed =
        cluster->capacity_devices *
        MAX(busy[AFT_SCARCE_CAPACITY_ACCESS].mean_s, busy[AFT_SCARCE_CAPACITY_TRANSFER].mean_s);
}

/* What cannot be made again elsewhere leaves its room with the node that went. */
static gboolean fits(const AftBounds *bounds)
{
    const AftScenario *scenario = bounds->scenario;
    double needed = 0.0;
    for (guint i = 0; i < scenario->n_pools; i++) {
        const AftPoolBounds *pool = &bounds->pool[i];
        gboolean rebuilt = pool->rebuild.possible && pool->rebuild.target;
        double lost = pool->rebuild.bytes / pool->protected_bytes;
        needed += pool->stored_bytes * (rebuilt ? 1.0 : 1.0 - lost);
    }
    return needed <= scenario->cluster.full * bounds->cluster[AFT_STATE_NODE_DOWN].raw_bytes;
}

/* Whether nodes are not all alike, or do not have the same share of some pool's data. */
static gboolean is_unlike(const AftScenario *scenario)
{
    gboolean unlike = FALSE;
    for (guint i = 0; i < scenario->n_pools && !unlike; i++) {
        g_auto(AftNodes) nodes;
        aft_nodes_init(&nodes, scenario, &scenario->pools[i], AFT_STATE_HEALTHY);
        unlike = nodes.n_kinds > 1;
    }
    return unlike;
}

AftBounds *aft_bounds_new(const AftScenario *scenario)
{
    AftBounds *bounds = g_new0(AftBounds, 1);
    bounds->scenario = scenario;
    bounds->workload = g_new0(AftWorkloadBounds, scenario->n_workloads);
    bounds->pool = g_new0(AftPoolBounds, scenario->n_pools);
    for (guint i = 0; i < scenario->n_workloads; i++) {
        aft_workload_fill(scenario, i, &bounds->workload[i]);
        bounds->asked_iops += bounds->workload[i].asked_iops;
    }
    for (guint i = 0; i < scenario->n_pools; i++) {
        fill_pool(scenario, i, &bounds->pool[i]);
        bounds->logical_bytes += (double)scenario->pools[i].logical_bytes;
        bounds->protected_bytes += bounds->pool[i].protected_bytes;
        bounds->stored_bytes += bounds->pool[i].stored_bytes;
    }
    bounds->saved_bytes = 2.0 * bounds->logical_bytes - bounds->stored_bytes;
    bounds->conversions = g_array_new(FALSE, FALSE, sizeof(AftConversionBounds));
    aft_conversion_add_all(scenario, bounds->conversions);
    for (guint state = 0; state < AFT_STATES; state++) {
        fill_cluster(bounds, (AftClusterState)state, &bounds->cluster[state]);
    }
    bounds->fits = fits(bounds);
    bounds->unlike = is_unlike(scenario);
    return bounds;
}

void aft_bounds_free(AftBounds *bounds)
{
    if (bounds == NULL) {
        return;
    }
    for (guint i = 0; i < bounds->scenario->n_workloads; i++) {
        aft_workload_clear(&bounds->workload[i]);
    }
    g_array_unref(bounds->conversions);
    g_free(bounds->workload);
    g_free(bounds->pool);
    g_free(bounds);
}
