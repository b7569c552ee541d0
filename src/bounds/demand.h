/* SPDX-License-Identifier: GPL-3.0-or-later */
/* demand.h - from visits to what they demand of every kind of station. */
#pragma once

#include "parts.h"
#include "traffic.h"

/** Sums of demands, at every live node. */
typedef struct {
    const AftStacks *stacks; /* borrowed */
    guint down;              /* number of the node that is */
    const double *asking;    /* (nullable), borrowed: shares of machines by number of the node */
    double (*at_s)[AFT_SCARCE_CACHE_ACCESS]; /* by number of the node: controller and NIC */
    AftLoad *cache, *capacity;               /* by kind of stack: one device of it */
} AftDemandSum;

/** Nothing yet, with @stacks, whose nodes are all live but @down, which is like the one that they
 *  have down. @asking: the shares of operations that machines on nodes ask for; NULL: all work is
 *  in the background. Clear with aft_demand_clear(). */
void aft_demand_init(AftDemandSum *sum, const AftStacks *stacks, guint down, const double *asking);

void aft_demand_clear(AftDemandSum *sum);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AftDemandSum, aft_demand_clear)

/** Adds @traffic @times, which machines ask for; or, in the @background, a node that its last visit
 *  goes to. */
void aft_demand_add(AftDemandSum *sum, const AftTraffic *traffic, double times,
                    gboolean background);

/** Writes the sums to @ret_demand (AFT_SCARCES of them). */
void aft_demand_get(const AftDemandSum *sum, AftDemand *ret_demand);

/** The scarcest of @demand, by the busiest station: the first of equals. */
AftScarce aft_demand_bottleneck(const AftDemand *demand);
