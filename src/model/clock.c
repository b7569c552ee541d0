/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workloads.h"

static double gap(AftVm *vm)
{
    return vm->clients->spec->pacing == AFT_PACING_EVEN ? 1.0
                                                        : aft_stream_exponential(&vm->arrivals);
}

static void tick(void *context, gint64 now_ns)
{
    AftVm *vm = context;
    gint64 next_ns = now_ns + (gint64)(gap(vm) * 1e9 / vm->rate_per_s);
    vm->clock = aft_engine_schedule(vm->clients->topology->engine, next_ns, tick, vm);
    aft_vm_arrive(vm);
}

void aft_clock_start(AftVm *vm)
{
    AftEngine *engine = vm->clients->topology->engine;
    /* Evenly paced machines do not march in step: each begins anywhere in its first gap. */
    double first =
        vm->clients->spec->pacing == AFT_PACING_EVEN ? aft_stream_uniform(&vm->arrivals) : gap(vm);
    gint64 first_ns = aft_engine_now(engine) + (gint64)(first * 1e9 / vm->rate_per_s);
    vm->clock = aft_engine_schedule(engine, first_ns, tick, vm);
}
