/* SPDX-License-Identifier: GPL-3.0-or-later */
/* background.h - how fast background work goes alone.
 *
 * A unit is coordinated by a node that is written. It reads, then writes, steps of equal size; what
 * it writes into buffers has to be destaged as far as they have no room for it.
 */
#pragma once

#include "operation.h"

typedef struct {
    const AftPoolSpec *pool;
    AftTaskKind task;
    double bytes;                       /* of a step */
    double reads, writes;               /* steps of a unit, mean */
    double remote_reads, remote_writes; /* of those, between two nodes */
} AftBackgroundUnit;

/** The size of a step of @task for members of @member_bytes: they go in whole units and a rest, so
 *  what is fixed per unit counts for each. */
double aft_background_step(const AftScenario *scenario, AftTaskKind task, double member_bytes);

/** How fast units like @unit write @bytes in all, 0 or more. */
AftPace aft_background_pace(const AftSetting *setting, const AftBackgroundUnit *unit, double bytes);
