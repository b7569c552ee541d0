/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheduler.h - who is served next, where several classes of work wait at one station.
 *
 * A scheduler is a const struct of functions, found by name in one table. It sees classes as
 * small numbers, lower meaning more urgent, and service as time; it knows nothing of what the
 * work is. Inside a class the order is always first in, first out.
 *
 *   fifo       in order of arrival, whatever the class
 *   strict     the most urgent class that waits (non-preemptive priority: Cobham)
 *   weighted   start-time fair queueing: service time in proportion to weights while classes
 *              wait, work-conserving, and a class that was idle has saved nothing up (Goyal et
 *              al. 1996; with several servers SFQ(D), Jin et al. 2004)
 */
#pragma once

#include <glib.h>

#define AFT_STATION_CLASSES 5

/** The tags of one scheduler at one station. Zeroed memory is the start. */
typedef struct {
    double weight[AFT_STATION_CLASSES]; /* above 0 */
    double finish[AFT_STATION_CLASSES]; /* virtual time at which a class's last service ends */
    double virtual_time;                /* start tag of the service begun last */
} AftSchedulerState;

typedef struct {
    const char *name;
    const char *help;
    /** Picks one of the classes set in @waiting, never 0. @oldest holds the arrival number of the
     *  first waiting job of each of them. */
    guint (*pick)(const AftSchedulerState *state, guint waiting, const guint64 *oldest);
    /** Told that a job of @class begins a service of @service_ns. (nullable) */
    void (*begin)(AftSchedulerState *state, guint class, gint64 service_ns);
} AftScheduler;

/** Finds a scheduler by name. Returns: (transfer none) (nullable): NULL when there is none. */
const AftScheduler *aft_scheduler_find(const char *name);

/** All of them, in the order of the table. Returns: (transfer none): @ret_n of them. */
const AftScheduler *const *aft_scheduler_all(guint *ret_n);
