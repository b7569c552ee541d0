/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stacks.h"

#include <aftershock/scenario/nodes.h>
#include <aftershock/scenario/tiers.h>

/* What being filled and being warm mean for a stack with @working bytes of working sets. */
static void fill_chances(const AftStacks *stacks, double working, AftStack *stack)
{
    const AftTierSpec *tiers = &stacks->nodes->scenario->tiers;
    double warm_bytes = MIN(aft_tiers_read_bytes(tiers, stack->cache), working);
    double dirty = working > 0.0 ? MIN(stacks->fill * stack->buffer_bytes / working, 1.0) : 0.0;
    double warm = working > 0.0 ? warm_bytes / working : 0.0;
    stack->fresh = 1.0 - aft_heat_hits(stacks->heat, dirty, 0.0);
    stack->hit = aft_heat_hits(stacks->heat, dirty, warm);
}

guint aft_stack_count(const AftStacks *stacks, const AftStack *stack)
{
    return stacks->nodes->kind[stack->kind].n * stack->n;
}

/* What is in front of a node's members keeps what was there before another went down. */
static double working_bytes(const AftStacks *stacks, const AftStack *stack)
{
    return stack->share * (1.0 - stacks->nodes->missing) *
           aft_tiers_working_bytes(stacks->nodes->scenario);
}

static void add_cache(AftStacks *stacks, AftStack *stack)
{
    const AftTierSpec *tiers = &stacks->nodes->scenario->tiers;
    guint n = aft_stack_count(stacks, stack);
    stack->buffer_bytes = aft_tiers_buffer_bytes(tiers, stack->cache) / (stacks->log ? 2.0 : 1.0);
    fill_chances(stacks, working_bytes(stacks, stack), stack);
    stacks->cached += n * stack->share;
    stacks->fresh += n * stack->share * stack->fresh;
    stacks->buffer_bytes += n * stack->buffer_bytes;
}

static void add_stack(AftStacks *stacks, guint kind, const AftDiskGroupSpec *group, guint n,
                      guint behind)
{
    const AftNodeKind *node = &stacks->nodes->kind[kind];
    AftStack *stack = &stacks->stack[stacks->n];
    if (n == 0 || behind == 0) {
        return;
    }
    *stack = (AftStack){
        .cache = group->cache.count > 0 ? &group->cache : NULL,
        .capacity = &group->capacity,
        .kind = kind,
        .n = n,
        .behind = behind,
        .share = node->share * behind * (double)group->capacity.size_bytes /
                 aft_node_capacity_bytes(node->spec),
    };
    stacks->n++;
    if (stack->cache != NULL) {
        add_cache(stacks, stack);
    }
}

/* Capacity devices stand behind cache devices in turn: some may have one more. */
static void add_group(AftStacks *stacks, guint kind, const AftDiskGroupSpec *group)
{
    guint caches = group->cache.count, capacity = group->capacity.count;
    if (caches == 0) {
        add_stack(stacks, kind, group, group->count, capacity);
        return;
    }
    guint more = capacity % caches;
    add_stack(stacks, kind, group, group->count * more, capacity / caches + 1);
    add_stack(stacks, kind, group, group->count * (caches - more), capacity / caches);
}

static guint most_stacks(const AftNodes *nodes)
{
    guint n = 0;
    for (guint i = 0; i < nodes->n_kinds; i++) {
        n += 2 * nodes->kind[i].spec->n_disk_groups;
    }
    return n;
}

void aft_stacks_init(AftStacks *stacks, const AftNodes *nodes, double fill, const AftHeat *heat)
{
    gboolean destages = nodes->scenario->tiers.parity == AFT_PARITY_DESTAGE;
    *stacks = (AftStacks){
        .nodes = nodes,
        .fill = fill,
        .stack = g_new0(AftStack, most_stacks(nodes)),
        .heat = heat,
        .log = destages && aft_nodes_cache_devices(nodes) > 0,
    };
    for (guint i = 0; i < nodes->n_kinds; i++) {
        const AftNodeSpec *spec = nodes->kind[i].spec;
        for (guint g = 0; g < spec->n_disk_groups && nodes->kind[i].n > 0; g++) {
            add_group(stacks, i, &spec->disk_groups[g]);
        }
    }
}

void aft_stacks_clear(AftStacks *stacks)
{
    g_clear_pointer(&stacks->stack, g_free);
}
