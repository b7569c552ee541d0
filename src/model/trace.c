/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trace: recorded I/O at its own times; what finds no slot is shed. One clock plays it for all
 * machines. */
#include "replay.h"
#include "workloads.h"

static void start(AftVm *vm)
{
    if (vm->index == 0) {
        aft_replay_start(vm->clients->replay);
    }
}

static void paused(AftClients *clients)
{
    aft_replay_pause(clients->replay, clients->paused);
}

const AftWorkloadPolicy aft_workload_trace = {
    .sheds = TRUE,
    .start = start,
    .paused = paused,
};
