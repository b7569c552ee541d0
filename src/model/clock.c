/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rhythm.h"
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
    vm->tick =
        aft_engine_schedule(vm->clients->topology->engine, now_ns + gap_ns(vm, gap(vm)), tick, vm);
    aft_vm_arrive(vm);
}

static void go_on(AftVm *vm)
{
    AftEngine *engine = vm->clients->topology->engine;
    if (vm->rate_per_s > 0.0) {
        gint64 at_ns = aft_engine_now(engine) + gap_ns(vm, vm->gaps_left);
        vm->tick = aft_engine_schedule(engine, at_ns, tick, vm);
    }
}

void aft_clock_start(AftVm *vm)
{
    /* Evenly paced machines do not march in step: each begins anywhere in its first gap. */
    vm->ticks = TRUE;
    vm->gaps_left =
        vm->clients->spec->pacing == AFT_PACING_EVEN ? aft_stream_uniform(&vm->arrivals) : gap(vm);
    go_on(vm);
}

/* Keeps how much of its gap is left, whatever the rate. */
static void stand_still(AftVm *vm)
{
    AftEngine *engine = vm->clients->topology->engine;
    gint64 due_ns = aft_engine_due(engine, vm->tick);
    if (due_ns >= 0) {
        vm->gaps_left = (double)(due_ns - aft_engine_now(engine)) * vm->rate_per_s / 1e9;
        aft_engine_cancel(engine, vm->tick);
    }
}

/* By the hazard that it has still to live through, the gap of a Poisson clock goes on at another
 * rate as if it had been drawn in parts. */
void aft_clock_set(AftClients *clients, double factor, double mean_factor)
{
    for (guint i = 0; i < clients->n_vms; i++) {
        AftVm *vm = &clients->vms[i];
        vm->mean_rate_per_s = vm->share_per_s * mean_factor;
        if (vm->ticks) {
            stand_still(vm);
        }
        vm->rate_per_s = vm->share_per_s * factor;
        if (vm->ticks) {
            go_on(vm);
        }
    }
}

void aft_clock_paused(AftClients *clients)
{
    aft_rhythm_apply(clients);
}
