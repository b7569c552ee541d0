/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench.h"
#include "hold.h"

#include <stdio.h>

#define STEPS 200000

static BenchContender engine_at(guint n)
{
    return (BenchContender){"engine", hold_engine_start, hold_engine_step, hold_engine_finish, n};
}

static guint against_other_structures(void)
{
    const BenchContender contenders[] = {
        engine_at(1024),
        {"binary heap", hold_heap_start, hold_heap_step, hold_heap_finish, 1024},
        {"GTree", hold_tree_start, hold_tree_step, hold_tree_finish, 1024},
        {"GSequence", hold_sequence_start, hold_sequence_step, hold_sequence_finish, 1024},
    };
    const double must[] = {0.0, 2.5, 8.0, 15.0}, aim[] = {0.0, 3.5, 11.0, 20.0};
    BenchTimes times[G_N_ELEMENTS(contenders)];
    guint missed = 0;
    bench_run(contenders, G_N_ELEMENTS(contenders), STEPS, times);
    for (guint i = 1; i < G_N_ELEMENTS(contenders); i++) {
        g_autofree char *name = g_strdup_printf("hold at 1,024: %s / engine", contenders[i].name);
        double ratio = bench_ratio(&times[i], &times[0]);
        missed += bench_judge(name, ratio, BENCH_AT_LEAST, must[i], aim[i]);
    }
    return missed;
}

static guint with_more_pending(void)
{
    const BenchContender contenders[] = {engine_at(16),    engine_at(100),   engine_at(1024),
                                         engine_at(10000), engine_at(65536), engine_at(1000000)};
    BenchTimes times[G_N_ELEMENTS(contenders)];
    bench_run(contenders, G_N_ELEMENTS(contenders), 4 * STEPS, times);
    for (guint i = 0; i < G_N_ELEMENTS(contenders); i++) {
        printf("  hold at %7u: %6.1f ns\n", contenders[i].n, bench_ns(&times[i]));
    }
    return bench_judge("hold: 65,536 pending / 16 pending", bench_ratio(&times[4], &times[0]),
                       BENCH_AT_MOST, 5.0, 4.0) +
           bench_judge("hold: 1,000,000 pending / 16 pending", bench_ratio(&times[5], &times[0]),
                       BENCH_AT_MOST, 12.0, 9.0);
}

static guint with_ties(guint n)
{
    const BenchContender contenders[] = {
        engine_at(n),
        {"ties", hold_engine_start_ties, hold_engine_step, hold_engine_finish, n},
    };
    BenchTimes times[G_N_ELEMENTS(contenders)];
    bench_run(contenders, G_N_ELEMENTS(contenders), STEPS, times);
    g_autofree char *name = g_strdup_printf("hold at %u: whole times 1 to 10 / exponential", n);
    return bench_judge(name, bench_ratio(&times[1], &times[0]), BENCH_AT_MOST, 1.5, 1.2);
}

guint bench_holds(void)
{
    return against_other_structures() + with_more_pending() + with_ties(4096) + with_ties(65536);
}
