/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observer.h - a run, looked at while it is under way.
 *
 * An observer is told often that time has moved on, and looks when it wants to know more. Looking
 * changes nothing: a run that is watched yields what it would have yielded otherwise.
 *
 *     static void moved(void *context, const AftWalk *walk)
 *     {
 *         AftObservation seen;
 *         aft_run_observe(walk, &seen);
 *     }
 */
#pragma once

#include <aftershock/base/api.h>
#include <aftershock/result/result.h>
#include <aftershock/scenario/scenario.h>

AFT_BEGIN_DECLS

typedef struct AftWalk AftWalk; /* a run under way */

typedef struct {
    void *context;
    void (*moved)(void *context, const AftWalk *walk); /* after each span of time */
} AftRunObserver;

/** What there is to see. NaN is no I/O. */
typedef struct {
    AftPhase phase;
    double scenario_s;
    double done; /* share of the scenario's duration, 0 to 1 */
    double iops; /* of the span measured last, as are latencies */
    double read_mean_ms, write_mean_ms;
    double owed_ios;
    double moved_bytes[AFT_TASKS];   /* so far */
    double waiting_bytes[AFT_TASKS]; /* still to move, as far as is known */
    const GArray *trace; /* AftTraceRow: those that are complete; borrowed for the call */
} AftObservation;

/** Looks at @walk as it is told of. Costs a look at all nodes. */
void aft_run_observe(const AftWalk *walk, AftObservation *ret_seen);

AFT_END_DECLS
