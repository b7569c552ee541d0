/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "request.h"

#include <string.h>

/* Links interleave messages: a long one yields after what a network card takes from the host at
 * once (64 KiB, the limit of TCP segmentation offload), so a small one never waits for a whole
 * rebuild unit. */
#define SEGMENT_BYTES 65536u

struct AftExecutor {
    AftTopology *topology;
    guint steps_most;
    AftRequest *in_flight; /* newest first */
    guint n_in_flight;
    AftRequest *idle; /* given back, by next */
};

AftExecutor *aft_executor_new(AftTopology *topology, guint steps_most)
{
    AftExecutor *executor = g_new0(AftExecutor, 1);
    executor->topology = topology;
    executor->steps_most = steps_most;
    return executor;
}

static void free_list(AftRequest *first)
{
    while (first != NULL) {
        AftRequest *request = first;
        first = request->next;
        g_free(request);
    }
}

void aft_executor_free(AftExecutor *executor)
{
    if (executor != NULL) {
        free_list(executor->in_flight);
        free_list(executor->idle);
        g_free(executor);
    }
}

AftRequest *aft_request_new(AftExecutor *executor)
{
    AftRequest *request = executor->idle;
    if (request == NULL) {
        request = g_malloc0(sizeof(AftRequest) + executor->steps_most * sizeof(AftSubop));
        request->executor = executor;
    } else {
        executor->idle = request->next;
    }
    request->decode_ns = 0;
    return request;
}

void aft_request_free(AftRequest *request)
{
    request->next = request->executor->idle;
    request->executor->idle = request;
}

static void link_in_flight(AftRequest *request)
{
    AftExecutor *executor = request->executor;
    request->previous = NULL;
    request->next = executor->in_flight;
    if (request->next != NULL) {
        request->next->previous = request;
    }
    executor->in_flight = request;
    executor->n_in_flight++;
}

static void unlink_in_flight(AftRequest *request)
{
    if (request->previous != NULL) {
        request->previous->next = request->next;
    } else {
        request->executor->in_flight = request->next;
    }
    if (request->next != NULL) {
        request->next->previous = request->previous;
    }
    request->executor->n_in_flight--;
}

static void end(AftRequest *request, gint64 now_ns)
{
    unlink_in_flight(request);
    AftOutcome outcome = request->aborted  ? AFT_OUTCOME_ABORTED
                         : request->failed ? AFT_OUTCOME_FAILED
                                           : AFT_OUTCOME_DONE;
    request->done(request, outcome, now_ns);
}

static void begin_stage(AftRequest *request, gint64 now_ns);

static void stage_complete(AftRequest *request, gint64 now_ns)
{
    if (request->failed || request->aborted) {
        end(request, now_ns);
        return;
    }
    request->stage++;
    begin_stage(request, now_ns);
}

static void subop_home(AftSubop *subop, gint64 now_ns)
{
    AftRequest *request = subop->request;
    if (--request->pending == 0) {
        stage_complete(request, now_ns);
    }
}

static void subop_failed(AftSubop *subop, gint64 now_ns)
{
    subop->request->failed = TRUE;
    subop_home(subop, now_ns);
}

static void finish_latency(void *context, gint64 now_ns)
{
    subop_home(context, now_ns);
}

static const AftDevice *device_of(const AftSubop *subop)
{
    return &subop->request->executor->topology->devices[subop->device];
}

static gint64 latency_ns(const AftSubop *subop)
{
    const AftControllerSpec *spec =
        &subop->request->executor->topology->scenario->cluster.node.controller;
    return subop->write ? spec->write_latency_ns : spec->read_latency_ns;
}

/* The pure delay of a sub-operation occupies nothing, so where on the path it stands does not
 * matter; at the end, it needs no event of its own. */
static void go_home(AftSubop *subop, gint64 at_ns)
{
    AftEngine *engine = subop->request->executor->topology->engine;
    gint64 home_ns = at_ns + latency_ns(subop);
    if (home_ns == aft_engine_now(engine)) {
        subop_home(subop, home_ns);
    } else {
        aft_engine_schedule(engine, home_ns, finish_latency, subop);
    }
}

static void visit_device(AftJob *job, gint64 now_ns);

static void visit_controller(AftSubop *subop, gint64 now_ns)
{
    AftTopology *topology = subop->request->executor->topology;
    guint node = device_of(subop)->node;
    if (!topology->nodes[node].alive) {
        subop_failed(subop, now_ns);
        return;
    }
    if (topology->nodes[node].controller == NULL) {
        visit_device(&subop->job, now_ns);
        return;
    }
    subop->job.done = visit_device;
    subop->job.mean_ns = aft_topology_controller_ns(topology, node, subop->request->bytes);
    subop->job.serial_ns = 0;
    aft_station_arrive(topology->nodes[node].controller, &subop->job);
}

static void send_message(void *context, gint64 now_ns);

static void leave_device(AftJob *job, gint64 now_ns)
{
    AftSubop *subop = (AftSubop *)job;
    const AftDevice *device = device_of(subop);
    if (subop->write || device->node == subop->request->coordinator) {
        go_home(subop, now_ns);
        return;
    }
    subop->wire_bytes = subop->request->bytes;
    send_message(subop, now_ns);
}

static gint64 transfer_ns(const AftDevice *device, const AftSubop *subop)
{
    double bytes_per_s =
        subop->write ? device->profile->write_bytes_per_s : device->profile->read_bytes_per_s;
    return bytes_per_s > 0.0 ? (gint64)((double)subop->request->bytes * 1e9 / bytes_per_s) : 0;
}

static void visit_device(AftJob *job, gint64 now_ns G_GNUC_UNUSED)
{
    AftSubop *subop = (AftSubop *)job;
    const AftDevice *device = device_of(subop);
    job->done = leave_device;
    job->mean_ns = subop->write ? device->profile->write_ns : device->profile->read_ns;
    job->serial_ns = transfer_ns(device, subop);
    aft_station_arrive(device->station, job);
}

static void message_arrives(void *context, gint64 now_ns)
{
    AftSubop *subop = context;
    if (subop->write) {
        visit_controller(subop, now_ns);
    } else {
        go_home(subop, now_ns);
    }
}

typedef struct {
    guint here, there; /* nodes */
    guint32 bytes;     /* of the next segment */
    gboolean up;       /* both nodes are alive */
} Wire;

static Wire wire_of(const AftSubop *subop)
{
    const AftNode *nodes = subop->request->executor->topology->nodes;
    guint coordinator = subop->request->coordinator, node = device_of(subop)->node;
    Wire wire = {
        .here = subop->write ? coordinator : node,
        .there = subop->write ? node : coordinator,
        .bytes = MIN(subop->wire_bytes, SEGMENT_BYTES),
        .up = nodes[coordinator].alive && nodes[node].alive,
    };
    return wire;
}

/* The next segment leaves. The receiving port takes it as it comes off the wire, so it is on both
 * ports at once. */
static void leave_port(void *context, gint64 now_ns)
{
    AftSubop *subop = context;
    AftTopology *topology = subop->request->executor->topology;
    Wire wire = wire_of(subop);
    if (!wire.up) {
        subop_failed(subop, now_ns);
        return;
    }
    subop->wire_bytes -= wire.bytes;
    gint64 sent_ns = now_ns + aft_topology_wire_ns(topology, wire.here, wire.bytes);
    gint64 receiving_ns = aft_topology_wire_ns(topology, wire.there, wire.bytes);
    gint64 got_ns = aft_port_send(&topology->nodes[wire.there].receiving, now_ns, receiving_ns);
    if (subop->wire_bytes > 0) {
        aft_engine_schedule(topology->engine, sent_ns, send_message, subop);
    } else if (!subop->write) {
        go_home(subop, MAX(got_ns, sent_ns));
    } else if (got_ns > now_ns) {
        aft_engine_schedule(topology->engine, MAX(got_ns, sent_ns), message_arrives, subop);
    } else {
        message_arrives(subop, now_ns);
    }
}

/* Sends the next segment, as soon as the port has sent what came before. */
static void send_message(void *context, gint64 now_ns)
{
    AftSubop *subop = context;
    AftTopology *topology = subop->request->executor->topology;
    Wire wire = wire_of(subop);
    if (!wire.up) {
        subop_failed(subop, now_ns);
        return;
    }
    gint64 sending_ns = aft_topology_wire_ns(topology, wire.here, wire.bytes);
    gint64 leaves_ns =
        aft_port_send(&topology->nodes[wire.here].sending, now_ns, sending_ns) - sending_ns;
    if (leaves_ns > now_ns) {
        aft_engine_schedule(topology->engine, leaves_ns, leave_port, subop);
    } else {
        leave_port(subop, now_ns);
    }
}

static void begin_step(AftRequest *request, AftSubop *subop, guint step)
{
    AftTopology *topology = request->executor->topology;
    gboolean write = request->plan->step[step].write != 0;
    guint32 device = request->device[step];
    gint64 now_ns = aft_engine_now(topology->engine);
    subop->request = request;
    subop->write = write;
    subop->device = write ? topology->devices[device].written_through : device;
    subop->job.class = request->class;
    subop->wire_bytes = request->bytes;
    if (write && device_of(subop)->node != request->coordinator) {
        send_message(subop, now_ns);
    } else {
        visit_controller(subop, now_ns);
    }
}

static void decode_complete(AftJob *job, gint64 now_ns)
{
    AftRequest *request = ((AftSubop *)job)->request;
    request->pending = 0;
    if (request->failed || request->aborted) {
        end(request, now_ns);
    } else {
        begin_stage(request, now_ns);
    }
}

/* Holds the coordinator's controller for the reconstruction. */
static void decode(AftRequest *request)
{
    AftSubop *subop = &request->subop[0];
    request->decoded = TRUE;
    request->pending = 1;
    subop->request = request;
    subop->job.done = decode_complete;
    subop->job.class = request->class;
    subop->job.mean_ns = request->decode_ns;
    subop->job.serial_ns = 0;
    aft_station_arrive(request->executor->topology->nodes[request->coordinator].controller,
                       &subop->job);
}

static gboolean must_decode(const AftRequest *request)
{
    const AftPlan *plan = request->plan;
    const AftNode *node = &request->executor->topology->nodes[request->coordinator];
    if (request->decoded || !plan->degraded || request->decode_ns == 0 || !node->alive ||
        node->controller == NULL) {
        return FALSE;
    }
    return request->stage == plan->n_stages || plan->step[plan->stage_begin[request->stage]].write;
}

static void begin_stage(AftRequest *request, gint64 now_ns)
{
    if (must_decode(request)) {
        decode(request);
        return;
    }
    if (request->stage == request->plan->n_stages) {
        end(request, now_ns);
        return;
    }
    guint first = request->plan->stage_begin[request->stage];
    guint n = request->plan->stage_begin[request->stage + 1] - first;
    request->pending = n + 1; /* one more, so that none that ends at once ends the stage */
    for (guint i = 0; i < n; i++) {
        begin_step(request, &request->subop[i], first + i);
    }
    if (--request->pending == 0) {
        stage_complete(request, now_ns);
    }
}

void aft_request_start(AftRequest *request)
{
    request->stage = 0;
    request->pending = 0;
    request->decoded = request->failed = request->aborted = FALSE;
    link_in_flight(request);
    begin_stage(request, aft_engine_now(request->executor->topology->engine));
}

static void dropped(AftJob *job, void *context)
{
    const AftExecutor *executor = context;
    AftSubop *subop = (AftSubop *)job;
    subop_failed(subop, aft_engine_now(executor->topology->engine));
}

void aft_executor_drop_node(AftExecutor *executor, guint node)
{
    aft_topology_drop(executor->topology, node, dropped, executor);
}

void aft_executor_abort(AftExecutor *executor, gboolean (*matches)(AftRequest *, void *),
                        void *context)
{
    for (AftRequest *request = executor->in_flight; request != NULL; request = request->next) {
        if (!request->aborted && matches(request, context)) {
            request->aborted = TRUE;
        }
    }
}

guint aft_executor_in_flight(const AftExecutor *executor)
{
    return executor->n_in_flight;
}
