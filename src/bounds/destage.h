/* SPDX-License-Identifier: GPL-3.0-or-later */
/* destage.h - what it costs to carry on to capacity devices what writes leave in buffers.
 *
 * Under `tiers.parity: front` a destage copies a unit inside its node. Under `destage` it reads
 * the log and carries out the plan of a write, of as many units of a stripe as have coalesced: the
 * one whose turn it is, and each of the others with the chance of a write to meet a dirty block.
 */
#pragma once

#include "operation.h"

/** Fills @ret_traffic with what a copy of one unit to the capacity device behind makes parts do;
 *  @spread: which caches it is from. */
void aft_destage_copy(const AftSetting *setting, const AftPoolSpec *pool, AftVisitSpread spread,
                      AftTraffic *ret_traffic);

/** Destages at once of @live nodes, over how long one takes: a second, at most. INFINITY when it
 *  takes no time. */
double aft_destage_pace(const AftSetting *setting, double response_s);

/** Fills @ret_destage but for bytes_per_s and what limits it, and @ret_traffic with what one
 *  destage makes parts do, for writes of @block to @pool that cost @write. */
void aft_destage_fill(const AftSetting *setting, const AftPoolSpec *pool,
                      const AftBlockBounds *block, const AftOperationCost *write,
                      AftDestageCost *ret_destage, AftTraffic *ret_traffic);
