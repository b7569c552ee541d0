/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench.h - how fast one thing is against another, on a machine that is busy with other things.
 *
 * Contenders take turns in short rounds and are clocked by the time their thread got, and what is
 * reported is the median over the rounds of the ratio within a round. Absolute times move with
 * the machine and the hour; such ratios hardly do.
 */
#pragma once

#include <glib.h>

typedef struct {
    const char *name;
    /* Returns: (transfer full): work of size @n, warmed up. */
    void *(*start)(guint n);
    /* Does @n_steps steps of the work. */
    void (*step)(void *work, guint64 n_steps);
    void (*finish)(void *work);
    guint n; /* for start() */
} BenchContender;

#define BENCH_ROUNDS 15

typedef struct {
    double step_ns[BENCH_ROUNDS];
} BenchTimes;

/** CPU time of this thread, ns. */
gint64 bench_thread_ns(void);

/** Clocks @n_contenders against each other, @n_steps a round, one BenchTimes each. */
void bench_run(const BenchContender *contenders, guint n_contenders, guint64 n_steps,
               BenchTimes *ret_times);

/** The median of the ratio of @a to @b. */
double bench_ratio(const BenchTimes *a, const BenchTimes *b);

/** The median time of a step, ns. */
double bench_ns(const BenchTimes *times);

double bench_median(const double *values, guint n);

typedef enum { BENCH_AT_LEAST, BENCH_AT_MOST } BenchSense;

/** Prints one row: @ratio beside what it must be and what it aims at.
 *  Returns: 1 when it misses what it must be, 0 otherwise. */
guint bench_judge(const char *name, double ratio, BenchSense sense, double must, double aim);

/** The same for what is no ratio, but has a @unit. */
guint bench_judge_in(const char *unit, const char *name, double value, BenchSense sense,
                     double must, double aim);

/** Prints a row that says why there is no figure. */
void bench_skip(const char *name, const char *why);

/** Wall time of two calls of @func on one thread over that of two calls on two. */
double bench_scaling(GThreadFunc func);

/** The same of empty loops, which share nothing: whether two threads get two cores just now. */
double bench_spin_scaling(void);

/* The sections; each returns how many of its rows miss what they must reach. */
guint bench_holds(void);
guint bench_queue(double simpy_customer_ns);
guint bench_draws(void);
guint bench_threads(void);
