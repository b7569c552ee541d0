/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threads.c - whether two runs at once are as fast as two machines. */
#include "bench.h"
#include "hold.h"

#include <stdio.h>

#define PENDING     1024
#define HOLD_STEPS  2000000
#define LEAST_QUIET 3 /* rounds in which the machine let both threads run */
#define MUST_SCALE                                                                 \
    1.95 /* of a loop that shares nothing; below, the machine itself is in the way \
          */

static gpointer hold_once(G_GNUC_UNUSED gpointer data)
{
    void *work = hold_engine_start(PENDING);
    hold_engine_step(work, HOLD_STEPS);
    hold_engine_finish(work);
    return NULL;
}

guint bench_threads(void)
{
    double spins[BENCH_ROUNDS], holds[BENCH_ROUNDS];
    guint n_quiet = 0;
    for (guint i = 0; i < BENCH_ROUNDS; i++) {
        spins[i] = bench_spin_scaling();
        if (spins[i] >= MUST_SCALE) {
            holds[n_quiet++] = bench_scaling(hold_once);
        }
    }
    if (n_quiet < LEAST_QUIET) {
        g_autofree char *why = g_strdup_printf("the machine is busy, even empty loops scale %.2f x",
                                               bench_median(spins, BENCH_ROUNDS));
        bench_skip("two runs on two threads / one thread", why);
        return 0;
    }
    return bench_judge("two runs on two threads / one thread", bench_median(holds, n_quiet),
                       BENCH_AT_LEAST, 1.85, 1.95);
}
