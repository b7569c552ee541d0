/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lane.h - what waits to be written on one node for one task.
 *
 * A queue per number of members that a group has to spare, fewest in front; inside a queue first
 * come, first served. Only transfers with units left to issue stand in it.
 */
#pragma once

#include "curator.h"

typedef struct {
    GQueue *level; /* per members to spare */
    guint n_levels;
    guint abreast;        /* transfers whose units leave in turn */
    guint in_flight;      /* units */
    double waiting_bytes; /* of transfers here, not issued */
    double moved_bytes;   /* written so far, simulated or not */
    double issued_bytes;  /* handed out to be simulated so far, but for what failed */
    double written_bytes; /* of those, written */
    double step_bytes;    /* the same, of each target once: what units are counted in */
    double kept_bytes;    /* of skips, still to be written without being simulated */
    double issued_before; /* bytes, by the last skip */
    double issued_lately; /* bytes, between the last two skips; 0 or more */
    guint64 idled; /* times that it had nothing to issue, and might have had more in flight */
    gboolean full; /* what waits has no room where it is to go */
} AftLane;

/** Makes @lane empty, for groups that can spare @n_levels - 1 members at most, and one transfer at
 *  once. */
void aft_lane_init(AftLane *lane, guint n_levels);

void aft_lane_clear(AftLane *lane);

/** Lets @transfer stand in its queue, at the end or @in_front. */
void aft_lane_enqueue(AftLane *lane, AftTransfer *transfer, gboolean in_front);

/** Takes @transfer out of its queue, if it stands in one. */
void aft_lane_dequeue(AftLane *lane, AftTransfer *transfer);

/** The transfer whose turn it is: of the first that nothing blocks, as many as go abreast, the one
 *  with the fewest units in flight. Returns: (transfer none)
 *  (nullable). */
AftTransfer *aft_lane_next(const AftLane *lane);

/** What a skip moves next: the first transfer that has no units in flight, else the first at all.
 *  Returns: (transfer none) (nullable). */
AftTransfer *aft_lane_next_behind(const AftLane *lane);

/** Books @bytes of @transfer, to each of its targets, as handed out; the last ones take it from its
 * queue. */
void aft_lane_issue(AftLane *lane, AftTransfer *transfer, guint64 bytes);

/** Books @bytes of @transfer, issued before, as written. */
void aft_lane_write(AftLane *lane, AftTransfer *transfer, guint64 bytes);

/** Books @bytes of @transfer as written without being simulated. */
void aft_lane_carry(AftLane *lane, AftTransfer *transfer, guint64 bytes);
