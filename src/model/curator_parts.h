/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curator_parts.h - what a curator is made of, for the files that make it work: curator.c has what
 * members need, conversion.c what changes layouts, limits.c says how much of it may go, issue.c
 * hands units to stations, advance.c carries them forward without, and tally.c counts. */
#pragma once

#include "conversion.h"
#include "curator.h"
#include "lane.h"
#include "scan.h"
#include "scrub.h"
#include "sectors.h"

struct AftCurator {
    const AftScenario *scenario;
    GPtrArray *pools;
    AftExecutor *executor;
    AftTopology *topology;
    AftCuratorWatch watch;
    AftRoute route; /* of what it writes */
    AftScan *scan;
    AftScrub *scrub;
    GPtrArray *sectors; /* AftSectors, a pool */
    AftStream chance;   /* of where devices are corrupted */
    gboolean quiet;     /* nothing is issued */
    gboolean stopped[AFT_TASKS];
    gboolean maintenance;      /* the mode is on */
    AftLane *lanes[AFT_TASKS]; /* a node */
    guint transfers[AFT_TASKS];
    guint *leaving;            /* evacuations of a node, of those */
    gint64 next_ns[AFT_TASKS]; /* the bandwidth cap lets the next unit go then */
    AftEvent wake[AFT_TASKS];  /* pumps when that time has come */
    guint turn[AFT_TASKS];     /* node that may go first next time */
    GQueue cramped;            /* groups with a member whose node has no room */
    GQueue cancelled;          /* transfers that only wait for their units to end */
};

static inline guint aft_curator_node_of(const AftCurator *curator, guint32 device)
{
    return curator->topology->devices[device].node;
}

static inline AftLane *aft_curator_lane(const AftCurator *curator, const AftTransfer *transfer)
{
    return &curator->lanes[transfer->task][transfer->node];
}

/** Units of @task that a node may have in flight now. */
guint aft_curator_in_flight_most(const AftCurator *curator, AftTaskKind task);

/** Lets @transfer, all filled in, wait for its turn. */
void aft_curator_enqueue(AftCurator *curator, AftTransfer *transfer);

/** Takes @transfer out of its lane; units in flight still end, and the last one frees it. */
void aft_curator_drop(AftCurator *curator, AftTransfer *transfer);

/** All of @transfer has been written. It is gone afterwards. */
void aft_curator_complete(AftCurator *curator, AftTransfer *transfer);

/** Fills in the bytes of @transfer, which is about to begin: what a device missed while it was away
 *  is known only when its turn comes. Returns: FALSE when there is no room for it. */
gboolean aft_curator_begin(AftCurator *curator, AftTransfer *transfer);

/** The transfer on @lane whose turn it is and that has room, by @next (aft_lane_next() or the
 *  like). Returns: (transfer none) (nullable). */
AftTransfer *aft_curator_next(AftCurator *curator, AftLane *lane,
                              AftTransfer *(*next)(const AftLane *lane));

/** Takes @transfer, of which a unit has just been issued, further by some that are not simulated,
 * if skips have left any. */
void aft_curator_hasten(AftCurator *curator, AftTransfer *transfer);

/** Groups that wait for room try again, until one finds none. */
void aft_curator_retry_cramped(AftCurator *curator);
