/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operation.h - what an operation costs on average over all places of a stripe.
 *
 * Members of a stripe live on different nodes, and which of them is on a node has no meaning, so
 * with a node down that had a share p of all members, 1 / H of H like nodes, a given member is
 * missing with probability p, and never two of them. That makes the average over all placements a
 * sum over width + 1 states of the stripe, each planned.
 */
#pragma once

#include "traffic.h"

/** A state of a stripe. */
typedef struct {
    guint32 current; /* bit per member */
    double share;    /* of stripes, or of what is done to them */
} AftStripeState;

/** Writes the states in which a stripe of @spec can be, with their shares, to @ret_states, when
 *  the share @missing of all members is. Returns: how many, at most AFT_WIDTH_MOST + 1. */
guint aft_stripe_states(const AftProtectionSpec *spec, double missing, AftStripeState *ret_states);

/** What of a cluster is there. */
typedef struct {
    const AftScenario *scenario;
    const AftNodes *nodes;
    const AftStacks *stacks;
    double remote;    /* share of what machines ask for that crosses the network */
    gboolean manned;  /* every coordinator's node has a controller */
    double request_s; /* that an operation as a whole takes at the quickest of them */
    gboolean follows; /* clients go block after block */
    double locality;  /* share of their I/Os that go to data on their own nodes */
} AftSetting;

/** Reads, or writes, of @bytes that a client's request to @pool makes of members, @times. */
AftVisit aft_visit_client(const AftSetting *setting, const AftPoolSpec *pool, gboolean write,
                          double bytes, double times);

/** Without waiting, at least, s: how long @plan takes whose steps take @read_s or @write_s. Of
 *  parallel steps the mean of the slowest is at least the slowest mean, which is what counts
 *  here. */
double aft_plan_response_s(const AftPlan *plan, double read_s, double write_s);

/** Counts @plan, of @share of the operations, into reads, writes, degraded and courses of @cost.
 *  Courses that it adds are like @like but for what the plan says. */
void aft_cost_add_plan(AftOperationCost *cost, const AftPlan *plan, double share,
                       const AftCourse *like);

/** Divides what aft_cost_add_plan() has added up by @served, the share of operations that there
 *  were plans for: stripes that cannot serve are not asked. Sorts the courses. */
void aft_cost_settle(AftOperationCost *cost, double served);

/** Fills @ret_cost with the cost of @operation, a client's, on @block of @pool, and @ret_traffic
 * with what it makes parts do. Returns: the share of stripes, 0 to 1, that can serve it. Clear with
 * aft_cost_clear(). */
double aft_operation_fill(const AftSetting *setting, const AftPoolSpec *pool,
                          const AftBlockBounds *block, AftOperation operation,
                          AftOperationCost *ret_cost, AftTraffic *ret_traffic);

/** Adds @part, which is @weight of all, to @cost; then, when all are there, sorts the courses. */
void aft_cost_mix(AftOperationCost *cost, const AftOperationCost *part, double weight);
void aft_cost_sort(AftOperationCost *cost);

void aft_cost_clear(AftOperationCost *cost);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AftOperationCost, aft_cost_clear)
