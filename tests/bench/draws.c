/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench.h"

#include <aftershock/random/stream.h>
#include <gsl/gsl_randist.h>

#define STEPS 2000000

typedef struct {
    AftStream stream;
    gsl_rng *rng;
    double sum; /* so that no draw can be left out */
} Draws;

static void *start(G_GNUC_UNUSED guint n)
{
    Draws *self = g_new0(Draws, 1);
    aft_stream_init(&self->stream, 1, 0, "bench.draws", 0);
    self->rng = gsl_rng_alloc(gsl_rng_mt19937);
    return self;
}

static void finish(void *work)
{
    Draws *self = work;
    gsl_rng_free(self->rng);
    g_free(self);
}

static void step_stream(void *work, guint64 n_steps)
{
    Draws *self = work;
    double sum = 0.0;
    for (; n_steps > 0; n_steps--) {
        sum += aft_stream_exponential(&self->stream);
    }
    self->sum += sum;
}

static void step_gsl(void *work, guint64 n_steps)
{
    Draws *self = work;
    double sum = 0.0;
    for (; n_steps > 0; n_steps--) {
        sum += gsl_ran_exponential(self->rng, 1.0);
    }
    self->sum += sum;
}

guint bench_draws(void)
{
    const BenchContender contenders[] = {
        {"stream", start, step_stream, finish, 0},
        {"GSL", start, step_gsl, finish, 0},
    };
    BenchTimes times[G_N_ELEMENTS(contenders)];
    bench_run(contenders, G_N_ELEMENTS(contenders), STEPS, times);
    return bench_judge("exponential draw: GSL on mt19937 / stream",
                       bench_ratio(&times[1], &times[0]), BENCH_AT_LEAST, 8.0, 11.0);
}
