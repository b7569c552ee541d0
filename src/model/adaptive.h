/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive.h - what throttles background work while clients are slow.
 *
 * Once a period it looks at the mean latency of the client I/Os that completed in it. Above a high
 * mark it halves the share of every station that background work may have, below a low mark it
 * raises it by a step, and between them, or if nothing completed, it leaves it:
 *
 *     latency   high  . . . . . halve . . . . .
 *               low   ________ leave __________
 *                              raise
 *
 * It does so whether or not there is background work: without, clients are fast or background is
 * not to blame, and what comes next finds the share that clients bear. A period is engine time, as
 * latencies are.
 */
#pragma once

#include "topology.h"

#include <aftershock/model/model.h>

typedef struct {
    const AftSchedulerSpec *spec; /* borrowed */
    AftTopology *topology;        /* borrowed */
    AftModelWatch watch;          /* who else wants to be told */
    double share;                 /* of every station, for background work */
    double latency_ns;            /* sum over what completed in this period */
    guint64 completed;
} AftAdaptive;

/** Whether the scheduler of @scenario (resolved) is one that is throttled. */
gboolean aft_adaptive_is_wanted(const AftScenario *scenario);

/** Begins to look at what is completed, and to throttle @topology. @adaptive stays where it is.
 *  Returns: what clients are to tell in place of @watch, to which it passes that on. */
AftModelWatch aft_adaptive_start(AftAdaptive *adaptive, const AftScenario *scenario,
                                 AftTopology *topology, const AftModelWatch *watch);
