/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mClock (Gulati, Merchant, Varman 2010). A class has three tags: from when on it may claim its
 * reservation, until when it is at its limit, and whose turn it is by weight, as in start-time
 * fair queueing. What a service takes is known when it begins, so it moves the tags then, and a
 * tag is when the next one may begin.
 *
 * Services by weight leave the claim where it is: a reservation is not paid by what the class got
 * beside it. Claims grow while a class waits, so one that was kept waiting catches up; they do
 * not while it is idle. A limit holds for claims too. */
#include "fair.h"
#include "schedulers.h"

/* Those of @waiting that are not at their limits. */
static guint within_limits(const AftSchedulerState *state, guint waiting, gint64 now_ns)
{
    guint within = 0;
    for (guint rest = waiting; rest != 0; rest &= rest - 1) {
        guint class = (guint)__builtin_ctz(rest);
        within |= state->held_ns[class] <= (double)now_ns ? 1u << class : 0;
    }
    return within;
}

static guint held(const AftSchedulerState *state, guint waiting, gint64 now_ns)
{
    return waiting & ~within_limits(state, waiting, now_ns);
}

static gboolean is_owed(const AftSchedulerState *state, guint class, gint64 now_ns)
{
    return state->reservation[class] > 0.0 && state->owed_ns[class] <= (double)now_ns;
}

static guint those_owed(const AftSchedulerState *state, guint within, gint64 now_ns)
{
    guint owed = 0;
    for (guint rest = within; rest != 0; rest &= rest - 1) {
        guint class = (guint)__builtin_ctz(rest);
        owed |= is_owed(state, class, now_ns) ? 1u << class : 0;
    }
    return owed;
}

/* Who was at its limit has fallen behind virtual time. It keeps as much of that as one service of
 * each class makes, which is how far classes are apart anyway: with less it would not come to its
 * limit; what is more is gone. */
static void catch_up(AftSchedulerState *state, guint within)
{
    double steps = 0.0;
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        steps += state->step[i];
    }
    for (guint rest = within; rest != 0; rest &= rest - 1) {
        double *tag = &state->finish[__builtin_ctz(rest)];
        *tag = MAX(*tag, state->virtual_time - steps);
    }
}

/* Virtual time is the smallest tag among those that may be served, also while another is served
 * by reservation, whose own tag may be far ahead. */
static guint pick(AftSchedulerState *state, guint waiting, const guint64 *oldest G_GNUC_UNUSED,
                  gint64 now_ns)
{
    guint within = within_limits(state, waiting, now_ns);
    if (within == 0) {
        return AFT_STATION_NOBODY;
    }
    catch_up(state, within);
    guint first = aft_fair_least(state->finish, within);
    state->virtual_time = MAX(state->virtual_time, state->finish[first]);
    guint owed = those_owed(state, within, now_ns);
    return owed != 0 ? aft_fair_least(state->owed_ns, owed) : first;
}

static void begin(AftSchedulerState *state, const AftSchedulerService *service)
{
    guint class = service->class;
    double whole_ns = aft_fair_whole_ns(state, service);
    if (is_owed(state, class, service->now_ns)) {
        state->owed_ns[class] += whole_ns / state->reservation[class];
    }
    aft_fair_hold(state, &state->held_ns[class], state->limit[class], whole_ns, service->now_ns);
    state->step[class] = (double)service->service_ns / state->weight[class];
    state->finish[class] += state->step[class];
    state->began_ns[class] = service->now_ns;
}

/* Whose last job in the queue has begun at this very moment was not idle. */
static void enter(AftSchedulerState *state, guint class, guint waiting G_GNUC_UNUSED, gint64 now_ns)
{
    if (state->began_ns[class] < now_ns) {
        state->owed_ns[class] = MAX(state->owed_ns[class], (double)now_ns);
        state->finish[class] = MAX(state->finish[class], state->virtual_time);
    }
}

static gint64 wake(const AftSchedulerState *state, guint waiting)
{
    double earliest_ns = (double)INFINITY;
    for (guint rest = waiting; rest != 0; rest &= rest - 1) {
        earliest_ns = MIN(earliest_ns, state->held_ns[__builtin_ctz(rest)]);
    }
    return aft_fair_wake(earliest_ns);
}

const AftScheduler aft_scheduler_mclock = {
    .name = "mclock",
    .help = "reservations first, then weights, within limits",
    .pick = pick,
    .begin = begin,
    .enter = enter,
    .held = held,
    .wake = wake,
};
