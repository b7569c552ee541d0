/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_memory.c - whether what a sweep holds grows with its replications. */
#include "bench.h"
#include "sweep_run.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define FEW  1000
#define MANY 20000

/* Runs so many in a child, tables and all, since a peak of memory is one of a process. Returns:
 * that peak, MiB; 0: it failed. */
static double peak_mib(const char *path, guint replications)
{
    static const char *const settings[] = {"run.duration=2 s", "run.trace_interval=1 s", NULL};
    const BenchSweep sweep = {.path = path,
                              .settings = settings,
                              .replications = replications,
                              .jobs = 2,
                              .tables = TRUE};
    struct rusage usage = {0};
    int status = 1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        BenchCost cost;
        _exit(bench_sweep_run(&sweep, &cost) ? 0 : 1);
    }
    gboolean done = child > 0 && wait4(child, &status, 0, &usage) == child && status == 0;
    return done ? (double)usage.ru_maxrss / 1024.0 : 0.0;
}

guint bench_sweep_memory(const char *path)
{
    double few_mib = peak_mib(path, FEW), many_mib = peak_mib(path, MANY);
    if (few_mib == 0.0 || many_mib == 0.0) {
        return 1;
    }
    printf("sweep: %.1f MiB at most with %d replications, %.1f with %d\n", few_mib, FEW, many_mib,
           MANY);
    return bench_judge("sweep: memory of 20,000 replications / 1,000", many_mib / few_mib,
                       BENCH_AT_MOST, 1.1, 1.05);
}
