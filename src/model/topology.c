/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology.h"

#include <math.h>

void aft_topology_clear(AftTopology *topology)
{
    for (guint i = 0; i < topology->n_devices; i++) {
        aft_station_free(topology->devices[i].station);
    }
    for (guint i = 0; i < topology->n_nodes; i++) {
        aft_station_free(topology->nodes[i].controller);
    }
    for (guint i = 0; i < topology->n_buffers; i++) {
        aft_buffer_clear(&topology->buffers[i]);
    }
    g_clear_pointer(&topology->variates, g_ptr_array_unref);
    g_free(topology->buffers);
    g_free(topology->devices);
    g_free(topology->nodes);
    g_free(topology->in);
    g_free(topology->device_in);
    g_free(topology->weight);
}

void aft_topology_store(AftTopology *topology, guint32 device, double bytes, double working_bytes)
{
    AftDevice *it = &topology->devices[device];
    gboolean full = aft_device_is_full(topology, it);
    it->used_bytes += bytes;
    topology->n_full += aft_device_is_full(topology, it) ? 1 : 0;
    topology->n_full -= full ? 1 : 0;
    if (it->buffer != NULL) {
        it->buffer->working_bytes += working_bytes;
    }
}

static gint64 up_ns(const AftUptime *uptime, gboolean up, gint64 now_ns)
{
    return uptime->before_ns + (up ? now_ns - uptime->since_ns : 0);
}

/* @up is another than before. */
static void note_up(AftUptime *uptime, gboolean up, gint64 now_ns)
{
    if (up) {
        uptime->since_ns = now_ns;
    } else {
        uptime->before_ns += now_ns - uptime->since_ns;
    }
}

/* Brings what follows for the device up to date. */
static void look_at_device(AftTopology *topology, AftDevice *device)
{
    const AftNode *node = &topology->nodes[device->node];
    gboolean up = node->alive && device->held[AFT_HOLD_DOWN] == 0;
    device->known = node->known && device->held[AFT_HOLD_UNNOTICED] == 0;
    device->in = node->held[AFT_HOLD_OUT] == 0 && device->held[AFT_HOLD_OUT] == 0;
    topology->device_in[device - topology->devices] = device->in && !device->cache;
    if (up != device->up) {
        device->up = up;
        note_up(&device->uptime, up, aft_engine_now(topology->engine));
        if (!up && device->cache) {
            device->buffer->warm_bytes = 0.0;
        }
    }
}

/* Whether data may live on one of its devices. */
static gboolean takes_data(const AftTopology *topology, const AftNode *node)
{
    for (guint i = 0; i < node->n_devices; i++) {
        if (topology->device_in[node->first_device + i]) {
            return TRUE;
        }
    }
    return FALSE;
}

static void look_at_node(AftTopology *topology, guint node)
{
    AftNode *it = &topology->nodes[node];
    gboolean alive = it->held[AFT_HOLD_DOWN] == 0;
    it->known = it->held[AFT_HOLD_UNNOTICED] == 0;
    it->hosting = it->held[AFT_HOLD_HOST] == 0 && it->spec->compute != 0;
    if (alive != it->alive) {
        it->alive = alive;
        note_up(&it->uptime, alive, aft_engine_now(topology->engine));
    }
    gboolean wired = it->alive || it->hosting;
    if (wired != it->wired) {
        it->wired = wired;
        note_up(&it->wired_time, wired, aft_engine_now(topology->engine));
    }
    for (guint i = 0; i < it->n_devices; i++) {
        look_at_device(topology, &topology->devices[it->first_device + i]);
    }
    topology->in[node] = takes_data(topology, it) ? 1 : 0;
}

static void count(AftTopology *topology, AftHold hold, gboolean absent, guint by)
{
    topology->n_down += hold == AFT_HOLD_DOWN && !absent ? by : 0;
    topology->n_unnoticed += hold == AFT_HOLD_UNNOTICED ? by : 0;
}

void aft_topology_hold_node(AftTopology *topology, guint node, AftHold hold)
{
    AftNode *it = &topology->nodes[node];
    it->held[hold]++;
    count(topology, hold, it->absent, 1);
    look_at_node(topology, node);
}

void aft_topology_release_node(AftTopology *topology, guint node, AftHold hold)
{
    AftNode *it = &topology->nodes[node];
    g_assert(it->held[hold] > 0);
    it->held[hold]--;
    count(topology, hold, it->absent, -1u);
    look_at_node(topology, node);
}

void aft_topology_hold_device(AftTopology *topology, guint32 device, AftHold hold)
{
    AftDevice *it = &topology->devices[device];
    it->held[hold]++;
    count(topology, hold, FALSE, 1);
    topology->n_out += hold == AFT_HOLD_OUT ? 1 : 0;
    look_at_node(topology, it->node);
}

void aft_topology_release_device(AftTopology *topology, guint32 device, AftHold hold)
{
    AftDevice *it = &topology->devices[device];
    g_assert(it->held[hold] > 0);
    it->held[hold]--;
    count(topology, hold, FALSE, -1u);
    topology->n_out -= hold == AFT_HOLD_OUT ? 1 : 0;
    look_at_node(topology, it->node);
}

void aft_topology_arrive(AftTopology *topology, guint node)
{
    g_assert(topology->nodes[node].absent);
    aft_topology_release_node(topology, node, AFT_HOLD_DOWN);
    aft_topology_release_node(topology, node, AFT_HOLD_OUT);
    aft_topology_release_node(topology, node, AFT_HOLD_HOST);
    topology->nodes[node].absent = FALSE;
}

void aft_topology_wipe(AftTopology *topology, guint32 device)
{
    const AftDevice *it = &topology->devices[device];
    gboolean logs = topology->scenario->tiers.parity == AFT_PARITY_DESTAGE;
    g_assert(!it->up);
    for (guint behind = 0; it->buffer != NULL && behind < it->buffer->n_behind; behind++) {
        if (it->cache || (behind == it->behind && !logs)) {
            aft_buffer_forget(it->buffer, behind);
        }
    }
}

static void drop_waiting(AftBuffer *buffer, void (*dropped)(AftJob *job, void *context),
                         void *context)
{
    while (buffer->waiting != NULL) {
        dropped(aft_buffer_pop_waiting(buffer), context);
    }
}

void aft_topology_drop_device(AftTopology *topology, guint32 device,
                              void (*dropped)(AftJob *job, void *context), void *context)
{
    const AftDevice *it = &topology->devices[device];
    g_assert(!it->up);
    if (it->cache) {
        drop_waiting(it->buffer, dropped, context);
    }
    aft_station_drop_all(it->station, dropped, context);
}

/* What the network has of it. */
static void drop_messages(AftTopology *topology, AftNode *node)
{
    gint64 now_ns = aft_engine_now(topology->engine);
    aft_port_drop(&node->sending, now_ns);
    aft_port_drop(&node->receiving, now_ns);
}

void aft_topology_drop_node(AftTopology *topology, guint node,
                            void (*dropped)(AftJob *job, void *context), void *context)
{
    AftNode *it = &topology->nodes[node];
    g_assert(!it->alive);
    if (!it->wired) { /* its card goes with the machine, not with its storage */
        drop_messages(topology, it);
    }
    if (it->controller != NULL) {
        aft_station_drop_all(it->controller, dropped, context);
    }
    for (guint i = 0; i < it->n_buffers; i++) {
        drop_waiting(&topology->buffers[it->first_buffer + i], dropped, context);
    }
    for (guint i = 0; i < it->n_devices; i++) {
        aft_station_drop_all(topology->devices[it->first_device + i].station, dropped, context);
    }
}

guint32 aft_topology_find_device(const AftTopology *topology, guint node, guint group, guint number)
{
    const AftNode *it = &topology->nodes[node];
    for (guint32 device = it->first_device; device < it->first_device + it->n_devices; device++) {
        const AftDevice *at = &topology->devices[device];
        if (at->group == group && !at->cache && number-- == 0) {
            return device;
        }
    }
    return AFT_NOWHERE;
}

void aft_topology_throttle(AftTopology *topology, double share)
{
    for (guint i = 0; i < topology->n_nodes; i++) {
        if (topology->nodes[i].controller != NULL) {
            aft_station_throttle(topology->nodes[i].controller, share);
        }
    }
    for (guint i = 0; i < topology->n_devices; i++) {
        aft_station_throttle(topology->devices[i].station, share);
    }
}

gint64 aft_topology_controller_ns(const AftTopology *topology, guint node, guint64 bytes)
{
    const AftControllerSpec *spec = &topology->nodes[node].spec->controller;
    return spec->io_ns + (gint64)((double)spec->per_mib_ns * (double)bytes / 1048576.0);
}

gint64 aft_topology_said_ns(const AftTopology *topology, guint64 bytes)
{
    const AftSchedulerSpec *spec = &topology->scenario->background.scheduler;
    double bytes_ns = (double)spec->cost_per_mib_ns * (double)bytes / 1048576.0;
    return MAX(spec->cost_io_ns + (gint64)bytes_ns, 1);
}

gint64 aft_topology_wire_ns(const AftTopology *topology, guint node, guint64 bytes)
{
    const AftNode *it = &topology->nodes[node];
    double bytes_per_s = it->spec->nic_bytes_per_s;
    return bytes_per_s > 0.0 ? (gint64)ceil((double)bytes * 1e9 / bytes_per_s * it->wire_factor)
                             : 0;
}

/* A station is as busy as its scarcer resource: its servers, or the serial part. */
static void add_station(const AftStation *station, gint64 alive, AftUse *use)
{
    gint64 busy_ns, serial_ns;
    aft_station_busy(station, &busy_ns, &serial_ns);
    use->busy_ns += MAX((double)busy_ns / aft_station_servers(station), (double)serial_ns);
    use->capable_ns += (double)alive;
}

static void add_node(const AftTopology *topology, const AftNode *node, AftUseKind kind, AftUse *use)
{
    gint64 now_ns = aft_engine_now(topology->engine);
    gint64 alive = up_ns(&node->uptime, node->alive, now_ns);
    if (kind == AFT_USE_CONTROLLER && node->controller != NULL) {
        add_station(node->controller, alive, use);
    } else if (kind == AFT_USE_NIC && node->spec->nic_bytes_per_s > 0.0) {
        use->busy_ns += (double)MAX(aft_port_busy(&node->sending, now_ns),
                                    aft_port_busy(&node->receiving, now_ns));
        use->capable_ns += (double)up_ns(&node->wired_time, node->wired, now_ns);
    } else if (kind == AFT_USE_CACHE || kind == AFT_USE_CAPACITY) {
        for (guint i = 0; i < node->n_devices; i++) {
            const AftDevice *device = &topology->devices[node->first_device + i];
            if (device->cache == (kind == AFT_USE_CACHE)) {
                add_station(device->station, up_ns(&device->uptime, device->up, now_ns), use);
            }
        }
    }
}

AftUse aft_topology_use(const AftTopology *topology, AftUseKind kind)
{
    AftUse use = {0};
    for (guint i = 0; i < topology->n_nodes; i++) {
        add_node(topology, &topology->nodes[i], kind, &use);
    }
    return use;
}

void aft_topology_audit(const AftTopology *topology)
{
    for (guint i = 0; i < topology->n_nodes; i++) {
        if (topology->nodes[i].controller != NULL) {
            aft_station_audit(topology->nodes[i].controller);
        }
    }
    for (guint i = 0; i < topology->n_devices; i++) {
        aft_station_audit(topology->devices[i].station);
    }
    for (guint i = 0; i < topology->n_buffers; i++) {
        aft_buffer_audit(&topology->buffers[i]);
    }
}
