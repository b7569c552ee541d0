/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedulers.h"

static guint pick(AftSchedulerState *state G_GNUC_UNUSED, guint waiting,
                  const guint64 *oldest G_GNUC_UNUSED, gint64 now_ns G_GNUC_UNUSED)
{
    return (guint)__builtin_ctz(waiting);
}

const AftScheduler aft_scheduler_strict = {
    .name = "strict",
    .help = "the most urgent class first: client, destage, P1, P2, P3",
    .pick = pick,
};
