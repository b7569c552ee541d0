/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "queue.h"

#include <aftershock/station/station.h>

typedef struct Customer Customer;

typedef struct {
    AftEngine *engine;
    AftVariate *exponential;
    AftStation *station;
    AftStream arrivals;
    guint64 left;         /* customers yet to depart in this round */
    Customer *idle;       /* those that are not here, by next */
    GPtrArray *customers; /* (owned): all there are */
} Queue;

struct Customer {
    AftJob job; /* first, so that it leads back to the customer */
    Queue *queue;
    Customer *next;
};

static void depart(AftJob *job, gint64 now_ns G_GNUC_UNUSED)
{
    Customer *customer = (Customer *)job;
    Queue *self = customer->queue;
    customer->next = self->idle;
    self->idle = customer;
    if (--self->left == 0) {
        aft_engine_stop(self->engine);
    }
}

static Customer *customer_new(Queue *self)
{
    Customer *customer = g_new0(Customer, 1);
    customer->queue = self;
    customer->job.done = depart;
    customer->job.mean_ns = (gint64)QUEUE_SERVICE_NS;
    g_ptr_array_add(self->customers, customer);
    return customer;
}

static Customer *take_customer(Queue *self)
{
    Customer *customer = self->idle;
    if (customer == NULL) {
        return customer_new(self);
    }
    self->idle = customer->next;
    return customer;
}

static void arrive(void *context, gint64 now_ns)
{
    Queue *self = context;
    double gap_ns = QUEUE_SERVICE_NS / QUEUE_LOAD * aft_stream_exponential(&self->arrivals);
    aft_engine_schedule(self->engine, now_ns + (gint64)gap_ns, arrive, self);
    aft_station_arrive(self->station, &take_customer(self)->job);
}

void queue_station_step(void *work, guint64 n_steps)
{
    Queue *self = work;
    self->left = n_steps;
    aft_engine_run(self->engine, G_MAXINT64);
}

void *queue_station_start(guint n)
{
    Queue *self = g_new0(Queue, 1);
    self->engine = aft_engine_new();
    self->exponential = aft_variate_new(&(AftSpread){.kind = AFT_SPREAD_EXPONENTIAL}, NULL);
    self->customers = g_ptr_array_new_with_free_func(g_free);
    aft_stream_init(&self->arrivals, 1, 0, "bench.arrivals", n);
    AftStationSetup setup = {
        .engine = self->engine,
        .servers = 1,
        .scheduler = aft_scheduler_find("fifo"),
        .variate = self->exponential,
    };
    aft_stream_init(&setup.stream, 1, 0, "bench.services", n);
    self->station = aft_station_new(&setup);
    aft_engine_schedule(self->engine, 0, arrive, self);
    queue_station_step(self, QUEUE_STEPS);
    return self;
}

void queue_station_finish(void *work)
{
    Queue *self = work;
    aft_station_audit(self->station);
    aft_station_free(self->station);
    aft_variate_free(self->exponential);
    aft_engine_free(self->engine);
    g_ptr_array_unref(self->customers);
    g_free(self);
}
