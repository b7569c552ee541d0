/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedulers.h"

#include <aftershock/station/scheduler.h>

static const AftScheduler *const schedulers[] = {
    &aft_scheduler_fifo,        &aft_scheduler_strict, &aft_scheduler_weighted,
    &aft_scheduler_round_robin, &aft_scheduler_mclock, &aft_scheduler_adaptive,
};

const AftScheduler *aft_scheduler_find(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(schedulers); i++) {
        if (g_str_equal(schedulers[i]->name, name)) {
            return schedulers[i];
        }
    }
    return NULL;
}

const AftScheduler *const *aft_scheduler_all(guint *ret_n)
{
    *ret_n = G_N_ELEMENTS(schedulers);
    return schedulers;
}
