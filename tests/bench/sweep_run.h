/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_run.h - sweeps of one point, run in this process into a store that passes. */
#pragma once

#include <aftershock/scenario/scenario.h>

typedef struct {
    const char *path;            /* of the scenario's file */
    const char *const *settings; /* over it, "path=value", NULL-terminated */
    guint replications, jobs;
    gboolean tables; /* writes them, too */
} BenchSweep;

/** What it took: elapsed, and CPU time of this thread. */
typedef struct {
    double elapsed_ms, cpu_ms;
} BenchCost;

/** Returns: (transfer full) (nullable): the scenario; NULL: it is told why not. */
AftScenario *bench_sweep_scenario(const BenchSweep *sweep);

/** Runs @sweep. Returns: FALSE when anything failed, which is told. */
gboolean bench_sweep_run(const BenchSweep *sweep, BenchCost *ret_cost);

/** Begins and ends a measurement. */
BenchCost bench_cost_now(void);
BenchCost bench_cost_since(BenchCost start);

/* The sections; each returns how many of its rows miss what they must reach. */
guint bench_sweep_threads(const char *path);
guint bench_sweep_store(const char *path);
guint bench_sweep_memory(const char *path);
