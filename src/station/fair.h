/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fair.h - the tags that schedulers share: whose turn it is by weight, and who is at a limit.
 *
 * While a class waits, the start tag of its next service is the finish tag of its last, so one
 * number a class is enough. A class that comes back from being idle, or that was held back,
 * starts at the present virtual time: what it did not use is gone.
 */
#pragma once

#include <aftershock/station/scheduler.h>
#include <math.h>

static inline double aft_fair_start(const AftSchedulerState *state, guint class)
{
    return MAX(state->finish[class], state->virtual_time);
}

/* The class of @waiting, never 0, with the smallest start tag; of equal ones the more urgent. */
static inline guint aft_fair_first(const AftSchedulerState *state, guint waiting)
{
    guint best = (guint)__builtin_ctz(waiting);
    for (guint rest = waiting & (waiting - 1); rest != 0; rest &= rest - 1) {
        guint class = (guint)__builtin_ctz(rest);
        if (aft_fair_start(state, class) < aft_fair_start(state, best)) {
            best = class;
        }
    }
    return best;
}

/* The class of @among, never 0, with the smallest of @tags; of equal ones the more urgent. */
static inline guint aft_fair_least(const double *tags, guint among)
{
    guint least = (guint)__builtin_ctz(among);
    for (guint rest = among & (among - 1); rest != 0; rest &= rest - 1) {
        guint class = (guint)__builtin_ctz(rest);
        least = tags[class] < tags[least] ? class : least;
    }
    return least;
}

/* For how long the service would take all of the station, ns; keeps that as the last of its
 * class. */
static inline double aft_fair_whole_ns(AftSchedulerState *state, const AftSchedulerService *service)
{
    double whole_ns = MAX((double)service->service_ns / state->servers, (double)service->serial_ns);
    state->whole_ns[service->class] = whole_ns;
    return whole_ns;
}

/* Moves @held_ns, until when somebody is at its @limit, on by a service that takes all of the
 * station for @whole_ns. It may have begun as late as services of all classes take, one of each as
 * they had last, without loss: so long may it have waited for its turn, and would else miss its
 * limit by that. No time lets pass more than the limit of that time and as much longer, and one
 * service: the last is not over before it is. What is later than that is gone. */
static inline void aft_fair_hold(const AftSchedulerState *state, double *held_ns, double limit,
                                 double whole_ns, gint64 now_ns)
{
    double late_ns = 0.0;
    if (isinf(limit)) {
        return;
    }
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        late_ns += state->whole_ns[i];
    }
    *held_ns = MAX(*held_ns, (double)now_ns - MAX(late_ns, whole_ns)) + whole_ns / limit;
}

/* The first nanosecond that is not before @held_ns; G_MAXINT64: beyond the clock. */
static inline gint64 aft_fair_wake(double held_ns)
{
    return held_ns < (double)G_MAXINT64 ? (gint64)ceil(held_ns) : G_MAXINT64;
}
