/* SPDX-License-Identifier: GPL-3.0-or-later */
/* placement.h - where the members of a placement group live: weighted rendezvous hashing.
 *
 * Every node draws a score for every group, from a hash of both; the best scores win (Thaler and
 * Ravishankar 1998). With score = -ln(u) / weight a node wins in proportion to its weight. When a
 * node goes, only its own places are won by others, and each by whoever was next in line, so a
 * lost node's data spreads over all survivors; when it comes back it wins exactly the old ones.
 *
 * Needs no engine: placement can be studied alone.
 */
#pragma once

#include <glib.h>

typedef struct {
    guint64 seed;
    guint n;               /* places: nodes, or the devices of a node */
    const double *weight;  /* (nullable): above 0; NULL: all alike */
    const guint8 *allowed; /* (nullable): non-zero where a member may live; NULL: everywhere */
} AftPlaces;

/** The score with which place @place bids for @group; the lowest wins. */
double aft_placement_score(const AftPlaces *places, guint64 group, guint place);

/** Writes the @wanted best allowed places for @group to @ret_places, best first.
 *  Returns: how many there were, at most @wanted. */
guint aft_placement_rank(const AftPlaces *places, guint64 group, guint wanted, guint32 *ret_places);
