/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The five-host walk on RAID-5, from the scenario file given: how many client I/Os a second of CPU
 * time are simulated one by one in the steady state, how many fewer a sampled walk simulates than
 * happen in it, and what the whole walk takes. */
#include "bench.h"

#include <aftershock/loader/loader.h>
#include <aftershock/run/run.h>
#include <stdio.h>
#include <sys/resource.h>

#define STEADY_ROUNDS 7

static AftScenario *load(const char *path, const char *const *overrides)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    AftScenario *scenario = aft_loader_load_file(path, overrides, messages, &error);
    if (scenario == NULL) {
        fprintf(stderr, "%s\n", error->message);
    }
    return scenario;
}

/* Client I/Os a second of CPU time with every I/O simulated, of ten seconds of the steady state. */
static double steady_ios_per_s(const char *path)
{
    static const char *const overrides[] = {"run.until=duration", "run.duration=10s",
                                            "run.fidelity=io", NULL};
    g_autoptr(AftScenario) scenario = load(path, overrides);
    double ios_per_s[STEADY_ROUNDS] = {0};
    for (guint i = 0; scenario != NULL && i < STEADY_ROUNDS; i++) {
        gint64 start_ns = bench_thread_ns();
        g_autoptr(AftResult) result = aft_run(scenario, NULL, NULL);
        ios_per_s[i] = (double)result->simulated_ios * 1e9 / (double)(bench_thread_ns() - start_ns);
    }
    return bench_median(ios_per_s, STEADY_ROUNDS);
}

static double ios_of(const AftResult *result)
{
    double ios = 0.0;
    for (guint i = 0; i < result->phases->len; i++) {
        const AftPhaseRow *row = &g_array_index(result->phases, AftPhaseRow, i);
        ios += row->iops * row->duration_s;
    }
    return ios;
}

static double peak_mib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0;
}

static guint whole_walk(const char *path)
{
    g_autoptr(AftScenario) scenario = load(path, NULL);
    if (scenario == NULL) {
        return 1;
    }
    gint64 start_ns = bench_thread_ns();
    g_autoptr(AftResult) result = aft_run(scenario, NULL, NULL);
    double walk_s = (double)(bench_thread_ns() - start_ns) / 1e9;
    return bench_judge("sampled walk: I/Os in it / simulated",
                       ios_of(result) / (double)result->simulated_ios, BENCH_AT_LEAST, 15.0, 60.0) +
           bench_judge_in("s", "sampled walk: CPU time", walk_s, BENCH_AT_MOST, 30.0, 10.0) +
           bench_judge_in("MiB", "sampled walk: memory at most", peak_mib(), BENCH_AT_MOST, 64.0,
                          32.0);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "Usage: bench-walk SCENARIO\n");
        return 2;
    }
    guint missed = whole_walk(argv[1]);
    missed += bench_judge_in("M/s", "steady state, every I/O simulated: client I/Os",
                             steady_ios_per_s(argv[1]) / 1e6, BENCH_AT_LEAST, 1.5, 3.0);
    return missed > 0;
}
