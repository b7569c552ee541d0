/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rebuild.h"

#include "background.h"

#include <aftershock/scenario/nodes.h>
#include <aftershock/scenario/services.h>

static double member_bytes(const AftPoolBounds *pool)
{
    guint width = aft_protection_width(&pool->spec->initial);
    return pool->protected_bytes / ((double)pool->spec->placement_groups * width);
}

static double reads_of(const AftPlan *plan)
{
    double reads = 0.0;
    for (guint i = 0; i < plan->stage_begin[plan->n_stages]; i++) {
        reads += plan->step[i].write ? 0.0 : 1.0;
    }
    return reads;
}

/* A unit of work, averaged over which member is missing and whose turn it is to be read. The node
 * that is written coordinates, and has none of the others unless members only are on devices of
 * their own: reads cross the network, the write does not. Returns: whether the loss of any member
 * can be made good. */
static gboolean fill_unit(const AftNodes *nodes, const AftPoolBounds *pool, AftBackgroundUnit *unit)
{
    const AftScenario *scenario = nodes->scenario;
    const AftProtectionSpec *protection = &pool->spec->initial;
    guint width = aft_protection_width(protection);
    gboolean possible = TRUE;
    *unit = (AftBackgroundUnit){
        .pool = pool->spec,
        .task = AFT_TASK_REBUILD,
        .bytes = aft_background_step(scenario, AFT_TASK_REBUILD, member_bytes(pool)),
        .writes = 1.0,
    };
    for (guint i = 0; i < width * width; i++) {
        AftPlan plan;
        AftPlanRequest request = {
            .operation = AFT_OPERATION_REPAIR,
            .first = i / width,
            .units = 1,
            .current = aft_protection_everyone(protection) & ~((guint32)1 << i / width),
            .turn = i % width,
        };
        aft_protection_plan(protection, &request, &plan);
        possible = possible && plan.possible;
        unit->reads += reads_of(&plan) / (width * width);
    }
    unit->remote_reads = unit->reads * (1.0 - nodes->shared);
    return possible;
}

/* The share of a node's members on one of its devices, or in a disk group, where it is largest. */
static double largest_share(const AftNodeSpec *node, AftFailureDomain domain)
{
    double most_bytes = 0.0, all_bytes = aft_node_capacity_bytes(node);
    for (guint g = 0; g < node->n_disk_groups; g++) {
        const AftDiskSpec *capacity = &node->disk_groups[g].capacity;
        double bytes = (double)capacity->size_bytes *
                       (domain == AFT_FAILURE_GROUP ? capacity->count : MIN(capacity->count, 1));
        most_bytes = MAX(most_bytes, bytes);
    }
    return all_bytes > 0.0 ? most_bytes / all_bytes : 0.0;
}

static double device_bytes(const AftNodes *nodes, const AftPoolBounds *pool,
                           AftFailureDomain domain)
{
    double most = 0.0;
    for (guint i = 0; i < nodes->n_kinds; i++) {
        const AftNodeKind *kind = &nodes->kind[i];
        most = MAX(most, kind->share * largest_share(kind->spec, domain));
    }
    return most * pool->protected_bytes;
}

static AftPace pace_of(const AftNodes *nodes, const AftBackgroundUnit *unit, double bytes)
{
    g_auto(AftStacks) stacks;
    aft_stacks_init(&stacks, nodes, nodes->scenario->tiers.start, NULL);
    AftSetting setting = {.scenario = nodes->scenario, .nodes = nodes, .stacks = &stacks};
    return aft_background_pace(&setting, unit, bytes);
}

/* Whether there is a place for the members of the node that is down: on another domain, or in its
 * own if more than it belongs to that. */
static gboolean has_target(const AftNodes *others, const AftPoolSpec *pool)
{
    const AftClusterSpec *cluster = &others->scenario->cluster;
    guint rack = cluster->sites[others->down].rack;
    g_autofree guint8 *racks = g_new0(guint8, cluster->racks);
    guint domains = 0;
    for (guint node = 0; node < cluster->nodes; node++) {
        const AftSite *site = &cluster->sites[node];
        guint devices = node == others->down ? 0 : aft_node_capacity_devices(site->spec);
        guint nodes = devices > 0 ? 1 : 0;
        domains += pool->domain == AFT_DOMAIN_DEVICE ? devices
                   : pool->domain == AFT_DOMAIN_NODE ? nodes
                   : racks[site->rack] == 0          ? nodes
                                                     : 0;
        racks[site->rack] |= (guint8)nodes;
    }
    return domains >= aft_protection_width(&pool->initial) ||
           (pool->domain == AFT_DOMAIN_RACK && racks[rack] != 0);
}

void aft_rebuild_fill(const AftScenario *scenario, AftPoolBounds *pool)
{
    AftBackgroundUnit unit;
    AftFailureDomain domain = aft_services_failure_domain(pool->spec);
    g_auto(AftNodes) all, others;
    aft_nodes_init(&all, scenario, pool->spec, AFT_STATE_HEALTHY);
    aft_nodes_init(&others, scenario, pool->spec, AFT_STATE_NODE_DOWN);
    pool->rebuild = (AftRebuildBounds){
        .told = others.told,
        .possible = fill_unit(&all, pool, &unit),
        .target = others.missing < 1.0 && has_target(&others, pool->spec),
        .bytes = pool->protected_bytes * others.missing,
    };
    pool->device = (AftDeviceLoss){.domain = domain, .bytes = device_bytes(&all, pool, domain)};
    if (!pool->rebuild.possible || unit.bytes <= 0.0) {
        return;
    }
    pool->rebuild.read_per_byte = unit.reads;
    pool->rebuild.network_per_byte = unit.remote_reads;
    pool->device.pace = pace_of(&all, &unit, pool->device.bytes);
    if (pool->rebuild.told && pool->rebuild.target) {
        pool->rebuild.pace = pace_of(&others, &unit, pool->rebuild.bytes);
    }
}
