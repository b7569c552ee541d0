/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow.h"

#define SEED 1

/* What a stream is for, beside the name and index of its owner. */
enum { SERVICES_OF_STATION, PAUSES, SERVICES_OF_FLOW };

typedef struct {
    AftJob job; /* first, so that it leads back to its leg */
    Customer *customer;
} Leg;

struct Customer {
    Flow *flow;
    guint served; /* visits over */
    gint64 entered_ns;
    gint64 wait_ns; /* so far */
    Customer *next; /* one more that is outside */
    Leg leg[VISITS_MOST];
};

void flow_init(Flow *flow, AftEngine *engine, const char *name, guint32 index)
{
    *flow = (Flow){.engine = engine};
    aft_stream_init(&flow->pauses, SEED, PAUSES, name, index);
    aft_stream_init(&flow->services, SEED, SERVICES_OF_FLOW, name, index);
    flow->customers = g_ptr_array_new_with_free_func(g_free);
}

void flow_clear(Flow *flow)
{
    g_clear_pointer(&flow->customers, g_ptr_array_unref);
}

void flow_visit(Flow *flow, AftStation *station, double mean)
{
    g_assert(flow->n_visits < VISITS_MOST);
    flow->route[flow->n_visits++] = (Visit){station, mean};
}

static gint64 pause_ns(Flow *flow)
{
    return (gint64)(flow->pause * UNIT_NS * aft_stream_exponential(&flow->pauses) + 0.5);
}

static void count_crowded(Flow *flow, gint64 now_ns)
{
    flow->slice.crowded_ns += flow->inside > flow->crowd ? now_ns - flow->since_ns : 0;
    flow->since_ns = now_ns;
}

static void send(Customer *customer, guint visit)
{
    Flow *flow = customer->flow;
    AftJob *job = &customer->leg[visit].job;
    double spread = flow->service ? aft_variate_draw(flow->service, &flow->services) : 1.0;
    job->mean_ns = (gint64)(flow->route[visit].mean * UNIT_NS * spread + 0.5);
    aft_station_arrive(flow->route[visit].station, job);
}

static void enter(void *context, gint64 now_ns)
{
    Customer *customer = context;
    Flow *flow = customer->flow;
    count_crowded(flow, now_ns);
    flow->inside++;
    flow->slice.arrived++;
    customer->served = 0;
    customer->entered_ns = now_ns;
    customer->wait_ns = 0;
    for (guint visit = 0; visit < (flow->forks ? flow->n_visits : 1); visit++) {
        send(customer, visit);
    }
}

static void tally(Flow *flow, gint64 response_ns, gint64 wait_ns)
{
    flow->slice.left++;
    flow->slice.response += (double)response_ns / UNIT_NS;
    flow->slice.wait += (double)wait_ns / UNIT_NS;
    flow->slice.waited += wait_ns > 0;
    flow->slice.late += (double)wait_ns > flow->late * UNIT_NS;
    if (flow->responses != NULL) {
        aft_histogram_record(flow->responses->slice, response_ns);
    }
    if (flow->waits != NULL) {
        aft_histogram_record(flow->waits->slice, wait_ns);
    }
}

static void leave(Customer *customer, gint64 now_ns)
{
    Flow *flow = customer->flow;
    count_crowded(flow, now_ns);
    flow->inside--;
    tally(flow, now_ns - customer->entered_ns, customer->wait_ns);
    if (!flow->is_closed) {
        customer->next = flow->idle;
        flow->idle = customer;
    } else if (flow->pause > 0.0) {
        aft_engine_schedule(flow->engine, now_ns + pause_ns(flow), enter, customer);
    } else {
        enter(customer, now_ns);
    }
}

static void served(AftJob *job, gint64 now_ns)
{
    Customer *customer = ((Leg *)job)->customer;
    customer->wait_ns += job->started_ns - job->arrived_ns;
    if (++customer->served == customer->flow->n_visits) {
        leave(customer, now_ns);
    } else if (!customer->flow->forks) {
        send(customer, customer->served);
    }
}

static Customer *customer_new(Flow *flow)
{
    Customer *customer = g_new0(Customer, 1);
    customer->flow = flow;
    for (guint visit = 0; visit < flow->n_visits; visit++) {
        Leg *leg = &customer->leg[visit];
        leg->customer = customer;
        leg->job.class = flow->class;
        leg->job.done = served;
    }
    g_ptr_array_add(flow->customers, customer);
    return customer;
}

static Customer *take_idle(Flow *flow)
{
    Customer *customer = flow->idle;
    if (customer == NULL) {
        return customer_new(flow);
    }
    flow->idle = customer->next;
    return customer;
}

static void arrive(void *context, gint64 now_ns)
{
    Flow *flow = context;
    aft_engine_schedule(flow->engine, now_ns + pause_ns(flow), arrive, flow);
    if (flow->room > 0 && aft_station_jobs(flow->route[0].station) >= flow->room) {
        flow->slice.arrived++;
        flow->slice.refused++;
    } else {
        enter(take_idle(flow), now_ns);
    }
}

void flow_open(Flow *flow, double rate)
{
    flow->pause = 1.0 / rate;
    aft_engine_schedule(flow->engine, aft_engine_now(flow->engine) + pause_ns(flow), arrive, flow);
}

void flow_close(Flow *flow, guint n, double pause)
{
    flow->pause = pause;
    flow->is_closed = TRUE;
    for (guint i = 0; i < n; i++) {
        aft_engine_schedule(flow->engine, aft_engine_now(flow->engine) + pause_ns(flow), enter,
                            customer_new(flow));
    }
}

static gint64 number_ns(const Flow *flow)
{
    gint64 total_ns = 0;
    for (guint i = 0; i < flow->n_visits; i++) {
        AftStationSums sums;
        aft_station_sums(flow->route[i].station, &sums);
        total_ns += (gint64)sums.class[flow->class].number_ns;
    }
    return total_ns;
}

static void begin_slice(Flow *flow)
{
    memset(&flow->slice, 0, sizeof flow->slice);
    flow->since_ns = aft_engine_now(flow->engine);
    flow->number_ns = number_ns(flow);
}

static void close_quantiles(Quantiles *quantiles)
{
    aft_batches_add(&quantiles->p95, aft_histogram_quantile(quantiles->slice, 0.95), 1.0, 1.0);
    aft_batches_add(&quantiles->p99, aft_histogram_quantile(quantiles->slice, 0.99), 1.0, 1.0);
    aft_histogram_add(quantiles->whole, quantiles->slice, 1.0);
    aft_histogram_clear(quantiles->slice);
}

static void close_slice(Flow *flow, double length)
{
    count_crowded(flow, aft_engine_now(flow->engine));
    gint64 stayed_ns = number_ns(flow) - flow->number_ns;
    aft_batches_add(&flow->found.rate, flow->slice.left, length, 1.0);
    aft_batches_add(&flow->found.number, (double)stayed_ns / UNIT_NS, length, 1.0);
    aft_batches_add(&flow->found.response, flow->slice.response, flow->slice.left, 1.0);
    aft_batches_add(&flow->found.wait, flow->slice.wait, flow->slice.left, 1.0);
    aft_batches_add(&flow->found.waited, flow->slice.waited, flow->slice.left, 1.0);
    aft_batches_add(&flow->found.late, flow->slice.late, flow->slice.left, 1.0);
    aft_batches_add(&flow->found.refused, flow->slice.refused, flow->slice.arrived, 1.0);
    aft_batches_add(&flow->found.crowded, (double)flow->slice.crowded_ns / UNIT_NS, length, 1.0);
    if (flow->responses != NULL) {
        close_quantiles(flow->responses);
    }
    if (flow->waits != NULL) {
        close_quantiles(flow->waits);
    }
}

static void begin_found(Flow *flow)
{
    aft_batches_init(&flow->found.rate);
    aft_batches_init(&flow->found.number);
    aft_batches_init(&flow->found.response);
    aft_batches_init(&flow->found.wait);
    aft_batches_init(&flow->found.waited);
    aft_batches_init(&flow->found.late);
    aft_batches_init(&flow->found.refused);
    aft_batches_init(&flow->found.crowded);
    if (flow->responses != NULL) {
        aft_histogram_clear(flow->responses->slice);
    }
    if (flow->waits != NULL) {
        aft_histogram_clear(flow->waits->slice);
    }
}

static void run(AftEngine *engine, double length)
{
    aft_engine_run(engine, aft_engine_scenario_now(engine) + (gint64)(length * UNIT_NS));
}

static void audit(const Flow *flow)
{
    for (guint i = 0; i < flow->n_visits; i++) {
        aft_station_audit(flow->route[i].station);
    }
}

void flows_measure(Flow *flows, guint n_flows, double length)
{
    run(flows->engine, length);
    for (guint i = 0; i < n_flows; i++) {
        begin_found(&flows[i]);
    }
    for (guint slice = 0; slice < SLICES; slice++) {
        for (guint i = 0; i < n_flows; i++) {
            begin_slice(&flows[i]);
        }
        run(flows->engine, length);
        for (guint i = 0; i < n_flows; i++) {
            close_slice(&flows[i], length);
            audit(&flows[i]);
        }
    }
}

AftStation *station_of(AftEngine *engine, const char *scheduler, guint servers,
                       const AftVariate *variate, const char *name, guint32 index)
{
    AftStationSetup setup = {
        .engine = engine,
        .servers = servers,
        .scheduler = aft_scheduler_find(scheduler),
        .variate = variate,
    };
    aft_stream_init(&setup.stream, SEED, SERVICES_OF_STATION, name, index);
    return aft_station_new(&setup);
}

AftVariate *variate_of(AftSpreadKind kind, double parameter)
{
    AftSpread spread = {.kind = kind, .cv = parameter, .shape = parameter};
    AftVariate *variate = aft_variate_new(&spread, NULL);
    assert_non_null(variate);
    return variate;
}

static void judge(const char *name, double found, double half_width, double expected)
{
    gboolean holds =
        fabs(found - expected) <= half_width && half_width <= 0.01 * expected; /* no NaN */
    print_message("#%s %s: %.7g within %.2f %%, expected %.7g\n", holds ? "" : " WRONG:", name,
                  found, 100.0 * half_width / expected, expected);
    assert_true(holds);
}

void expect(const char *name, const AftBatches *batches, double expected)
{
    judge(name, aft_batches_ratio(batches), aft_batches_half_width(batches, 0.999), expected);
}

void quantiles_init(Quantiles *quantiles)
{
    quantiles->slice = aft_histogram_new();
    quantiles->whole = aft_histogram_new();
    aft_batches_init(&quantiles->p95);
    aft_batches_init(&quantiles->p99);
}

void quantiles_clear(Quantiles *quantiles)
{
    g_clear_pointer(&quantiles->slice, aft_histogram_free);
    g_clear_pointer(&quantiles->whole, aft_histogram_free);
}

void expect_p95(const Quantiles *quantiles, double expected)
{
    judge("p95", aft_histogram_quantile(quantiles->whole, 0.95) / UNIT_NS,
          aft_batches_half_width(&quantiles->p95, 0.999) / UNIT_NS, expected);
}

void expect_p99(const Quantiles *quantiles, double expected)
{
    judge("p99", aft_histogram_quantile(quantiles->whole, 0.99) / UNIT_NS,
          aft_batches_half_width(&quantiles->p99, 0.999) / UNIT_NS, expected);
}
