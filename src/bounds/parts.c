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

/* Sums over the devices of a node, and the most of one. */
typedef struct {
    double sum_s, most_s;
} Tally;

/* Counts @n devices with @mean_s each, of which one has @most_s. */
static void count(Tally *tally, guint n, double mean_s, double most_s)
{
    tally->sum_s += n * mean_s;
    tally->most_s = MAX(tally->most_s, most_s);
}

/* Counts visits: @each_device of them at each of @n devices on average, @busiest at one. */
static void visit(Tally *access, Tally *transfer, const AftDiskSpec *disk, gboolean write,
                  double bytes, guint n, double each_device, double busiest)
{
    double serial_s = transfer_s(disk, write, bytes);
    double server_s = (serial_s + access_s(disk, write)) / disk->profile->parallel;
    count(access, n, each_device * server_s, busiest * server_s);
    count(transfer, n, each_device * serial_s, busiest * serial_s);
}

/* Reads and writes of one group, in which cache devices take turns before capacity devices. */
static void visit_group(Tally *tally, const AftNodeSpec *node, const AftDiskGroupSpec *group,
                        double reads, double writes, double bytes)
{
    guint capacity = group->count * group->capacity.count,
          cache = group->count * group->cache.count;
    double share = member_share(node, group);
    visit(&tally[AFT_SCARCE_CAPACITY_ACCESS], &tally[AFT_SCARCE_CAPACITY_TRANSFER],
          &group->capacity, FALSE, bytes, capacity, reads * share, reads * share);
    if (cache == 0) {
        visit(&tally[AFT_SCARCE_CAPACITY_ACCESS], &tally[AFT_SCARCE_CAPACITY_TRANSFER],
              &group->capacity, TRUE, bytes, capacity, writes * share, writes * share);
        return;
    }
    guint most_behind = (group->capacity.count + group->cache.count - 1) / group->cache.count;
    visit(&tally[AFT_SCARCE_CACHE_ACCESS], &tally[AFT_SCARCE_CACHE_TRANSFER], &group->cache, TRUE,
          bytes, cache, writes * share * capacity / cache, writes * share * most_behind);
}

static AftDemand demand_of(const Tally *tally, guint devices)
{
    return (AftDemand){devices > 0 ? tally->sum_s / devices : 0.0, tally->most_s};
}

void aft_parts_demand(const AftNodeSpec *node, double reads, double writes, double bytes,
                      AftDemand *demand)
{
    Tally tally[AFT_SCARCES] = {0};
    for (guint g = 0; g < node->n_disk_groups; g++) {
        const AftDiskGroupSpec *group = &node->disk_groups[g];
        if (group->count * group->capacity.count > 0) {
            visit_group(tally, node, group, reads, writes, bytes);
        }
    }
    for (guint i = AFT_SCARCE_CACHE_ACCESS; i < AFT_SCARCES; i++) {
        demand[i] =
            demand_of(&tally[i], i <= AFT_SCARCE_CACHE_TRANSFER ? aft_parts_cache_devices(node)
                                                                : aft_parts_capacity_devices(node));
    }
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
