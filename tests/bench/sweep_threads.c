/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_threads.c - whether a sweep on two cores is as fast as on two machines. */
#include "bench.h"
#include "sweep_run.h"

#define ROUNDS       5
#define MOST_ROUNDS  12  /* to find that many quiet ones */
#define LEAST_QUIET  3   /* rounds in which the machine let both threads run */
#define MUST_SCALE   1.9 /* of a loop that shares nothing, before and after */
#define REPLICATIONS 64
#define NAME         "sweep of 64 replications: one core / two, time"

/* Elapsed with one job over that with two; 0: it failed. */
static double sweep_scaling(const char *path)
{
    static const char *const settings[] = {"run.fidelity=sampled", "run.until=duration",
                                           "run.duration=10 min", NULL};
    BenchSweep sweep = {.path = path, .settings = settings, .replications = REPLICATIONS};
    BenchCost one, two;
    sweep.jobs = 1;
    gboolean fine = bench_sweep_run(&sweep, &one);
    sweep.jobs = 2;
    fine = fine && bench_sweep_run(&sweep, &two);
    return fine ? one.elapsed_ms / two.elapsed_ms : 0.0;
}

guint bench_sweep_threads(const char *path)
{
    double spins[MOST_ROUNDS + 1], sweeps[ROUNDS];
    guint n_quiet = 0, n = 0;
    spins[n++] = bench_spin_scaling();
    while (n <= MOST_ROUNDS && n_quiet < ROUNDS) {
        double scaling = spins[n - 1] >= MUST_SCALE ? sweep_scaling(path) : 0.0;
        spins[n] = bench_spin_scaling();
        if (scaling > 0.0 && spins[n] >= MUST_SCALE) {
            sweeps[n_quiet++] = scaling;
        }
        n++;
    }
    if (n_quiet < LEAST_QUIET) {
        g_autofree char *why = g_strdup_printf("this machine does not scale (empty loops %.2f x)",
                                               bench_median(spins, n));
        bench_skip(NAME, why);
        return 0;
    }
    return bench_judge(NAME, bench_median(sweeps, n_quiet), BENCH_AT_LEAST, 1.85, 1.95);
}
