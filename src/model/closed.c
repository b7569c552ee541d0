/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closed: a fixed number of slots; each thinks, does one I/O, and thinks again. */
#include "workloads.h"

/* A slot of a workload that is paused waits until it goes on. */
static void arrive(AftVm *vm)
{
    if (vm->clients->paused) {
        vm->parked++;
    } else {
        aft_vm_arrive(vm);
    }
}

static void stops_thinking(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    arrive(context);
}

static void think(AftVm *vm)
{
    double mean_ns = (double)vm->clients->spec->think_ns;
    AftEngine *engine = vm->clients->topology->engine;
    gint64 pause_ns = (gint64)(mean_ns * aft_stream_exponential(&vm->arrivals));
    aft_engine_schedule(engine, aft_engine_now(engine) + pause_ns, stops_thinking, vm);
}

static void served(AftVm *vm)
{
    if (vm->clients->spec->think_ns > 0) {
        think(vm);
    } else {
        arrive(vm);
    }
}

static void start(AftVm *vm)
{
    for (guint slot = 0; slot < vm->slots; slot++) {
        served(vm);
    }
}

static void paused(AftClients *clients)
{
    for (guint i = 0; i < clients->n_vms && !clients->paused; i++) {
        AftVm *vm = &clients->vms[i];
        for (guint slots = vm->parked; slots > 0; slots--) {
            vm->parked--;
            aft_vm_arrive(vm);
        }
    }
}

const AftWorkloadPolicy aft_workload_closed = {
    .start = start,
    .served = served,
    .paused = paused,
};
