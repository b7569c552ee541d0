/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cluster of a thousand nodes, from the scenario file given: what it takes to build it, and to
 * walk through a failure of one of them. */
#include "bench.h"

#include <aftershock/loader/loader.h>
#include <aftershock/run/run.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a process of its own took. */
typedef struct {
    gboolean done;
    double cpu_s, peak_mib;
} Cost;

static gboolean run(const char *path, const char *const *overrides)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(AftScenario) scenario = aft_loader_load_file(path, overrides, messages, &error);
    if (scenario == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return FALSE;
    }
    g_autoptr(AftResult) result = aft_run(scenario, NULL, NULL);
    return result != NULL;
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* Runs the scenario in a child, since a peak of memory is one of a process. */
static Cost cost_of(const char *path, const char *const *overrides)
{
    struct rusage usage = {0};
    int status = 1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        _exit(run(path, overrides) ? 0 : 1);
    }
    gboolean waited = child > 0 && wait4(child, &status, 0, &usage) == child;
    return (Cost){
        .done = waited && WIFEXITED(status) && WEXITSTATUS(status) == 0,
        .cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime),
        .peak_mib = (double)usage.ru_maxrss / 1024.0,
    };
}

int main(int argc, char **argv)
{
    static const char *const instant[] = {"run.until=duration", "run.duration=1 ms", NULL};
    if (argc != 2) {
        fprintf(stderr, "Usage: bench-large SCENARIO\n");
        return 2;
    }
    Cost start = cost_of(argv[1], instant), walk = cost_of(argv[1], NULL);
    if (!start.done || !walk.done) {
        return 1;
    }
    guint missed = bench_judge_in("s", "a thousand nodes: CPU time of 1 ms of them", start.cpu_s,
                                  BENCH_AT_MOST, 2.0, 0.5);
    missed += bench_judge_in("s", "a thousand nodes: CPU time of a walk", walk.cpu_s, BENCH_AT_MOST,
                             60.0, 30.0);
    missed += bench_judge_in("MiB", "a thousand nodes: memory at most", walk.peak_mib,
                             BENCH_AT_MOST, 512.0, 128.0);
    return missed > 0;
}
