/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_store.c - what a sweep costs beyond the replications in it, most of which is the store. */
#include "bench.h"
#include "sweep_run.h"

#include <aftershock/run/run.h>
#include <stdio.h>

#define ROUNDS       7
#define REPLICATIONS 200
#define USUAL_MS     20.0 /* a replication by rates that are known: its budget (bench_flow.c) */

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

guint bench_sweep_store(const char *path)
{
    static const char *const settings[] = {"run.fidelity=flow", NULL};
    const BenchSweep sweep = {.path = path,
                              .settings = settings,
                              .replications = REPLICATIONS,
                              .jobs = 1};
    double cpu_ms[ROUNDS], elapsed_ms[ROUNDS], known_ms[ROUNDS];
    for (guint i = 0; i < ROUNDS; i++) {
        BenchCost kept, alone;
        if (!bench_sweep_run(&sweep, &kept)) {
            return 1;
        }
        alone = run_alone(&sweep, &known_ms[i]);
        cpu_ms[i] = (kept.cpu_ms - alone.cpu_ms) / REPLICATIONS;
        elapsed_ms[i] = (kept.elapsed_ms - alone.elapsed_ms) / REPLICATIONS;
    }
    double more_ms = bench_median(cpu_ms, ROUNDS);
    printf("sweep: a replication takes %.1f ms, being in one %.3f ms more of CPU time, and %.3f ms "
           "until it is on disk\n",
           bench_median(known_ms, ROUNDS), more_ms, bench_median(elapsed_ms, ROUNDS));
    return bench_judge_in("%", "sweep: its CPU time beyond replications of 20 ms",
                          100.0 * more_ms / USUAL_MS, BENCH_AT_MOST, 3.0, 1.0) +
           bench_judge_in("%", "sweep: its time beyond replications of 20 ms",
                          100.0 * bench_median(elapsed_ms, ROUNDS) / USUAL_MS, BENCH_AT_MOST, 6.0,
                          3.0);
}
