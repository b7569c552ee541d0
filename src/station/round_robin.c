/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighted round robin: services are counted, and not how long they take. */
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
    state->finish[class] = state->virtual_time + 1.0 / state->weight[class];
}

const AftScheduler aft_scheduler_round_robin = {
    .name = "round-robin",
    .help = "operations in proportion to weights among classes that wait, however long each takes",
    .pick = pick,
    .begin = begin,
};
