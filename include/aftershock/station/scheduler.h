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
 *   mclock     reservations first, then weights, within limits (Gulati et al. 2010)
 *   adaptive   as weighted, but classes from AFT_STATION_BACKGROUND on get together no more than
 *              a share of the station that somebody outside sets
 *
 * The last two may serve nobody for a while though some wait.
 *
 * Reservations and limits are shares of what a station can do. A job takes of it its service time
 * over the number of servers or the time of its serial part, whichever is more: of a drive whose
 * interface is the scarce part, half is half of the interface. Whoever sends it may say otherwise,
 * as a system does that does not know how long things take: its shares may be above 1.
 */
#pragma once

#include <glib.h>

#define AFT_STATION_CLASSES    5
#define AFT_STATION_BACKGROUND 2                   /* classes from here on can be throttled */
#define AFT_STATION_NOBODY     AFT_STATION_CLASSES /* in place of a class */

/** What one scheduler keeps at one station. Zeroed tags are the start. */
typedef struct {
    double weight[AFT_STATION_CLASSES];   /* above 0 */
    double finish[AFT_STATION_CLASSES];   /* virtual time at which a class's last service ends */
    double virtual_time;                  /* start tag of the service begun last; of mclock, the
                                             smallest of those that might have been */
    double step[AFT_STATION_CLASSES];     /* virtual length of a class's last service */
    double whole_ns[AFT_STATION_CLASSES]; /* for how long that takes all of the station */
    gint64 began_ns[AFT_STATION_CLASSES]; /* when that was */
    double servers;
    double reservation[AFT_STATION_CLASSES]; /* share of the station; 0: none */
    double limit[AFT_STATION_CLASSES];       /* share of the station, above 0; infinity: none */
    double owed_ns[AFT_STATION_CLASSES];     /* from when on a class may claim its reservation */
    double held_ns[AFT_STATION_CLASSES];     /* until when a class is at its limit */
    double throttle;      /* share of the station for background classes; 1: no limit */
    double background_ns; /* until when they have had it */
} AftSchedulerState;

/** A service as it begins, ns, or as it is to be counted. */
typedef struct {
    guint class;
    gint64 service_ns, serial_ns; /* all of it; the serial part of it */
    gint64 now_ns;
} AftSchedulerService;

typedef struct {
    const char *name;
    const char *help;
    /** Picks one of the classes set in @waiting, never 0, which is served now, or, if there is a
     *  wake(), AFT_STATION_NOBODY. @oldest holds the arrival number of the first waiting job of
     *  each of them. */
    guint (*pick)(AftSchedulerState *state, guint waiting, const guint64 *oldest, gint64 now_ns);
    /** Told that a service begins. (nullable) */
    void (*begin)(AftSchedulerState *state, const AftSchedulerService *service);
    /** Told that a job of @class waits, of which none did; those in @waiting do. (nullable) */
    void (*enter)(AftSchedulerState *state, guint class, guint waiting, gint64 now_ns);
    /** Those of the classes set in @waiting that are at their limits. (nullable): all of them,
     * while nobody may be served. */
    guint (*held)(const AftSchedulerState *state, guint waiting, gint64 now_ns);
    /** When one of the classes set in @waiting may be served, none of which may now; G_MAXINT64:
     *  not in the time of the clock. (nullable): whoever finds a free server is served. */
    gint64 (*wake)(const AftSchedulerState *state, guint waiting);
} AftScheduler;

/** Finds a scheduler by name. Returns: (transfer none) (nullable): NULL when there is none. */
const AftScheduler *aft_scheduler_find(const char *name);

/** All of them, in the order of the table. Returns: (transfer none): @ret_n of them. */
const AftScheduler *const *aft_scheduler_all(guint *ret_n);
