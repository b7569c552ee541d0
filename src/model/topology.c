/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology.h"

#include <math.h>

static const AftVariate *variate_of(AftTopology *topology, const AftSpread *spread)
{
    AftVariate *variate = aft_variate_new(spread, NULL); /* the scenario was validated */
    g_assert(variate != NULL);
    g_ptr_array_add(topology->variates, variate);
    return variate;
}

static AftStation *station_new(const AftTopology *topology, guint servers,
                               const AftVariate *variate, const char *purpose, guint32 index,
                               guint32 replication)
{
    const AftSchedulerSpec *scheduler = &topology->scenario->background.scheduler;
    AftStationSetup setup = {
        .engine = topology->engine,
        .servers = servers,
        .scheduler = aft_scheduler_find(scheduler->policy),
        .weights = scheduler->weights,
        .reservations = scheduler->reservations,
        .limits = scheduler->limits,
        .variate = variate,
    };
    G_STATIC_ASSERT((int)AFT_CLASSES == AFT_STATION_CLASSES);
    G_STATIC_ASSERT((int)AFT_CLASS_P1 == AFT_STATION_BACKGROUND);
    aft_stream_init(&setup.stream, topology->scenario->run.seed, replication, purpose, index);
    return aft_station_new(&setup);
}

static void add_device(AftTopology *topology, guint node, const AftDiskSpec *disk,
                       const AftVariate *variate, gboolean cache, guint32 replication)
{
    AftDevice *device = &topology->devices[topology->n_devices];
    *device = (AftDevice){
        .station = station_new(topology, disk->profile->parallel, variate, "device.service",
                               topology->n_devices, replication),
        .profile = disk->profile,
        .node = node,
        .cache = cache,
        .size_bytes = disk->size_bytes,
    };
    topology->n_devices++;
}

static const AftVariate *disk_variate(AftTopology *topology, const AftDiskSpec *disk)
{
    return disk->count > 0 ? variate_of(topology, &disk->profile->spread) : NULL;
}

/* The buffer of cache device @i of @group, which is the last device so far. Capacity devices stand
 * behind cache devices in turn. */
static void add_buffer(AftTopology *topology, guint node, const AftDiskGroupSpec *group, guint i)
{
    guint n = group->cache.count;
    guint32 device = topology->n_devices - 1;
    AftBuffer *buffer = &topology->buffers[topology->n_buffers++];
    *buffer = (AftBuffer){
        .device = device,
        .node = node,
        .first_behind = device + n,
        .stride = n,
        .n_behind = group->capacity.count / n + (i < group->capacity.count % n),
    };
    aft_buffer_init(buffer, &topology->scenario->tiers, &group->cache, topology->scenario->n_pools);
    topology->devices[device].buffer = buffer;
}

static void add_group(AftTopology *topology, guint node, const AftDiskGroupSpec *group,
                      const AftVariate *cache, const AftVariate *capacity, guint32 replication)
{
    guint n = group->cache.count;
    guint32 first_cache = topology->n_devices;
    for (guint i = 0; i < n; i++) {
        add_device(topology, node, &group->cache, cache, TRUE, replication);
        add_buffer(topology, node, group, i);
    }
    for (guint i = 0; i < group->capacity.count; i++) {
        add_device(topology, node, &group->capacity, capacity, FALSE, replication);
        if (n > 0) {
            AftDevice *device = &topology->devices[topology->n_devices - 1];
            device->buffer = topology->devices[first_cache + i % n].buffer;
            device->behind = i / n;
        }
    }
}

typedef struct {
    guint devices, buffers;
} Counts;

static Counts per_node(const AftNodeSpec *spec)
{
    Counts counts = {0};
    for (guint g = 0; g < spec->n_disk_groups; g++) {
        const AftDiskGroupSpec *group = &spec->disk_groups[g];
        counts.devices += group->count * (group->cache.count + group->capacity.count);
        counts.buffers += group->count * group->cache.count;
    }
    return counts;
}

static void add_devices(AftTopology *topology, const AftNodeSpec *spec, guint32 replication)
{
    Counts counts = per_node(spec);
    topology->devices = g_new0(AftDevice, topology->n_nodes * counts.devices);
    topology->buffers = g_new0(AftBuffer, topology->n_nodes * counts.buffers);
    const AftVariate **cache = g_newa(const AftVariate *, spec->n_disk_groups);
    const AftVariate **capacity = g_newa(const AftVariate *, spec->n_disk_groups);
    for (guint g = 0; g < spec->n_disk_groups; g++) {
        cache[g] = disk_variate(topology, &spec->disk_groups[g].cache);
        capacity[g] = disk_variate(topology, &spec->disk_groups[g].capacity);
    }
    for (guint node = 0; node < topology->n_nodes; node++) {
        topology->nodes[node].first_device = topology->n_devices;
        topology->nodes[node].first_buffer = topology->n_buffers;
        for (guint g = 0; g < spec->n_disk_groups; g++) {
            for (guint i = 0; i < spec->disk_groups[g].count; i++) {
                add_group(topology, node, &spec->disk_groups[g], cache[g], capacity[g],
                          replication);
            }
        }
        topology->nodes[node].n_devices = topology->n_devices - topology->nodes[node].first_device;
        topology->nodes[node].n_buffers = topology->n_buffers - topology->nodes[node].first_buffer;
    }
}

static void add_controllers(AftTopology *topology, const AftControllerSpec *spec,
                            guint32 replication)
{
    if (spec->slots == 0) {
        return;
    }
    const AftVariate *variate = variate_of(topology, &spec->spread);
    for (guint node = 0; node < topology->n_nodes; node++) {
        topology->nodes[node].controller =
            station_new(topology, spec->slots, variate, "controller.service", node, replication);
    }
}

void aft_topology_init(AftTopology *topology, const AftScenario *scenario, AftEngine *engine,
                       guint32 replication)
{
    *topology = (AftTopology){
        .engine = engine,
        .scenario = scenario,
        .n_nodes = scenario->cluster.nodes,
        .nodes = g_new0(AftNode, scenario->cluster.nodes),
        .in = g_new0(guint8, scenario->cluster.nodes),
        .variates = g_ptr_array_new_with_free_func((GDestroyNotify)aft_variate_free),
    };
    for (guint node = 0; node < topology->n_nodes; node++) {
        topology->nodes[node].alive = TRUE;
        topology->nodes[node].known = TRUE;
        topology->in[node] = 1;
    }
    add_controllers(topology, &scenario->cluster.node.controller, replication);
    add_devices(topology, &scenario->cluster.node, replication);
}

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
}

void aft_topology_store(AftTopology *topology, guint32 device, double bytes, double working_bytes)
{
    AftDevice *it = &topology->devices[device];
    it->used_bytes += bytes;
    if (it->buffer != NULL) {
        it->buffer->working_bytes += working_bytes;
    }
}

void aft_topology_stop(AftTopology *topology, guint node)
{
    AftNode *it = &topology->nodes[node];
    gint64 now_ns = aft_engine_now(topology->engine);
    g_assert(it->alive);
    it->alive = FALSE;
    it->known = FALSE;
    it->alive_ns += now_ns - it->alive_since_ns;
    aft_port_drop(&it->sending, now_ns);
    aft_port_drop(&it->receiving, now_ns);
    for (guint i = 0; i < it->n_buffers; i++) {
        topology->buffers[it->first_buffer + i].warm_bytes = 0.0;
    }
}

void aft_topology_drop(AftTopology *topology, guint node,
                       void (*dropped)(AftJob *job, void *context), void *context)
{
    const AftNode *it = &topology->nodes[node];
    g_assert(!it->alive);
    if (it->controller != NULL) {
        aft_station_drop_all(it->controller, dropped, context);
    }
    for (guint i = 0; i < it->n_buffers; i++) {
        AftBuffer *buffer = &topology->buffers[it->first_buffer + i];
        while (buffer->waiting != NULL) {
            dropped(aft_buffer_pop_waiting(buffer), context);
        }
    }
    for (guint i = 0; i < it->n_devices; i++) {
        aft_station_drop_all(topology->devices[it->first_device + i].station, dropped, context);
    }
}

void aft_topology_start(AftTopology *topology, guint node)
{
    AftNode *it = &topology->nodes[node];
    g_assert(!it->alive);
    it->alive = TRUE;
    it->known = TRUE;
    it->alive_since_ns = aft_engine_now(topology->engine);
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

gint64 aft_topology_controller_ns(const AftTopology *topology, guint node G_GNUC_UNUSED,
                                  guint64 bytes)
{
    const AftControllerSpec *spec = &topology->scenario->cluster.node.controller;
    return spec->io_ns + (gint64)((double)spec->per_mib_ns * (double)bytes / 1048576.0);
}

gint64 aft_topology_wire_ns(const AftTopology *topology, guint node G_GNUC_UNUSED, guint64 bytes)
{
    double bytes_per_s = topology->scenario->cluster.node.nic_bytes_per_s;
    return bytes_per_s > 0.0 ? (gint64)ceil((double)bytes * 1e9 / bytes_per_s) : 0;
}

static gint64 alive_ns(const AftTopology *topology, const AftNode *node)
{
    gint64 now_ns = aft_engine_now(topology->engine);
    return node->alive_ns + (node->alive ? now_ns - node->alive_since_ns : 0);
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
    gint64 alive = alive_ns(topology, node);
    if (kind == AFT_USE_CONTROLLER && node->controller != NULL) {
        add_station(node->controller, alive, use);
    } else if (kind == AFT_USE_NIC && topology->scenario->cluster.node.nic_bytes_per_s > 0.0) {
        use->busy_ns += (double)MAX(aft_port_busy(&node->sending, now_ns),
                                    aft_port_busy(&node->receiving, now_ns));
        use->capable_ns += (double)alive;
    } else if (kind == AFT_USE_CACHE || kind == AFT_USE_CAPACITY) {
        for (guint i = 0; i < node->n_devices; i++) {
            const AftDevice *device = &topology->devices[node->first_device + i];
            if (device->cache == (kind == AFT_USE_CACHE)) {
                add_station(device->station, alive, use);
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
