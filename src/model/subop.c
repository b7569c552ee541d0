/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "executor.h"

/* Links interleave messages: a long one yields after what a network card takes from the host at
 * once (64 KiB, the limit of TCP segmentation offload), so a small one never waits for a whole
 * rebuild unit. */
#define SEGMENT_BYTES 65536u

static void finish_latency(void *context, gint64 now_ns)
{
    aft_subop_home(context, now_ns);
}

static AftDevice *device_of(const AftSubop *subop)
{
    return &subop->request->executor->topology->devices[subop->device];
}

static gboolean is_clients(const AftRequest *request)
{
    return request->class == AFT_CLASS_CLIENT;
}

static const AftNode *node_of(const AftSubop *subop)
{
    return &subop->request->executor->topology->nodes[device_of(subop)->node];
}

static gint64 delay_ns(const AftSubop *subop)
{
    const AftCharge *charge = subop->request->charge;
    const AftControllerSpec *controller = &node_of(subop)->spec->controller;
    if (!subop->write) {
        return charge->read_delay_ns + (charge->latency ? controller->read_latency_ns : 0);
    }
    return charge->write_delay_ns + (charge->latency ? controller->write_latency_ns : 0) +
           (subop->buffer != NULL && is_clients(subop->request) ? aft_buffer_delay_ns(subop->buffer)
                                                                : 0);
}

/* The pure delay of a sub-operation occupies nothing, so where on the path it stands does not
 * matter; at the end, it needs no event of its own. */
static void go_home(AftSubop *subop, gint64 at_ns)
{
    AftEngine *engine = subop->request->executor->topology->engine;
    gint64 home_ns = at_ns + delay_ns(subop);
    if (home_ns == aft_engine_now(engine)) {
        aft_subop_home(subop, home_ns);
    } else {
        aft_engine_schedule(engine, home_ns, finish_latency, subop);
    }
}

static void enter_device(AftJob *job, gint64 now_ns);

/* A year: of hours a MiB, a thousandfold, more would come near the end of 63 bits. */
#define LONGEST_NS (365.0 * 86400.0 * 1e9)

static gint64 controller_ns(const AftSubop *subop, guint node)
{
    const AftRequest *request = subop->request;
    const AftCharge *charge = request->charge;
    gint64 ns = aft_topology_controller_ns(request->executor->topology, node, request->bytes);
    if (charge->controller_factor != 1.0) {
        ns = (gint64)MIN((double)ns * charge->controller_factor, LONGEST_NS);
    }
    return subop->write
               ? ns + charge->write_io_ns +
                     (gint64)((double)charge->write_per_mib_ns * request->bytes / 1048576.0)
               : ns;
}

/* Whether what it is for is there: the device, and for a write to a cache device the one behind,
 * unless it is only logged. */
static gboolean is_up(const AftSubop *subop)
{
    const AftTopology *topology = subop->request->executor->topology;
    return topology->devices[subop->device].up &&
           (subop->buffer == NULL || subop->request->route == AFT_ROUTE_LOG ||
            topology->devices[aft_topology_behind(subop->buffer, subop->behind)].up);
}

static void visit_controller(AftSubop *subop, gint64 now_ns)
{
    AftTopology *topology = subop->request->executor->topology;
    guint node = device_of(subop)->node;
    if (!is_up(subop)) {
        aft_subop_failed(subop, now_ns);
        return;
    }
    if (topology->nodes[node].controller == NULL) {
        enter_device(&subop->job, now_ns);
        return;
    }
    subop->job.done = enter_device;
    subop->job.mean_ns = controller_ns(subop, node);
    subop->job.serial_ns = 0;
    subop->job.charge_ns = aft_topology_charge_ns(topology, subop->request->bytes);
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
    subop->from = device->node;
    subop->to = subop->request->coordinator;
    subop->wire_bytes = subop->request->bytes;
    subop->arrived = NULL;
    send_message(subop, now_ns);
}

static double device_bytes(const AftSubop *subop)
{
    const AftRequest *request = subop->request;
    return request->bytes * (device_of(subop)->cache ? request->charge->cache_ratio
                                                     : request->charge->capacity_ratio);
}

static gint64 transfer_ns(const AftDevice *device, const AftSubop *subop, double bytes)
{
    double bytes_per_s =
        subop->write ? device->profile->write_bytes_per_s : device->profile->read_bytes_per_s;
    return bytes_per_s > 0.0 ? (gint64)(bytes * 1e9 / bytes_per_s) : 0;
}

/* About a track: drives put in order, or have read already, what is as near. */
#define NEAR_BYTES 1048576u

/* Reads and writes do not follow each other: between the two at one place, a disk turns once. */
#define WRITES (G_GUINT64_CONSTANT(1) << 63)

/* Whether the access at @place of @device follows the one that came before, and whereto it leads.
 */
static gboolean follows(AftDevice *device, const AftSubop *subop)
{
    guint64 place = subop->request->place ^ (subop->write ? WRITES : 0);
    gboolean near = place - device->reached + NEAR_BYTES <= 2 * NEAR_BYTES;
    device->reached = place + subop->request->bytes;
    return near;
}

/* The mean access time of @subop to its data, or to the map before that. */
static gint64 access_ns(AftDevice *device, const AftSubop *subop, gboolean data)
{
    const AftDeviceProfile *profile = device->profile;
    gint64 ns = subop->write ? profile->write_ns : profile->read_ns;
    if (G_LIKELY(profile->sequential == 1.0)) {
        return ns;
    }
    if (!data || subop->request->place == 0) {
        device->reached = 0;
        return ns;
    }
    return follows(device, subop) ? (gint64)((double)ns * profile->sequential) : ns;
}

static void visit_device(AftJob *job, gint64 now_ns G_GNUC_UNUSED)
{
    AftSubop *subop = (AftSubop *)job;
    AftDevice *device = device_of(subop);
    double bytes = AFT_METADATA_BYTES;
    gboolean data = subop->metadata == 0;
    if (!data) { /* the map comes before the data */
        subop->metadata--;
        job->done = visit_device;
    } else {
        bytes = device_bytes(subop);
        job->done = leave_device;
    }
    job->mean_ns = access_ns(device, subop, data);
    job->serial_ns = transfer_ns(device, subop, bytes);
    job->charge_ns = aft_topology_charge_ns(subop->request->executor->topology, (guint64)bytes);
    aft_station_arrive(device->station, job);
}

/* Bytes that a write takes in its buffer: none, when it meets what is dirty already. */
static double bytes_taken(const AftSubop *subop)
{
    AftRequest *request = subop->request;
    double chance =
        is_clients(request) ? aft_buffer_overwrite_chance(subop->buffer, request->heat) : 0.0;
    return chance > 0.0 && aft_stream_uniform(&request->executor->chance) < chance
               ? 0.0
               : device_bytes(subop);
}

static void tell_filled(const AftExecutor *executor, AftBuffer *buffer)
{
    if (executor->filled != NULL) {
        executor->filled(executor->context, buffer);
    }
}

static void take_room(AftSubop *subop, double bytes, gint64 now_ns)
{
    AftBuffer *buffer = subop->buffer;
    AftExecutor *executor = subop->request->executor;
    executor->buffered_bytes += is_clients(subop->request) ? bytes : 0.0;
    aft_buffer_admit(buffer, subop->request->pool, subop->behind, bytes);
    visit_device(&subop->job, now_ns);
    tell_filled(executor, buffer);
}

static void enter_device(AftJob *job, gint64 now_ns)
{
    AftSubop *subop = (AftSubop *)job;
    if (!is_up(subop)) {
        aft_subop_failed(subop, now_ns);
        return;
    }
    if (subop->buffer == NULL) {
        visit_device(job, now_ns);
        return;
    }
    double bytes = bytes_taken(subop);
    if (bytes == 0.0 || aft_buffer_has_room(subop->buffer, bytes)) {
        take_room(subop, bytes, now_ns);
    } else {
        aft_buffer_wait(subop->buffer, job);
        tell_filled(subop->request->executor, subop->buffer);
    }
}

void aft_executor_admit(AftExecutor *executor, AftBuffer *buffer)
{
    gint64 now_ns = aft_engine_now(executor->topology->engine);
    while (buffer->waiting != NULL) {
        AftSubop *subop = (AftSubop *)buffer->waiting;
        if (!is_up(subop)) {
            aft_buffer_pop_waiting(buffer);
            aft_subop_failed(subop, now_ns);
            continue;
        }
        double bytes = device_bytes(subop);
        if (buffer->dirty_bytes + bytes > buffer->size_bytes) {
            return;
        }
        aft_buffer_pop_waiting(buffer);
        take_room(subop, bytes, now_ns);
    }
}

static void message_arrives(void *context, gint64 now_ns)
{
    AftSubop *subop = context;
    subop->arrived(subop, now_ns);
}

typedef struct {
    guint32 bytes; /* of the next segment */
    gboolean up;   /* both ends are */
} Wire;

static Wire wire_of(const AftSubop *subop)
{
    const AftNode *nodes = subop->request->executor->topology->nodes;
    return (Wire){
        .bytes = MIN(subop->wire_bytes, SEGMENT_BYTES),
        .up = nodes[subop->from].wired && nodes[subop->to].wired &&
              nodes[subop->request->coordinator].alive,
    };
}

/* The next segment leaves. The receiving port takes it as it comes off the wire, so it is on both
 * ports at once, and there is no other of the same message until both are done with it: a port to
 * which many send has a segment of each in its queue, never all of their messages. */
static void leave_port(void *context, gint64 now_ns)
{
    AftSubop *subop = context;
    AftTopology *topology = subop->request->executor->topology;
    Wire wire = wire_of(subop);
    if (!wire.up) {
        aft_subop_failed(subop, now_ns);
        return;
    }
    subop->wire_bytes -= wire.bytes;
    gint64 sent_ns = now_ns + aft_topology_wire_ns(topology, subop->from, wire.bytes);
    gint64 receiving_ns = aft_topology_wire_ns(topology, subop->to, wire.bytes);
    gint64 got_ns = aft_port_send(&topology->nodes[subop->to].receiving, now_ns, receiving_ns);
    if (subop->wire_bytes > 0) {
        aft_engine_schedule(topology->engine, MAX(got_ns, sent_ns), send_message, subop);
    } else if (subop->arrived == NULL) {
        go_home(subop, MAX(got_ns, sent_ns));
    } else if (got_ns > now_ns) {
        aft_engine_schedule(topology->engine, MAX(got_ns, sent_ns), message_arrives, subop);
    } else {
        subop->arrived(subop, now_ns);
    }
}

/* Sends the next segment, as soon as the port has sent what came before. */
static void send_message(void *context, gint64 now_ns)
{
    AftSubop *subop = context;
    AftTopology *topology = subop->request->executor->topology;
    Wire wire = wire_of(subop);
    if (!wire.up) {
        aft_subop_failed(subop, now_ns);
        return;
    }
    gint64 sending_ns = aft_topology_wire_ns(topology, subop->from, wire.bytes);
    gint64 leaves_ns =
        aft_port_send(&topology->nodes[subop->from].sending, now_ns, sending_ns) - sending_ns;
    if (leaves_ns > now_ns) {
        aft_engine_schedule(topology->engine, leaves_ns, leave_port, subop);
    } else {
        leave_port(subop, now_ns);
    }
}

void aft_subop_send(AftSubop *subop, gint64 now_ns)
{
    send_message(subop, now_ns);
}

/* Map I/Os of one sub-operation: a whole number, and one more by chance for the rest. */
static guint draw_metadata(AftExecutor *executor, double mean)
{
    guint whole = (guint)mean;
    double rest = mean - whole;
    return whole + (rest > 0.0 && aft_stream_uniform(&executor->chance) < rest ? 1 : 0);
}

/* Whether the cache device has what a client wants to read. What it has not, it will have. */
static gboolean hits(AftRequest *request, AftBuffer *buffer)
{
    double chance = aft_buffer_hit_chance(buffer, request->heat);
    if (chance > 0.0 && aft_stream_uniform(&request->executor->chance) < chance) {
        return TRUE;
    }
    if (buffer->read_bytes > 0.0) {
        aft_buffer_warm(buffer, request->bytes * request->charge->cache_ratio);
    }
    return FALSE;
}

/* Where the sub-operation goes to: a device, or the cache device in front of it. */
static void choose_route(AftSubop *subop, const AftDevice *device)
{
    AftRequest *request = subop->request;
    AftBuffer *buffer = device->buffer;
    if (request->route == AFT_ROUTE_LOG) {
        subop->buffer = subop == &request->subop[0] ? buffer : NULL;
        subop->behind = request->behind;
    } else if (buffer == NULL || request->route == AFT_ROUTE_DIRECT) {
        subop->buffer = NULL;
    } else if (subop->write) {
        subop->buffer = buffer;
        subop->behind = device->behind;
        subop->device = buffer->device;
    } else {
        subop->buffer = NULL;
        subop->device =
            is_clients(request) && hits(request, buffer) ? buffer->device : subop->device;
    }
}

void aft_subop_begin(AftRequest *request, AftSubop *subop, guint step)
{
    AftTopology *topology = request->executor->topology;
    const AftCharge *charge = request->charge;
    gint64 now_ns = aft_engine_now(topology->engine);
    subop->request = request;
    subop->write = request->plan->step[step].write != 0;
    subop->device = request->device[step];
    subop->job.class = request->class;
    subop->metadata = draw_metadata(request->executor, subop->write ? charge->metadata_writes
                                                                    : charge->metadata_reads);
    choose_route(subop, &topology->devices[subop->device]);
    if (subop->write && device_of(subop)->node != request->coordinator) {
        subop->from = request->coordinator;
        subop->to = device_of(subop)->node;
        subop->wire_bytes = request->bytes;
        subop->arrived = visit_controller;
        send_message(subop, now_ns);
    } else {
        visit_controller(subop, now_ns);
    }
}
