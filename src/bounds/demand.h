/* SPDX-License-Identifier: GPL-3.0-or-later */
/* demand.h - from visits to what they demand of every kind of station. */
#pragma once

#include <aftershock/bounds/bounds.h>

/** Sub-operations on members that are spread evenly over the live nodes. */
typedef struct {
    double bytes; /* of each */
    double reads, writes;
    double remote_reads, remote_writes; /* of those, between two nodes */
    double decode_s;                    /* held at the coordinator's controller */
} AftVisits;

/** Fills @ret_demand (AFT_SCARCES of them) with what @visits demand of @live nodes like @node, a
 *  share @coordinating[i] of the operations coming from the i-th. */
void aft_demand_fill(const AftNodeSpec *node, guint live, const double *coordinating,
                     const AftVisits *visits, AftDemand *ret_demand);

/** The scarcest of @demand, by the busiest station: the first of equals. */
AftScarce aft_demand_bottleneck(const AftDemand *demand);
