/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workloads.h"

/* The next gap, in units of its mean. */
static double gap(AftVm *vm)
{
    return vm->clients->spec->pacing == AFT_PACING_EVEN ? 1.0
                                                        : aft_stream_exponential(&vm->arrivals);
}

/* Whole nanoseconds from now on; what they leave over is kept for the next gap, so that no rate is
 * off by rounding. */
static gint64 gap_ns(AftVm *vm, double gaps)
{
    double exact_ns = gaps * 1e9 / vm->rate_per_s + vm->left_ns;
    gint64 whole_ns = (gint64)exact_ns;
    vm->left_ns = exact_ns - (double)whole_ns;
    return whole_ns;
}

static void tick(void *context, gint64 now_ns)
{
    AftVm *vm = context;
    aft_engine_schedule(vm->clients->topology->engine, now_ns + gap_ns(vm, gap(vm)), tick, vm);
    aft_vm_arrive(vm);
}

void aft_clock_start(AftVm *vm)
{
    AftEngine *engine = vm->clients->topology->engine;
    /* Evenly paced machines do not march in step: each begins anywhere in its first gap. */
    double first =
        vm->clients->spec->pacing == AFT_PACING_EVEN ? aft_stream_uniform(&vm->arrivals) : gap(vm);
    aft_engine_schedule(engine, aft_engine_now(engine) + gap_ns(vm, first), tick, vm);
}
