/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gather.h - what all occurrences of a phase come to, or all phases of a run.
 *
 * Times, bytes and I/Os add up; what is left (owed work, lost groups) is that of the last;
 * latencies are means weighted by I/Os, percentiles as well, which is near to those of all I/Os
 * together as long as occurrences are alike; everything else is a mean weighted by time.
 */
#pragma once

#include <aftershock/result/result.h>

/** Instead of an AftPhase: all of them. */
enum { AFT_WHOLE_RUN = AFT_PHASES };

typedef struct {
    AftPhaseRow row; /* texts and intervals are NULL and 0; NaN where there is nothing */
    guint occurrences;
    double share;     /* of the time of all phases */
    double met_share; /* of its own time, in which the requirement was met; NaN without one */
} AftGathered;

/** Gathers @phase (or AFT_WHOLE_RUN) of @phases, AftPhaseRow; it owns nothing. */
AftGathered aft_gather(const GArray *phases, guint phase);
