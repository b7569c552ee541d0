/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stacks.h - the devices of nodes: cache devices, each with the capacity devices behind it.
 *
 * Members of stripes spread over a node's capacity devices by size. A flat group is a stack without
 * a cache. What a cache serves and what writes add to it follows from how full it is.
 */
#pragma once

#include "nodes.h"

#include <aftershock/model/heat.h>

typedef struct {
    const AftDiskSpec *cache; /* (nullable) */
    const AftDiskSpec *capacity;
    guint kind;          /* of the nodes that have it */
    guint n;             /* alike, on one of them */
    guint behind;        /* capacity devices of one */
    double share;        /* of the members on live nodes: in one */
    double buffer_bytes; /* of one: for what is dirty; of a log, half of the device's */
    double hit;          /* chance that the cache serves a client's read */
    double fresh;        /* chance that a client's write meets nothing dirty, and adds to it */
} AftStack;

typedef struct {
    const AftNodes *nodes; /* borrowed */
    AftStack *stack;
    guint n;             /* kinds of stacks, on live nodes */
    const AftHeat *heat; /* (nullable): borrowed */
    double fill;         /* of buffers, 0 to 1 */
    double cached;       /* share of members that have a cache in front */
    double fresh;        /* share of members in front of which a write adds to a buffer */
    double buffer_bytes; /* of all live nodes' stacks */
    gboolean log;        /* caches keep a log: `tiers.parity: destage` */
} AftStacks;

/** The stacks of @nodes (borrowed) when their buffers are filled to @fill, 0 to 1, and warm as
 *  after a long time, for clients with @heat (nullable, borrowed). Clear with aft_stacks_clear().
 */
void aft_stacks_init(AftStacks *stacks, const AftNodes *nodes, double fill, const AftHeat *heat);

void aft_stacks_clear(AftStacks *stacks);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AftStacks, aft_stacks_clear)

/** How many stacks like @stack live nodes have. */
guint aft_stack_count(const AftStacks *stacks, const AftStack *stack);
