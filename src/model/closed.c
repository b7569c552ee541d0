/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closed: a fixed number of slots; each thinks, does one I/O, and thinks again. */
#include "workloads.h"

static void stops_thinking(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    aft_vm_arrive(context);
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
        aft_vm_arrive(vm);
    }
}

static void start(AftVm *vm)
{
    for (guint slot = 0; slot < vm->slots; slot++) {
        served(vm);
    }
}

const AftWorkloadPolicy aft_workload_closed = {
    .start = start,
    .served = served,
};
