/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the cluster of a scenario is put together. */
#include "topology.h"

#include <aftershock/scenario/schedulers.h>
#include <math.h>

/* The spreads of the stations of nodes that are alike. */
typedef struct {
    const AftNodeSpec *spec;
    const AftVariate *controller;         /* (nullable) */
    const AftVariate **cache, **capacity; /* a disk group of the spec; NULL: no such devices */
} Kit;

typedef struct {
    AftTopology *topology;
    guint32 replication;
    Kit *kit; /* of the node at hand */
} Assembly;

static const AftVariate *variate_of(AftTopology *topology, const AftSpread *spread)
{
    AftVariate *variate = aft_variate_new(spread, NULL); /* the scenario was validated */
    g_assert(variate != NULL);
    g_ptr_array_add(topology->variates, variate);
    return variate;
}

static const AftVariate *disk_variate(AftTopology *topology, const AftDiskSpec *disk)
{
    return disk->count > 0 ? variate_of(topology, &disk->profile->spread) : NULL;
}

static Kit *kit_new(AftTopology *topology, const AftNodeSpec *spec)
{
    Kit *kit = g_new(Kit, 1);
    *kit = (Kit){
        .spec = spec,
        .cache = g_new(const AftVariate *, spec->n_disk_groups),
        .capacity = g_new(const AftVariate *, spec->n_disk_groups),
    };
    if (spec->controller.slots > 0) {
        kit->controller = variate_of(topology, &spec->controller.spread);
    }
    for (guint g = 0; g < spec->n_disk_groups; g++) {
        kit->cache[g] = disk_variate(topology, &spec->disk_groups[g].cache);
        kit->capacity[g] = disk_variate(topology, &spec->disk_groups[g].capacity);
    }
    return kit;
}

static void kit_free(gpointer data)
{
    Kit *kit = data;
    g_free(kit->cache);
    g_free(kit->capacity);
    g_free(kit);
}

/* Nobody can have more than all of a station, unless it is told otherwise what there is of it. */
static void take_limits(const AftSchedulerSpec *scheduler, double *ret_limits)
{
    for (guint i = 0; i < AFT_CLASSES; i++) {
        gboolean none = scheduler->limits[i] >= 1.0 && !aft_scheduler_has_cost(scheduler);
        ret_limits[i] = none ? (double)INFINITY : scheduler->limits[i];
    }
}

static AftStation *station_new(const Assembly *assembly, guint servers, const AftVariate *variate,
                               gboolean controller, guint32 index)
{
    const AftTopology *topology = assembly->topology;
    const AftSchedulerSpec *scheduler = &topology->scenario->background.scheduler;
    gboolean scheduled = controller || scheduler->devices;
    const char *purpose = controller ? "controller.service" : "device.service";
    const AftScheduler *policy = aft_scheduler_find(scheduled ? scheduler->policy : "fifo");
    double limits[AFT_CLASSES];
    AftStationSetup setup = {
        .engine = topology->engine,
        .servers = servers,
        .scheduler = policy,
        .weights = scheduler->weights,
        .reservations = scheduler->reservations,
        .limits = limits,
        .spin = controller && policy->held != NULL ? scheduler->spin : 0.0,
        .variate = variate,
    };
    take_limits(scheduler, limits);
    G_STATIC_ASSERT((int)AFT_CLASSES == AFT_STATION_CLASSES);
    G_STATIC_ASSERT((int)AFT_CLASS_P1 == AFT_STATION_BACKGROUND);
    aft_stream_init(&setup.stream, topology->scenario->run.seed, assembly->replication, purpose,
                    index);
    return aft_station_new(&setup);
}

static void add_device(const Assembly *assembly, guint node, guint group, const AftDiskSpec *disk,
                       const AftVariate *variate, gboolean cache)
{
    AftTopology *topology = assembly->topology;
    AftDevice *device = &topology->devices[topology->n_devices];
    *device = (AftDevice){
        .station =
            station_new(assembly, disk->profile->parallel, variate, FALSE, topology->n_devices),
        .profile = disk->profile,
        .node = node,
        .group = group,
        .cache = cache,
        .size_bytes = disk->size_bytes,
        .up = TRUE,
        .known = TRUE,
        .in = TRUE,
    };
    topology->device_in[topology->n_devices++] = !cache;
}

/* The buffer of cache device @i of @group, which is the last device so far. Capacity devices stand
 * behind cache devices in turn. */
static void add_buffer(const Assembly *assembly, guint node, const AftDiskGroupSpec *group, guint i)
{
    AftTopology *topology = assembly->topology;
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

static void add_capacity(const Assembly *assembly, guint node, guint number,
                         const AftDiskGroupSpec *group, const AftVariate *variate)
{
    AftTopology *topology = assembly->topology;
    guint n = group->cache.count;
    guint32 first_cache = topology->n_devices - n;
    for (guint i = 0; i < group->capacity.count; i++) {
        add_device(assembly, node, number, &group->capacity, variate, FALSE);
        if (n > 0) {
            AftDevice *device = &topology->devices[topology->n_devices - 1];
            device->buffer = topology->devices[first_cache + i % n].buffer;
            device->behind = i / n;
        }
    }
    topology->nodes[node].capacity_bytes +=
        (double)group->capacity.count * (double)group->capacity.size_bytes;
}

/* Disk group @number of @node, which is one like group @g of its spec. */
static void add_group(const Assembly *assembly, guint node, guint number, guint g)
{
    const AftDiskGroupSpec *group = &assembly->kit->spec->disk_groups[g];
    for (guint i = 0; i < group->cache.count; i++) {
        add_device(assembly, node, number, &group->cache, assembly->kit->cache[g], TRUE);
        add_buffer(assembly, node, group, i);
    }
    add_capacity(assembly, node, number, group, assembly->kit->capacity[g]);
}

static void add_groups(const Assembly *assembly, guint node)
{
    const AftNodeSpec *spec = assembly->kit->spec;
    guint number = 0;
    for (guint g = 0; g < spec->n_disk_groups; g++) {
        for (guint i = 0; i < spec->disk_groups[g].count; i++) {
            add_group(assembly, node, number++, g);
        }
    }
}

static void add_node(const Assembly *assembly, guint node, const AftSite *site)
{
    AftTopology *topology = assembly->topology;
    AftNode *it = &topology->nodes[node];
    *it = (AftNode){
        .spec = site->spec,
        .rack = site->rack,
        .alive = TRUE,
        .known = TRUE,
        .hosting = site->spec->compute != 0,
        .wired = TRUE,
        .wire_factor = 1.0,
        .first_device = topology->n_devices,
        .first_buffer = topology->n_buffers,
    };
    if (assembly->kit->controller != NULL) {
        it->controller = station_new(assembly, site->spec->controller.slots,
                                     assembly->kit->controller, TRUE, node);
    }
    add_groups(assembly, node);
    it->n_devices = topology->n_devices - it->first_device;
    it->n_buffers = topology->n_buffers - it->first_buffer;
    topology->in[node] = it->capacity_bytes > 0.0;
}

/* It is built, but it is down, and no data is to live there. */
static void keep_for_later(AftTopology *topology, guint node)
{
    topology->nodes[node].absent = TRUE;
    aft_topology_hold_node(topology, node, AFT_HOLD_DOWN);
    aft_topology_hold_node(topology, node, AFT_HOLD_OUT);
    aft_topology_hold_node(topology, node, AFT_HOLD_HOST);
}

static void add_nodes(AftTopology *topology, guint32 replication)
{
    const AftSite *sites = topology->scenario->cluster.sites;
    g_autoptr(GHashTable) kits = g_hash_table_new_full(NULL, NULL, NULL, kit_free);
    Assembly assembly = {.topology = topology, .replication = replication};
    for (guint node = 0; node < topology->n_nodes; node++) {
        gpointer spec = (gpointer)(gsize)sites[node].spec;
        assembly.kit = g_hash_table_lookup(kits, spec);
        if (assembly.kit == NULL) {
            assembly.kit = kit_new(topology, sites[node].spec);
            g_hash_table_insert(kits, spec, assembly.kit);
        }
        add_node(&assembly, node, &sites[node]);
        if (sites[node].later) {
            keep_for_later(topology, node);
        }
    }
}

static void make_room(AftTopology *topology)
{
    const AftSite *sites = topology->scenario->cluster.sites;
    guint devices = 0, buffers = 0;
    for (guint node = 0; node < topology->n_nodes; node++) {
        for (guint g = 0; g < sites[node].spec->n_disk_groups; g++) {
            const AftDiskGroupSpec *group = &sites[node].spec->disk_groups[g];
            devices += group->count * (group->cache.count + group->capacity.count);
            buffers += group->count * group->cache.count;
        }
    }
    topology->devices = g_new0(AftDevice, devices);
    topology->device_in = g_new0(guint8, devices);
    topology->buffers = g_new0(AftBuffer, buffers);
}

static void weigh_nodes(AftTopology *topology)
{
    gboolean alike = TRUE;
    for (guint node = 1; node < topology->n_nodes; node++) {
        alike &= topology->nodes[node].capacity_bytes == topology->nodes[0].capacity_bytes;
    }
    for (guint node = 0; node < topology->n_nodes && !alike; node++) {
        if (node == 0) {
            topology->weight = g_new(double, topology->n_nodes);
        }
        topology->weight[node] = topology->nodes[node].capacity_bytes;
    }
}

void aft_topology_init(AftTopology *topology, const AftScenario *scenario, AftEngine *engine,
                       guint32 replication)
{
    guint n = scenario->cluster.n_sites;
    *topology = (AftTopology){
        .engine = engine,
        .scenario = scenario,
        .counts = aft_scheduler_has_cost(&scenario->background.scheduler),
        .n_nodes = n,
        .nodes = g_new0(AftNode, n),
        .in = g_new0(guint8, n),
        .variates = g_ptr_array_new_with_free_func((GDestroyNotify)aft_variate_free),
    };
    make_room(topology);
    add_nodes(topology, replication);
    weigh_nodes(topology);
}
