/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedulers.h"

static guint pick(AftSchedulerState *state G_GNUC_UNUSED, guint waiting, const guint64 *oldest,
                  gint64 now_ns G_GNUC_UNUSED)
{
    guint first = (guint)__builtin_ctz(waiting);
    for (guint rest = waiting & (waiting - 1); rest != 0; rest &= rest - 1) {
        guint class = (guint)__builtin_ctz(rest);
        if (oldest[class] < oldest[first]) {
            first = class;
        }
    }
    return first;
}

const AftScheduler aft_scheduler_fifo = {
    .name = "fifo",
    .help = "in order of arrival, whatever the class",
    .pick = pick,
};
