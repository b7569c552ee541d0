/* SPDX-License-Identifier: GPL-3.0-or-later */
/* background.h - holds `sampled` to `io` while eight hosts do background work under load, as
 * fidelity.h does, but only means, and in the phase of that work: the one that is not steady.
 */
#pragma once

#include "fidelity.h"

#define LEAST_WORK_SAVING 2 /* times fewer I/Os under `sampled` */

/* Two slots of 1.5 ms and 16 ms a MiB; clients leave about half of them to the background. Small
 * units and groups make what it does a sum of many independent pieces. */
#define EIGHT_HOSTS                                                                            \
    "version=1", "cluster.nodes=8", TWO_SLOTS,                                                 \
        "cluster.node.disk_groups.capacity.device=sata-ssd",                                   \
        "cluster.node.disk_groups.capacity.count=2", "workload.kind=paced", "workload.vms=16", \
        "workload.rate=1600 /s", "workload.outstanding=64", "workload.read_share=80 %",        \
        "workload.block=4 KiB", "background.encode.unit=64 KiB", "run.until=steady",           \
        "run.settle=30 s", "run.duration=3 h", "run.precision=1 %", "run.max_simulated=60 s"

static inline guint phase_of_work(const AftResult *result)
{
    guint i = 0;
    while (phase_row(result, i)->phase == AFT_PHASE_STEADY) {
        i++;
    }
    return i;
}

/* Asserts that a run under both did the same work in phase @phase. */
typedef void (*WorkCheck)(const AftResult *io, const AftResult *sampled, guint phase);

static inline void assert_work_agrees(const Case *it, WorkCheck assert_same_work)
{
    Pair pairs[SEEDS];
    gboolean fine = TRUE;
    run_pairs(it, pairs);
    guint phase = phase_of_work(pairs[0].io);
    for (guint i = 0; i < N_MEANS; i++) {
        fine = figure_agrees(pairs, phase, &figures[i], it->mean_tolerance) && fine;
    }
    for (guint i = 0; i < SEEDS; i++) {
        assert_same_work(pairs[i].io, pairs[i].sampled, phase);
        assert_true(pairs[i].io->simulated_ios >
                    LEAST_WORK_SAVING * pairs[i].sampled->simulated_ios);
    }
    free_pairs(pairs);
    assert_true(fine);
}
