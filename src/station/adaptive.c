/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start-time fair queueing in which background classes together have a limit that may change.
 * One limit for all of them: what is left to the others then does not depend on how many kinds of
 * background work there are. */
#include "fair.h"
#include "schedulers.h"

#define BACKGROUND (~0u << AFT_STATION_BACKGROUND)

static gboolean is_limited(const AftSchedulerState *state)
{
    return state->throttle < 1.0;
}

/* While they are held, background classes fall behind virtual time. Together they are brought up
 * to it: what they did not use is gone, and whose turn it is among them stays as it is. */
static void catch_up(AftSchedulerState *state, guint background)
{
    double behind = state->virtual_time - state->finish[aft_fair_least(state->finish, background)];
    for (guint rest = background; rest != 0 && behind > 0.0; rest &= rest - 1) {
        state->finish[__builtin_ctz(rest)] += behind;
    }
}

static guint pick(AftSchedulerState *state, guint waiting, const guint64 *oldest G_GNUC_UNUSED,
                  gint64 now_ns)
{
    guint background = waiting & BACKGROUND;
    if (background != 0 && is_limited(state)) {
        if (state->background_ns > (double)now_ns) {
            waiting &= ~BACKGROUND;
        } else {
            catch_up(state, background);
        }
    }
    return waiting != 0 ? aft_fair_first(state, waiting) : AFT_STATION_NOBODY;
}

/* Who comes back begins at virtual time; a background class no later than others that wait. */
static void enter(AftSchedulerState *state, guint class, guint waiting, gint64 now_ns G_GNUC_UNUSED)
{
    guint background = waiting & BACKGROUND;
    double floor = state->virtual_time;
    if (class >= AFT_STATION_BACKGROUND && background != 0) {
        floor = MIN(floor, state->finish[aft_fair_least(state->finish, background)]);
    }
    state->finish[class] = MAX(state->finish[class], floor);
}

static void begin(AftSchedulerState *state, const AftSchedulerService *service)
{
    double whole_ns = aft_fair_whole_ns(state, service);
    if (is_limited(state) && service->class >= AFT_STATION_BACKGROUND) {
        aft_fair_hold(state, &state->background_ns, state->throttle, whole_ns, service->now_ns);
    }
    aft_scheduler_weighted.begin(state, service);
}

static gint64 wake(const AftSchedulerState *state, guint waiting G_GNUC_UNUSED)
{
    return aft_fair_wake(state->background_ns);
}

const AftScheduler aft_scheduler_adaptive = {
    .name = "adaptive",
    .help = "as weighted, less for background work while clients are slow",
    .pick = pick,
    .begin = begin,
    .enter = enter,
    .wake = wake,
};
