/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start-time fair queueing. While a class waits, the start tag of its next service is the finish
 * tag of its last, so one number a class is enough. A class that comes back from being idle
 * starts at the present virtual time: what it did not use is gone. */
#include "schedulers.h"

static double start_tag(const AftSchedulerState *state, guint class)
{
    return MAX(state->finish[class], state->virtual_time);
}

static guint pick(const AftSchedulerState *state, guint waiting,
                  const guint64 *oldest G_GNUC_UNUSED)
{
    guint best = (guint)__builtin_ctz(waiting);
    for (guint rest = waiting & (waiting - 1); rest != 0; rest &= rest - 1) {
        guint class = (guint)__builtin_ctz(rest);
        if (start_tag(state, class) < start_tag(state, best)) { /* equal: the more urgent */
            best = class;
        }
    }
    return best;
}

static void begin(AftSchedulerState *state, guint class, gint64 service_ns)
{
    state->virtual_time = start_tag(state, class);
    state->finish[class] = state->virtual_time + (double)service_ns / state->weight[class];
}

const AftScheduler aft_scheduler_weighted = {
    .name = "weighted",
    .help = "service time in proportion to weights among classes that wait",
    .pick = pick,
    .begin = begin,
};
