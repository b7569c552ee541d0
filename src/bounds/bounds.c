/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "demand.h"
#include "operation.h"
#include "parts.h"
#include "rebuild.h"

#include <math.h>

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

gboolean aft_scarce_exists(const AftScenario *scenario, AftScarce scarce)
{
    const AftNodeSpec *node = &scenario->cluster.node;
    switch (scarce) {
    case AFT_SCARCE_CONTROLLER:
        return node->controller.slots > 0;
    case AFT_SCARCE_NIC_OUT:
    case AFT_SCARCE_NIC_IN:
        return node->nic_bytes_per_s > 0.0;
    case AFT_SCARCE_CACHE_ACCESS:
    case AFT_SCARCE_CACHE_TRANSFER:
        return aft_parts_cache_devices(node) > 0;
    default:
        return aft_parts_capacity_devices(node) > 0;
    }
}

/* Machines on every node. */
typedef struct {
    guint *machines;
    guint8 *wanted; /* non-zero: `on` names it */
    guint nodes;
    guint down; /* this one is dead, if it is a node */
} Hosts;

/* Where a machine without a host goes on: where fewest run, nodes of `on` before all others. */
static guint next_host(const Hosts *hosts, guint vms)
{
    guint best = 0, best_rank = G_MAXUINT;
    for (guint node = 0; node < hosts->nodes; node++) {
        guint rank = hosts->machines[node] + (hosts->wanted[node] != 0 ? 0 : vms + 1);
        if (node != hosts->down && rank < best_rank) {
            best = node;
            best_rank = rank;
        }
    }
    return best;
}

static void place_machines(const AftWorkloadSpec *spec, Hosts *hosts)
{
    for (guint i = 0; i < spec->n_on_nodes; i++) {
        hosts->wanted[spec->on_nodes[i]] = 1;
    }
    for (guint vm = 0; vm < spec->vms; vm++) {
        hosts->machines[spec->on_nodes[vm % spec->n_on_nodes]]++;
    }
    guint homeless = hosts->down < hosts->nodes ? hosts->machines[hosts->down] : 0;
    for (guint vm = 0; vm < homeless; vm++) {
        hosts->machines[next_host(hosts, spec->vms)]++;
    }
}

/* The share of machines on every live node. Returns: (transfer full). */
static double *coordinating_shares(const AftWorkloadSpec *spec, guint nodes, guint down)
{
    g_autofree guint *machines = g_new0(guint, nodes);
    g_autofree guint8 *wanted = g_new0(guint8, nodes);
    double *shares = g_new(double, nodes);
    Hosts hosts = {machines, wanted, nodes, down};
    place_machines(spec, &hosts);
    guint n = 0;
    for (guint node = 0; node < nodes; node++) {
        if (node != down) {
            shares[n++] = (double)machines[node] / spec->vms;
        }
    }
    return shares;
}

/* Means are the same whichever node is down; of the busiest, the least burdened counts. */
static void fill_demand(const AftScenario *scenario, const AftWorkloadSpec *spec,
                        AftClusterState state, const AftVisits *visits, AftDemand *ret_demand)
{
    guint nodes = scenario->cluster.nodes;
    guint first = state == AFT_STATE_HEALTHY ? nodes : 0;
    guint live = nodes - (state == AFT_STATE_NODE_DOWN);
    for (guint down = first; down == first || down < nodes; down++) {
        AftDemand demand[AFT_SCARCES];
        g_autofree double *shares = coordinating_shares(spec, nodes, down);
        aft_demand_fill(&scenario->cluster.node, live, shares, visits, demand);
        for (guint s = 0; s < AFT_SCARCES; s++) {
            double most_s = down == first ? demand[s].most_s : ret_demand[s].most_s;
            ret_demand[s] = (AftDemand){demand[s].mean_s, MIN(most_s, demand[s].most_s)};
        }
    }
}

static double mix(const AftWorkloadSpec *spec, double read, double write)
{
    return spec->read_share * read + (1.0 - spec->read_share) * write;
}

static AftVisits visits_of(const AftScenario *scenario, const AftWorkloadBounds *workload,
                           const AftWorkloadState *it, guint live)
{
    const AftWorkloadSpec *spec = workload->spec;
    double remote = 1.0 - 1.0 / live;
    double reads = mix(spec, it->read.reads, it->write.reads);
    double writes = mix(spec, it->read.writes, it->write.writes);
    double decode_s = (double)workload->pool->initial.degraded_ns / 1e9;
    return (AftVisits){
        .bytes = workload->step_bytes,
        .reads = reads,
        .writes = writes,
        .remote_reads = remote * reads,
        .remote_writes = remote * writes,
        .decode_s = scenario->cluster.node.controller.slots > 0
                        ? mix(spec, it->read.degraded, it->write.degraded) * decode_s
                        : 0.0,
    };
}

static void fill_limits(const AftWorkloadBounds *workload, AftWorkloadState *it)
{
    double cycle_s = it->response_s + (double)workload->spec->think_ns / 1e9;
    it->bottleneck = aft_demand_bottleneck(it->demand);
    it->capacity_iops = 1.0 / it->demand[it->bottleneck].most_s;
    it->outstanding_iops = workload->outstanding / cycle_s;
    it->iops = MIN(it->capacity_iops, it->outstanding_iops);
    it->limit = it->outstanding_iops < it->capacity_iops ? AFT_LIMIT_OUTSTANDING : AFT_LIMIT_SCARCE;
}

static void fill_state(const AftScenario *scenario, AftWorkloadBounds *workload,
                       AftClusterState state)
{
    AftWorkloadState *it = &workload->state[state];
    guint live = scenario->cluster.nodes - (state == AFT_STATE_NODE_DOWN);
    if (live == 0) {
        it->lost = 1.0;
        return;
    }
    double served = aft_operation_fill(scenario, workload, state, AFT_OPERATION_READ, &it->read);
    aft_operation_fill(scenario, workload, state, AFT_OPERATION_WRITE, &it->write);
    it->possible = served > 0.0;
    it->lost = MAX(1.0 - served, 0.0);
    if (it->possible) {
        AftVisits visits = visits_of(scenario, workload, it, live);
        it->device_ios = visits.reads + visits.writes;
        it->response_s = mix(workload->spec, it->read.response_s, it->write.response_s);
        fill_demand(scenario, workload->spec, state, &visits, it->demand);
        fill_limits(workload, it);
    }
}

static void fill_workload(const AftScenario *scenario, guint index, AftWorkloadBounds *workload)
{
    const AftWorkloadSpec *spec = &scenario->workloads[index];
    const AftPoolSpec *pool = &scenario->pools[spec->pool_index];
    guint units = aft_protection_units(&pool->initial, spec->block_bytes);
    *workload = (AftWorkloadBounds){
        .spec = spec,
        .pool = pool,
        .units = units,
        .step_bytes = (guint32)(spec->block_bytes / units),
        .outstanding = spec->outstanding,
        .asked_iops = spec->kind == AFT_WORKLOAD_CLOSED ? 0.0 : spec->rate_per_s,
    };
    for (guint state = 0; state < AFT_STATES; state++) {
        fill_state(scenario, workload, (AftClusterState)state);
    }
}

static void fill_pool(const AftScenario *scenario, guint index, AftPoolBounds *pool)
{
    const AftPoolSpec *spec = &scenario->pools[index];
    *pool = (AftPoolBounds){
        .spec = spec,
        .protected_bytes = (double)spec->logical_bytes * aft_protection_overhead(&spec->initial),
    };
    aft_rebuild_fill(scenario, pool, &pool->rebuild);
}

static void add_utilisation(const AftBounds *bounds, AftClusterState state,
                            AftClusterBounds *cluster)
{
    for (guint i = 0; i < bounds->scenario->n_workloads; i++) {
        const AftWorkloadBounds *workload = &bounds->workload[i];
        for (guint s = 0; s < AFT_SCARCES; s++) {
            const AftDemand *demand = &workload->state[state].demand[s];
            cluster->utilisation[s].mean_s += workload->asked_iops * demand->mean_s;
            cluster->utilisation[s].most_s += workload->asked_iops * demand->most_s;
        }
    }
}

static void fill_cluster(const AftBounds *bounds, AftClusterState state, AftClusterBounds *cluster)
{
    const AftNodeSpec *node = &bounds->scenario->cluster.node;
    guint live = bounds->scenario->cluster.nodes - (state == AFT_STATE_NODE_DOWN);
    const AftDemand *busy = cluster->utilisation;
    *cluster = (AftClusterBounds){
        .nodes = live,
        .cache_devices = live * aft_parts_cache_devices(node),
        .capacity_devices = live * aft_parts_capacity_devices(node),
        .raw_bytes = live * aft_parts_capacity_bytes(node),
    };
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
        needed += pool->protected_bytes - (rebuilt ? 0.0 : pool->rebuild.bytes);
    }
    return needed <= scenario->cluster.full * bounds->cluster[AFT_STATE_NODE_DOWN].raw_bytes;
}

AftBounds *aft_bounds_new(const AftScenario *scenario)
{
    AftBounds *bounds = g_new0(AftBounds, 1);
    bounds->scenario = scenario;
    bounds->workload = g_new0(AftWorkloadBounds, scenario->n_workloads);
    bounds->pool = g_new0(AftPoolBounds, scenario->n_pools);
    for (guint i = 0; i < scenario->n_workloads; i++) {
        fill_workload(scenario, i, &bounds->workload[i]);
        bounds->asked_iops += bounds->workload[i].asked_iops;
    }
    for (guint i = 0; i < scenario->n_pools; i++) {
        fill_pool(scenario, i, &bounds->pool[i]);
        bounds->logical_bytes += (double)scenario->pools[i].logical_bytes;
        bounds->protected_bytes += bounds->pool[i].protected_bytes;
    }
    for (guint state = 0; state < AFT_STATES; state++) {
        fill_cluster(bounds, (AftClusterState)state, &bounds->cluster[state]);
    }
    bounds->fits = fits(bounds);
    return bounds;
}

static void clear_workload(AftWorkloadBounds *workload)
{
    for (guint state = 0; state < AFT_STATES; state++) {
        aft_operation_clear(&workload->state[state].read);
        aft_operation_clear(&workload->state[state].write);
    }
}

void aft_bounds_free(AftBounds *bounds)
{
    if (bounds == NULL) {
        return;
    }
    for (guint i = 0; i < bounds->scenario->n_workloads; i++) {
        clear_workload(&bounds->workload[i]);
    }
    g_free(bounds->workload);
    g_free(bounds->pool);
    g_free(bounds);
}
