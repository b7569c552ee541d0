/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operation.h - what a client's operation costs, over all places of a stripe on the nodes.
 *
 * The members of a stripe sit on different nodes and every set of nodes is as likely, so with one
 * of H nodes down a given member is missing with probability 1 / H, and never two of them. That
 * makes the average over all placements a sum over width + 1 states of the stripe, each planned.
 */
#pragma once

#include <aftershock/bounds/bounds.h>

/** A state of a stripe. */
typedef struct {
    guint32 current; /* bit per member */
    double share;    /* of stripes, or of what is done to them */
} AftStripeState;

/** Writes the states in which a stripe of @spec can be, with their shares, to @ret_states.
 *  Returns: how many, at most AFT_WIDTH_MOST + 1. */
guint aft_stripe_states(const AftProtectionSpec *spec, guint nodes, AftClusterState state,
                        AftStripeState *ret_states);

/** Without waiting, at least, s: how long @plan takes with steps of @bytes, when shares
 *  @remote_reads and @remote_writes of them cross the network and a reconstruction takes
 *  @decode_s. Of parallel steps the mean of the slowest is at least the slowest mean, which is what
 *  counts here. */
double aft_plan_response_s(const AftNodeSpec *node, const AftPlan *plan, double bytes,
                           double remote_reads, double remote_writes, double decode_s);

/** Fills @ret_cost with the cost of @operation, a client's, for @workload, whose spec, pool, units
 *  and step_bytes are there. Returns: the share of stripes, 0 to 1, that can serve it. Clear with
 *  aft_operation_clear(). */
double aft_operation_fill(const AftScenario *scenario, const AftWorkloadBounds *workload,
                          AftClusterState state, AftOperation operation,
                          AftOperationCost *ret_cost);

void aft_operation_clear(AftOperationCost *cost);
