/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_store.c - what a sweep costs beyond the replications in it, most of which is the store. */
#include "bench.h"
#include "sweep_run.h"

#include <aftershock/run/run.h>
#include <stdio.h>

#define ROUNDS       7
#define REPLICATIONS 200
#define USUAL_MS     20.0 /* a replication by rates that are known: its budget (bench_flow.c) */
#define MUST_RUN     1.05 /* elapsed over CPU time; above, the machine itself is in the way */

/* CPU time of replication @index, ms. */
static double run_one(const AftScenario *scenario, AftRates *rates, guint index)
{
    AftRunOptions options = {.replication = index, .rates = rates};
    BenchCost start = bench_cost_now();
    g_autoptr(AftResult) result = aft_run(scenario, &options, NULL);
    return bench_cost_since(start).cpu_ms;
}

/* The same replications as in @sweep without it. @ret_known_ms: what one takes when all rates are
 * known. */
static BenchCost run_alone(const BenchSweep *sweep, double *ret_known_ms)
{
    double ms[REPLICATIONS];
    BenchCost start = bench_cost_now();
    g_autoptr(AftScenario) scenario = bench_sweep_scenario(sweep);
    g_autoptr(AftRates) rates = aft_rates_new();
    for (guint i = 0; i < REPLICATIONS; i++) {
        ms[i] = run_one(scenario, rates, i);
    }
    *ret_known_ms = bench_median(ms, REPLICATIONS);
    return bench_cost_since(start);
}

/* What rounds came to. */
typedef struct {
    double cpu_ms[ROUNDS], elapsed_ms[ROUNDS]; /* of a replication, beyond running it alone */
    double known_ms[ROUNDS];                   /* CPU time of one whose rates are known */
    double waited[ROUNDS];                     /* elapsed over CPU time of those alone */
} Rounds;

static gboolean run_round(const BenchSweep *sweep, Rounds *rounds, guint i)
{
    BenchCost kept;
    if (!bench_sweep_run(sweep, &kept)) {
        return FALSE;
    }
    BenchCost alone = run_alone(sweep, &rounds->known_ms[i]);
    rounds->cpu_ms[i] = (kept.cpu_ms - alone.cpu_ms) / REPLICATIONS;
    rounds->elapsed_ms[i] = (kept.elapsed_ms - alone.elapsed_ms) / REPLICATIONS;
    rounds->waited[i] = alone.elapsed_ms / alone.cpu_ms;
    return TRUE;
}

/* Times count on a machine that lets a thread run. */
static guint judge_elapsed(const Rounds *rounds)
{
    static const char *const name = "sweep: time beyond replications of 20 ms";
    double waited = bench_median(rounds->waited, ROUNDS);
    if (waited > MUST_RUN) {
        g_autofree char *why =
            g_strdup_printf("this machine is busy (what takes 1 s of CPU time takes %.2f s)",
                            waited);
        bench_skip(name, why);
        return 0;
    }
    return bench_judge_in("%", name, 100.0 * bench_median(rounds->elapsed_ms, ROUNDS) / USUAL_MS,
                          BENCH_AT_MOST, 3.0, 2.0);
}

guint bench_sweep_store(const char *path)
{
    static const char *const settings[] = {"run.fidelity=flow", NULL};
    const BenchSweep sweep = {.path = path,
                              .settings = settings,
                              .replications = REPLICATIONS,
                              .jobs = 1};
    Rounds rounds;
    for (guint i = 0; i < ROUNDS; i++) {
        if (!run_round(&sweep, &rounds, i)) {
            return 1;
        }
    }
    double more_ms = bench_median(rounds.cpu_ms, ROUNDS);
    printf("sweep: a replication takes %.1f ms, and within a sweep %.2f ms more of CPU time\n",
           bench_median(rounds.known_ms, ROUNDS), more_ms);
    return bench_judge_in("%", "sweep: CPU time beyond replications of 20 ms",
                          100.0 * more_ms / USUAL_MS, BENCH_AT_MOST, 3.0, 2.0) +
           judge_elapsed(&rounds);
}
