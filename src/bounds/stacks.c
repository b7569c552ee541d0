/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stacks.h"

#include "parts.h"

#include <aftershock/scenario/tiers.h>

/* What being filled and being warm mean for a stack with @working bytes of working sets. */
static void fill_chances(const AftStacks *stacks, double working, AftStack *stack)
{
    const AftTierSpec *tiers = &stacks->scenario->tiers;
    double warm_bytes = MIN(aft_tiers_read_bytes(tiers, stack->cache), working);
    double dirty = working > 0.0 ? MIN(stacks->fill * stack->buffer_bytes / working, 1.0) : 0.0;
    double warm = working > 0.0 ? warm_bytes / working : 0.0;
    stack->fresh = 1.0 - aft_heat_hits(stacks->heat, dirty, 0.0);
    stack->hit = aft_heat_hits(stacks->heat, dirty, warm);
}

static void add_stack(AftStacks *stacks, const AftDiskGroupSpec *group, guint n, guint behind)
{
    const AftScenario *scenario = stacks->scenario;
    AftStack *stack = &stacks->stack[stacks->n];
    if (n == 0 || behind == 0) {
        return;
    }
    *stack = (AftStack){
        .cache = group->cache.count > 0 ? &group->cache : NULL,
        .capacity = &group->capacity,
        .n = n,
        .behind = behind,
        .share = behind * (double)group->capacity.size_bytes /
                 aft_parts_capacity_bytes(&scenario->cluster.node),
    };
    stacks->n++;
    if (stack->cache != NULL) {
        stack->buffer_bytes =
            aft_tiers_buffer_bytes(&scenario->tiers, stack->cache) / (stacks->log ? 2.0 : 1.0);
        double working = aft_tiers_working_bytes(scenario) / scenario->cluster.nodes;
        fill_chances(stacks, stack->share * working, stack);
        stacks->cached += n * stack->share;
        stacks->fresh += n * stack->share * stack->fresh;
        stacks->buffer_bytes += n * stack->buffer_bytes;
    }
}

/* Capacity devices stand behind cache devices in turn: some may have one more. */
static void add_group(AftStacks *stacks, const AftDiskGroupSpec *group)
{
    guint caches = group->cache.count, capacity = group->capacity.count;
    if (caches == 0) {
        add_stack(stacks, group, group->count, capacity);
        return;
    }
    guint more = capacity % caches;
    add_stack(stacks, group, group->count * more, capacity / caches + 1);
    add_stack(stacks, group, group->count * (caches - more), capacity / caches);
}

void aft_stacks_init(AftStacks *stacks, const AftScenario *scenario, double fill,
                     const AftHeat *heat)
{
    const AftNodeSpec *node = &scenario->cluster.node;
    *stacks = (AftStacks){
        .scenario = scenario,
        .fill = fill,
        .heat = heat,
        .stack = g_new0(AftStack, 2 * node->n_disk_groups),
        .log = scenario->tiers.parity == AFT_PARITY_DESTAGE && aft_parts_cache_devices(node) > 0,
    };
    for (guint g = 0; g < node->n_disk_groups; g++) {
        add_group(stacks, &node->disk_groups[g]);
    }
}

void aft_stacks_clear(AftStacks *stacks)
{
    g_clear_pointer(&stacks->stack, g_free);
}
