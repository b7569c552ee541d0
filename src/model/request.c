/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "executor.h"

AftExecutor *aft_executor_new(AftTopology *topology, guint steps_most, guint32 replication)
{
    AftExecutor *executor = g_new0(AftExecutor, 1);
    executor->topology = topology;
    executor->steps_most = steps_most;
    aft_stream_init(&executor->chance, topology->scenario->run.seed, replication, "request.chance",
                    0);
    return executor;
}

void aft_executor_watch(AftExecutor *executor, void (*filled)(void *context, AftBuffer *buffer),
                        void *context)
{
    executor->filled = filled;
    executor->context = context;
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
    request->decode_ns = request->work_ns = request->update_ns = 0;
    request->updates = NULL;
    request->host = AFT_NOWHERE;
    request->place = 0;
    request->route = AFT_ROUTE_CACHED;
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

void aft_subop_home(AftSubop *subop, gint64 now_ns)
{
    AftRequest *request = subop->request;
    if (--request->pending == 0) {
        stage_complete(request, now_ns);
    }
}

void aft_subop_failed(AftSubop *subop, gint64 now_ns)
{
    subop->request->failed = TRUE;
    aft_subop_home(subop, now_ns);
}

static void work_complete(AftJob *job, gint64 now_ns)
{
    AftRequest *request = ((AftSubop *)job)->request;
    request->pending = 0;
    if (request->failed || request->aborted) {
        end(request, now_ns);
    } else {
        begin_stage(request, now_ns);
    }
}

/* What the coordinator itself has to do: a client's request as a whole, a reconstruction, and data
 * services. */
static gint64 coordinator_ns(const AftRequest *request)
{
    const AftNode *node = &request->executor->topology->nodes[request->coordinator];
    gint64 request_ns = request->class == AFT_CLASS_CLIENT ? node->spec->controller.request_ns : 0;
    return request_ns + request->work_ns + request->update_ns +
           (request->plan->degraded ? request->decode_ns : 0);
}

/* Holds the coordinator's controller for that. */
static void work(AftRequest *request)
{
    AftSubop *subop = &request->subop[0];
    const AftTopology *topology = request->executor->topology;
    request->worked = TRUE;
    request->pending = 1;
    subop->request = request;
    subop->job.done = work_complete;
    subop->job.class = request->class;
    subop->job.mean_ns = coordinator_ns(request);
    subop->job.serial_ns = 0;
    subop->job.charge_ns = aft_topology_charge_ns(topology, request->bytes);
    aft_station_arrive(topology->nodes[request->coordinator].controller, &subop->job);
}

/* That comes after the reads and before the writes. */
static gboolean must_work(const AftRequest *request)
{
    const AftPlan *plan = request->plan;
    const AftNode *node = &request->executor->topology->nodes[request->coordinator];
    if (request->worked || coordinator_ns(request) == 0 || !node->alive ||
        node->controller == NULL) {
        return FALSE;
    }
    return request->stage == plan->n_stages || plan->step[plan->stage_begin[request->stage]].write;
}

static void relay_complete(AftSubop *subop, gint64 now_ns)
{
    AftRequest *request = subop->request;
    request->pending = 0;
    if (request->failed || request->aborted) {
        end(request, now_ns);
    } else {
        begin_stage(request, now_ns);
    }
}

/* What is written goes to the coordinator before all else, what is read comes from it after. */
static gboolean must_relay(const AftRequest *request)
{
    return request->host != AFT_NOWHERE && !request->relayed &&
           request->stage == (request->write ? 0 : request->plan->n_stages);
}

static void relay(AftRequest *request, gint64 now_ns)
{
    AftSubop *subop = &request->subop[0];
    request->relayed = TRUE;
    request->pending = 1;
    subop->request = request;
    subop->arrived = relay_complete;
    subop->from = request->write ? request->host : request->coordinator;
    subop->to = request->write ? request->coordinator : request->host;
    subop->wire_bytes = request->block_bytes;
    aft_subop_send(subop, now_ns);
}

static void begin_stage(AftRequest *request, gint64 now_ns)
{
    gboolean must = must_relay(request);
    if (must && request->write) { /* before there is anything to work on */
        relay(request, now_ns);
        return;
    }
    if (must_work(request)) {
        work(request);
        return;
    }
    if (must) {
        relay(request, now_ns);
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
        aft_subop_begin(request, &request->subop[i], first + i);
    }
    if (--request->pending == 0) {
        stage_complete(request, now_ns);
    }
}

void aft_request_start(AftRequest *request)
{
    request->stage = 0;
    request->pending = 0;
    request->worked = request->relayed = request->failed = request->aborted = FALSE;
    link_in_flight(request);
    begin_stage(request, aft_engine_now(request->executor->topology->engine));
}

static void dropped(AftJob *job, void *context)
{
    const AftExecutor *executor = context;
    AftSubop *subop = (AftSubop *)job;
    aft_subop_failed(subop, aft_engine_now(executor->topology->engine));
}

void aft_executor_drop_node(AftExecutor *executor, guint node)
{
    aft_topology_drop_node(executor->topology, node, dropped, executor);
}

void aft_executor_drop_device(AftExecutor *executor, guint32 device)
{
    aft_topology_drop_device(executor->topology, device, dropped, executor);
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

double aft_executor_buffered_bytes(const AftExecutor *executor)
{
    return executor->buffered_bytes;
}

guint aft_executor_in_flight(const AftExecutor *executor)
{
    return executor->n_in_flight;
}
