/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start-time fair queueing. */
#include "fair.h"
#include "schedulers.h"

static guint pick(AftSchedulerState *state, guint waiting, const guint64 *oldest G_GNUC_UNUSED,
                  gint64 now_ns G_GNUC_UNUSED)
{
    return aft_fair_first(state, waiting);
}

static void begin(AftSchedulerState *state, const AftSchedulerService *service)
{
    guint class = service->class;
    state->virtual_time = aft_fair_start(state, class);
    state->finish[class] = state->virtual_time + (double)service->service_ns / state->weight[class];
}

const AftScheduler aft_scheduler_weighted = {
    .name = "weighted",
    .help = "service time in proportion to weights among classes that wait",
    .pick = pick,
    .begin = begin,
};
