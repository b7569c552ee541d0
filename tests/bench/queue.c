/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queue.c - the M/M/1 of queue.h on the engine's callbacks, and as the two-line loop that knows
 * there are only two clocks. */
#include "queue.h"
#include "bench.h"

#include <aftershock/engine/engine.h>
#include <aftershock/random/stream.h>
#include <stdio.h>

typedef struct {
    AftEngine *engine;
    AftStream arrivals, services;
    guint64 left;     /* customers yet to depart in this round */
    guint64 present;  /* customers */
    double area;      /* customers x ns, of which the mean number present is made */
    gint64 last_ns;   /* when @present last changed */
    double last_s;    /* the same for the two clocks */
    double arrival_s; /* when the next customer comes, for the two clocks */
    double departure_s;
} Queue;

static gint64 arrival_gap_ns(Queue *self)
{
    return (gint64)(QUEUE_SERVICE_NS / QUEUE_LOAD * aft_stream_exponential(&self->arrivals));
}

static gint64 service_ns(Queue *self)
{
    return (gint64)(QUEUE_SERVICE_NS * aft_stream_exponential(&self->services));
}

static void account(Queue *self, gint64 now_ns)
{
    self->area += (double)self->present * (double)(now_ns - self->last_ns);
    self->last_ns = now_ns;
}

static void depart(void *context, gint64 now_ns)
{
    Queue *self = context;
    account(self, now_ns);
    if (--self->present > 0) {
        aft_engine_schedule(self->engine, now_ns + service_ns(self), depart, self);
    }
    if (--self->left == 0) {
        aft_engine_stop(self->engine);
    }
}

static void arrive(void *context, gint64 now_ns)
{
    Queue *self = context;
    account(self, now_ns);
    aft_engine_schedule(self->engine, now_ns + arrival_gap_ns(self), arrive, self);
    if (self->present++ == 0) {
        aft_engine_schedule(self->engine, now_ns + service_ns(self), depart, self);
    }
}

static void step_callbacks(void *work, guint64 n_steps)
{
    Queue *self = work;
    self->left = n_steps;
    aft_engine_run(self->engine, G_MAXINT64);
}

static Queue *start(guint index)
{
    Queue *self = g_new0(Queue, 1);
    aft_stream_init(&self->arrivals, 1, 0, "bench.arrivals", index);
    aft_stream_init(&self->services, 1, 0, "bench.services", index);
    return self;
}

static void *start_callbacks(guint n)
{
    Queue *self = start(n);
    self->engine = aft_engine_new();
    aft_engine_schedule(self->engine, arrival_gap_ns(self), arrive, self);
    step_callbacks(self, QUEUE_STEPS);
    return self;
}

static void finish(void *work)
{
    Queue *self = work;
    aft_engine_free(self->engine);
    g_free(self);
}

static void step_two_clocks(void *work, guint64 n_steps)
{
    Queue *self = work;
    while (n_steps > 0) {
        gboolean is_arrival = self->arrival_s < self->departure_s;
        double now_s = is_arrival ? self->arrival_s : self->departure_s;
        self->area += (double)self->present * (now_s - self->last_s);
        self->last_s = now_s;
        if (is_arrival) {
            self->arrival_s = now_s + 1.0 / QUEUE_LOAD * aft_stream_exponential(&self->arrivals);
            if (self->present++ == 0) {
                self->departure_s = now_s + aft_stream_exponential(&self->services);
            }
        } else {
            gboolean is_idle = --self->present == 0;
            self->departure_s =
                is_idle ? G_MAXDOUBLE : now_s + aft_stream_exponential(&self->services);
            n_steps--;
        }
    }
}

static void *start_two_clocks(guint n)
{
    Queue *self = start(n);
    self->departure_s = G_MAXDOUBLE;
    step_two_clocks(self, QUEUE_STEPS);
    return self;
}

static guint judge_simpy(const char *name, double simpy_ns, double ours_ns, double must, double aim)
{
    if (simpy_ns > 0.0) {
        return bench_judge(name, simpy_ns / ours_ns, BENCH_AT_LEAST, must, aim);
    }
    bench_skip(name, "no SimPy for python3");
    return 0;
}

guint bench_queue(double simpy_customer_ns)
{
    const BenchContender contenders[] = {
        {"callbacks", start_callbacks, step_callbacks, finish, 0},
        {"two clocks", start_two_clocks, step_two_clocks, finish, 0},
        {"station", queue_station_start, queue_station_step, queue_station_finish, 0},
    };
    BenchTimes times[G_N_ELEMENTS(contenders)];
    bench_run(contenders, G_N_ELEMENTS(contenders), QUEUE_STEPS, times);
    double callbacks_ns = bench_ns(&times[0]), station_ns = bench_ns(&times[2]);
    printf(
        "  M/M/1 customer: callbacks %.1f ns, two clocks %.1f ns, station %.1f ns, SimPy %.0f ns\n",
        callbacks_ns, bench_ns(&times[1]), station_ns, simpy_customer_ns);
    guint missed = bench_judge("M/M/1: callbacks / two clocks", bench_ratio(&times[0], &times[1]),
                               BENCH_AT_MOST, 2.2, 1.7);
    missed +=
        judge_simpy("M/M/1: SimPy / callbacks", simpy_customer_ns, callbacks_ns, 130.0, 170.0);
    missed += judge_simpy("M/M/1: SimPy / station", simpy_customer_ns, station_ns, 60.0, 120.0);
    return missed;
}
