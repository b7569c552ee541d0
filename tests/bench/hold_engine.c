/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hold.h"

#include <aftershock/engine/engine.h>
#include <aftershock/random/stream.h>

#define MEAN_NS   1e6
#define MOST_TIES 10

typedef struct {
    AftEngine *engine;
    AftStream stream;
    guint64 left; /* steps until the engine is to stop */
} Hold;

static gint64 exponential_ns(AftStream *stream)
{
    return (gint64)(MEAN_NS * aft_stream_exponential(stream));
}

static gint64 tied_ns(AftStream *stream)
{
    return 1 + (gint64)aft_stream_below(stream, MOST_TIES);
}

static void hold(void *context, gint64 now_ns)
{
    Hold *self = context;
    aft_engine_schedule(self->engine, now_ns + exponential_ns(&self->stream), hold, self);
    if (--self->left == 0) {
        aft_engine_stop(self->engine);
    }
}

static void hold_tied(void *context, gint64 now_ns)
{
    Hold *self = context;
    aft_engine_schedule(self->engine, now_ns + tied_ns(&self->stream), hold_tied, self);
    if (--self->left == 0) {
        aft_engine_stop(self->engine);
    }
}

void hold_engine_step(void *work, guint64 n_steps)
{
    Hold *self = work;
    self->left = n_steps;
    aft_engine_run(self->engine, G_MAXINT64);
}

static Hold *start(guint n, gint64 (*delay_ns)(AftStream *), AftHandler handler)
{
    Hold *self = g_new0(Hold, 1);
    self->engine = aft_engine_new();
    aft_stream_init(&self->stream, 1, 0, "bench.hold", n);
    for (guint i = 0; i < n; i++) {
        aft_engine_schedule(self->engine, delay_ns(&self->stream), handler, self);
    }
    hold_engine_step(self, 4 * (guint64)n + 10000);
    return self;
}

void *hold_engine_start(guint n)
{
    return start(n, exponential_ns, hold);
}

void *hold_engine_start_ties(guint n)
{
    return start(n, tied_ns, hold_tied);
}

void hold_engine_finish(void *work)
{
    Hold *self = work;
    aft_engine_free(self->engine);
    g_free(self);
}
