/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

gint64 bench_thread_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (gint64)now.tv_sec * G_GINT64_CONSTANT(1000000000) + now.tv_nsec;
}

static double round_ns(const BenchContender *contender, void *work, guint64 n_steps)
{
    gint64 start_ns = bench_thread_ns();
    contender->step(work, n_steps);
    return (double)(bench_thread_ns() - start_ns) / (double)n_steps;
}

void bench_run(const BenchContender *contenders, guint n_contenders, guint64 n_steps,
               BenchTimes *ret_times)
{
    g_autofree void **works = g_new(void *, n_contenders);
    for (guint i = 0; i < n_contenders; i++) {
        works[i] = contenders[i].start(contenders[i].n);
    }
    for (guint round = 0; round < BENCH_ROUNDS; round++) {
        for (guint i = 0; i < n_contenders; i++) {
            ret_times[i].step_ns[round] = round_ns(&contenders[i], works[i], n_steps);
        }
    }
    for (guint i = 0; i < n_contenders; i++) {
        contenders[i].finish(works[i]);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double bench_median(const double *values, guint n)
{
    g_autofree double *sorted = g_memdup2(values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, compare_doubles);
    return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0;
}

double bench_ratio(const BenchTimes *a, const BenchTimes *b)
{
    double ratios[BENCH_ROUNDS];
    for (guint i = 0; i < BENCH_ROUNDS; i++) {
        ratios[i] = a->step_ns[i] / b->step_ns[i];
    }
    return bench_median(ratios, BENCH_ROUNDS);
}

double bench_ns(const BenchTimes *times)
{
    return bench_median(times->step_ns, BENCH_ROUNDS);
}

static gboolean reaches(double ratio, BenchSense sense, double bar)
{
    return sense == BENCH_AT_LEAST ? ratio >= bar : ratio <= bar;
}

guint bench_judge_in(const char *unit, const char *name, double value, BenchSense sense,
                     double must, double aim)
{
    const char *sign = sense == BENCH_AT_LEAST ? ">=" : "<=";
    gboolean passes = reaches(value, sense, must);
    const char *verdict = reaches(value, sense, aim) ? "aim" : passes ? "pass" : "MISS";
    printf("%-58s %8.2f %-3s must %s %-5g  aim %s %-5g  %s\n", name, value, unit, sign, must, sign,
           aim, verdict);
    fflush(stdout);
    return !passes;
}

guint bench_judge(const char *name, double ratio, BenchSense sense, double must, double aim)
{
    return bench_judge_in("x", name, ratio, sense, must, aim);
}

void bench_skip(const char *name, const char *why)
{
    printf("%-58s        -     skipped: %s\n", name, why);
}
