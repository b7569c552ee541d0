/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rebuild.h"

#include "background.h"
#include "parts.h"

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
 * that is written coordinates, and has none of the others: reads cross the network, the write does
 * not. Returns: whether the loss of any member can be made good. */
static gboolean fill_unit(const AftScenario *scenario, const AftPoolBounds *pool,
                          AftBackgroundUnit *unit)
{
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
    unit->remote_reads = unit->reads;
    return possible;
}

/* The bytes of members behind a cache device, or on a device, where devices are largest. */
static double device_bytes(const AftScenario *scenario, AftFailureDomain domain,
                           double bytes_of_node)
{
    const AftNodeSpec *node = &scenario->cluster.node;
    double most_bytes = 0.0, all_bytes = aft_parts_capacity_bytes(node);
    for (guint g = 0; g < node->n_disk_groups; g++) {
        const AftDiskSpec *capacity = &node->disk_groups[g].capacity;
        double bytes = (double)capacity->size_bytes *
                       (domain == AFT_FAILURE_GROUP ? capacity->count : MIN(capacity->count, 1));
        most_bytes = MAX(most_bytes, bytes);
    }
    return all_bytes > 0.0 ? bytes_of_node * most_bytes / all_bytes : 0.0;
}

static void fill_paces(const AftScenario *scenario, const AftBackgroundUnit *unit,
                       AftPoolBounds *pool)
{
    guint nodes = scenario->cluster.nodes;
    g_auto(AftStacks) stacks;
    aft_stacks_init(&stacks, scenario, scenario->tiers.start, NULL);
    AftSetting all = {scenario, &stacks, AFT_STATE_HEALTHY, nodes, FALSE, 0.0};
    AftSetting others = {scenario, &stacks, AFT_STATE_NODE_DOWN, nodes - 1, FALSE, 0.0};
    pool->device.pace = aft_background_pace(&all, unit, pool->device.bytes);
    if (pool->rebuild.target) {
        pool->rebuild.pace = aft_background_pace(&others, unit, pool->rebuild.bytes);
    }
}

void aft_rebuild_fill(const AftScenario *scenario, AftPoolBounds *pool)
{
    AftBackgroundUnit unit;
    guint nodes = scenario->cluster.nodes;
    AftFailureDomain domain = aft_services_failure_domain(pool->spec);
    double bytes = pool->protected_bytes / nodes;
    pool->rebuild = (AftRebuildBounds){
        .possible = fill_unit(scenario, pool, &unit),
        .target = nodes > aft_protection_width(&pool->spec->initial),
        .bytes = bytes,
    };
    pool->device =
        (AftDeviceLoss){.domain = domain, .bytes = device_bytes(scenario, domain, bytes)};
    if (pool->rebuild.possible && unit.bytes > 0.0) {
        pool->rebuild.read_per_byte = unit.reads;
        pool->rebuild.network_per_byte = unit.reads;
        fill_paces(scenario, &unit, pool);
    }
}
