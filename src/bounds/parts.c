/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts.h"

double aft_parts_controller_s(const AftNodeSpec *node, double bytes)
{
    const AftControllerSpec *spec = &node->controller;
    double ns = (double)spec->io_ns + (double)spec->per_mib_ns * bytes / 1048576.0;
    return spec->slots > 0 ? ns / 1e9 : 0.0;
}

double aft_parts_wire_s(const AftNodeSpec *node, double bytes)
{
    return node->nic_bytes_per_s > 0.0 ? bytes / node->nic_bytes_per_s : 0.0;
}

static double transfer_s(const AftDiskSpec *disk, gboolean write, double bytes)
{
    double bytes_per_s = write ? disk->profile->write_bytes_per_s : disk->profile->read_bytes_per_s;
    return bytes_per_s > 0.0 ? bytes / bytes_per_s : 0.0;
}

static double access_s(const AftDiskSpec *disk, gboolean write)
{
    return (double)(write ? disk->profile->write_ns : disk->profile->read_ns) / 1e9;
}

static const AftDiskSpec *serving(const AftDiskGroupSpec *group, gboolean write)
{
    return write && group->cache.count > 0 ? &group->cache : &group->capacity;
}

double aft_parts_capacity_bytes(const AftNodeSpec *node)
{
    double bytes = 0.0;
    for (guint g = 0; g < node->n_disk_groups; g++) {
        const AftDiskGroupSpec *group = &node->disk_groups[g];
        bytes += (double)group->count * group->capacity.count * (double)group->capacity.size_bytes;
    }
    return bytes;
}

/* The share of a node's members that one capacity device of @group has. */
static double member_share(const AftNodeSpec *node, const AftDiskGroupSpec *group)
{
    return (double)group->capacity.size_bytes / aft_parts_capacity_bytes(node);
}

/* The same of all such groups together. */
static double group_share(const AftNodeSpec *node, const AftDiskGroupSpec *group)
{
    return (double)group->count * group->capacity.count * member_share(node, group);
}

double aft_parts_device_s(const AftNodeSpec *node, gboolean write, double bytes)
{
    double mean_s = 0.0;
    for (guint g = 0; g < node->n_disk_groups; g++) {
        const AftDiskGroupSpec *group = &node->disk_groups[g];
        const AftDiskSpec *disk = serving(group, write);
        if (group->count * group->capacity.count > 0) {
            mean_s +=
                group_share(node, group) * (transfer_s(disk, write, bytes) + access_s(disk, write));
        }
    }
    return mean_s;
}

double aft_parts_path_s(const AftNodeSpec *node, gboolean write, double bytes, double remote)
{
    gint64 latency_ns =
        write ? node->controller.write_latency_ns : node->controller.read_latency_ns;
    return remote * aft_parts_wire_s(node, bytes) + aft_parts_controller_s(node, bytes) +
           aft_parts_device_s(node, write, bytes) + (double)latency_ns / 1e9;
}

/* What keeps one device busy. */
typedef struct {
    double access_s, transfer_s;
} Load;

static Load load_of(const AftDiskSpec *disk, gboolean write, double bytes, double visits)
{
    double serial_s = transfer_s(disk, write, bytes);
    double server_s = (serial_s + access_s(disk, write)) / disk->profile->parallel;
    return (Load){visits * server_s, visits * serial_s};
}

static Load both(Load a, Load b)
{
    return (Load){a.access_s + b.access_s, a.transfer_s + b.transfer_s};
}

/* Over the devices of a node: sums, and the most of one. */
typedef struct {
    Load sum, most;
} Tally;

/* Counts @n devices with a load of @mean each, of which one has @most. */
static void count(Tally *tally, guint n, Load mean, Load most)
{
    tally->sum = both(tally->sum, (Load){n * mean.access_s, n * mean.transfer_s});
    tally->most.access_s = MAX(tally->most.access_s, most.access_s);
    tally->most.transfer_s = MAX(tally->most.transfer_s, most.transfer_s);
}

typedef struct {
    Tally cache, capacity;
} Devices;

/* Reads and writes of one kind of group, in which cache devices take turns before capacity. */
static void count_group(Devices *devices, const AftNodeSpec *node, const AftDiskGroupSpec *group,
                        double reads, double writes, double bytes)
{
    guint capacity = group->capacity.count, cache = group->cache.count;
    double share = member_share(node, group);
    Load read = load_of(&group->capacity, FALSE, bytes, reads * share);
    if (cache == 0) {
        Load all = both(read, load_of(&group->capacity, TRUE, bytes, writes * share));
        count(&devices->capacity, group->count * capacity, all, all);
        return;
    }
    guint most_behind = (capacity + cache - 1) / cache;
    count(&devices->capacity, group->count * capacity, read, read);
    count(&devices->cache, group->count * cache,
          load_of(&group->cache, TRUE, bytes, writes * share * capacity / cache),
          load_of(&group->cache, TRUE, bytes, writes * share * most_behind));
}

static void fill(const Tally *tally, guint devices, AftDemand *access, AftDemand *transfer)
{
    double n = MAX(devices, 1);
    *access = (AftDemand){tally->sum.access_s / n, tally->most.access_s};
    *transfer = (AftDemand){tally->sum.transfer_s / n, tally->most.transfer_s};
}

void aft_parts_demand(const AftNodeSpec *node, double reads, double writes, double bytes,
                      AftDemand *demand)
{
    Devices devices = {0};
    for (guint g = 0; g < node->n_disk_groups; g++) {
        const AftDiskGroupSpec *group = &node->disk_groups[g];
        if (group->count * group->capacity.count > 0) {
            count_group(&devices, node, group, reads, writes, bytes);
        }
    }
    fill(&devices.cache, aft_parts_cache_devices(node), &demand[AFT_SCARCE_CACHE_ACCESS],
         &demand[AFT_SCARCE_CACHE_TRANSFER]);
    fill(&devices.capacity, aft_parts_capacity_devices(node), &demand[AFT_SCARCE_CAPACITY_ACCESS],
         &demand[AFT_SCARCE_CAPACITY_TRANSFER]);
}

double aft_parts_cached_share(const AftNodeSpec *node)
{
    double share = 0.0;
    for (guint g = 0; g < node->n_disk_groups; g++) {
        const AftDiskGroupSpec *group = &node->disk_groups[g];
        share += group->cache.count > 0 ? group_share(node, group) : 0.0;
    }
    return share;
}

guint aft_parts_cache_devices(const AftNodeSpec *node)
{
    guint devices = 0;
    for (guint g = 0; g < node->n_disk_groups; g++) {
        devices += node->disk_groups[g].count * node->disk_groups[g].cache.count;
    }
    return devices;
}

guint aft_parts_capacity_devices(const AftNodeSpec *node)
{
    guint devices = 0;
    for (guint g = 0; g < node->n_disk_groups; g++) {
        devices += node->disk_groups[g].count * node->disk_groups[g].capacity.count;
    }
    return devices;
}
