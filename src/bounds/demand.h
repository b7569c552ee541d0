/* SPDX-License-Identifier: GPL-3.0-or-later */
/* demand.h - from visits to what they demand of every kind of station. */
#pragma once

#include "parts.h"
#include "traffic.h"

/** Sums of demands, on live nodes that are all alike but for what they coordinate. */
typedef struct {
    const AftStacks *stacks; /* borrowed */
    guint live;
    const double *coordinating; /* (nullable), borrowed: shares of the live nodes; NULL: even */
    double (*at_s)[AFT_SCARCE_CACHE_ACCESS]; /* by live node: controller and NIC */
    AftLoad *cache, *capacity;               /* by kind of stack: one device of a node */
} AftDemandSum;

/** Nothing yet, on @live nodes with @stacks. Clear with aft_demand_clear(). */
void aft_demand_init(AftDemandSum *sum, const AftStacks *stacks, guint live,
                     const double *coordinating);

void aft_demand_clear(AftDemandSum *sum);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AftDemandSum, aft_demand_clear)

/** Adds @traffic @times, coordinated as @sum says, or evenly if @evenly: visits are spread evenly
 *  over live nodes anyway. */
void aft_demand_add(AftDemandSum *sum, const AftTraffic *traffic, double times, gboolean evenly);

/** Writes the sums to @ret_demand (AFT_SCARCES of them). */
void aft_demand_get(const AftDemandSum *sum, AftDemand *ret_demand);

/** The scarcest of @demand, by the busiest station: the first of equals. */
AftScarce aft_demand_bottleneck(const AftDemand *demand);
