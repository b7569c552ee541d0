/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A walk by remembered rates, from the scenario file given: what a replication costs once all rates
 * are known, beside a sampled one, and how many states there are. */
#include "bench.h"

#include <aftershock/loader/loader.h>
#include <aftershock/run/run.h>
#include <stdio.h>

#define ROUNDS 15

static AftScenario *load(const char *path, const char *fidelity)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    const char *const overrides[] = {fidelity, NULL};
    AftScenario *scenario = aft_loader_load_file(path, overrides, messages, &error);
    if (scenario == NULL) {
        fprintf(stderr, "%s\n", error->message);
    }
    return scenario;
}

/* CPU time of replication @replication, ms. */
static double run_ms(const AftScenario *scenario, AftRates *rates, guint replication)
{
    g_autoptr(GError) error = NULL;
    AftRunOptions options = {.replication = replication, .rates = rates};
    gint64 start_ns = bench_thread_ns();
    g_autoptr(AftResult) result = aft_run(scenario, &options, &error);
    if (result == NULL) {
        fprintf(stderr, "%s\n", error->message);
        exit(1);
    }
    return (double)(bench_thread_ns() - start_ns) / 1e6;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "Usage: bench-flow SCENARIO\n");
        return 2;
    }
    g_autoptr(AftScenario) flow = load(argv[1], "run.fidelity=flow");
    g_autoptr(AftScenario) sampled = load(argv[1], "run.fidelity=sampled");
    if (flow == NULL || sampled == NULL) {
        return 1;
    }
    g_autoptr(AftRates) rates = aft_rates_new();
    double first_ms = run_ms(flow, rates, 0), sampled_ms = run_ms(sampled, NULL, 0);
    double known_ms[ROUNDS];
    for (guint i = 0; i < ROUNDS; i++) {
        known_ms[i] = run_ms(flow, rates, i + 1);
    }
    double ms = bench_median(known_ms, ROUNDS);
    printf("flow walk: %u states, %.0f s of I/O, measured in %.1f times a sampled walk\n",
           aft_rates_states(rates), aft_rates_simulated_s(rates), first_ms / sampled_ms);
    return bench_judge_in("ms", "flow walk, rates known: CPU time", ms, BENCH_AT_MOST, 20.0, 10.0) +
               bench_judge("sampled walk / flow walk, rates known", sampled_ms / ms, BENCH_AT_LEAST,
                           100.0, 1000.0) >
           0;
}
