/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/scenario/nodes.h>

guint aft_node_cache_devices(const AftNodeSpec *node)
{
    guint devices = 0;
    for (guint i = 0; i < node->n_disk_groups; i++) {
        devices += node->disk_groups[i].count * node->disk_groups[i].cache.count;
    }
    return devices;
}

guint aft_node_capacity_devices(const AftNodeSpec *node)
{
    guint devices = 0;
    for (guint i = 0; i < node->n_disk_groups; i++) {
        devices += node->disk_groups[i].count * node->disk_groups[i].capacity.count;
    }
    return devices;
}

double aft_node_capacity_bytes(const AftNodeSpec *node)
{
    double bytes = 0.0;
    for (guint i = 0; i < node->n_disk_groups; i++) {
        const AftDiskGroupSpec *group = &node->disk_groups[i];
        bytes += (double)group->count * group->capacity.count * (double)group->capacity.size_bytes;
    }
    return bytes;
}

static gboolean spreads_alike(const AftSpread *a, const AftSpread *b)
{
    gboolean alike =
        a->kind == b->kind && a->cv == b->cv && a->shape == b->shape && a->n_values == b->n_values;
    for (guint i = 0; i < a->n_values && alike; i++) {
        alike = a->values[i] == b->values[i];
    }
    return alike;
}

static gboolean disks_alike(const AftDiskSpec *a, const AftDiskSpec *b)
{
    return a->profile == b->profile && a->count == b->count && a->size_bytes == b->size_bytes;
}

static gboolean controllers_alike(const AftControllerSpec *a, const AftControllerSpec *b)
{
    return a->slots == b->slots && a->io_ns == b->io_ns && a->per_mib_ns == b->per_mib_ns &&
           a->request_ns == b->request_ns && a->read_latency_ns == b->read_latency_ns &&
           a->write_latency_ns == b->write_latency_ns && spreads_alike(&a->spread, &b->spread);
}

gboolean aft_node_is_alike(const AftNodeSpec *a, const AftNodeSpec *b)
{
    gboolean alike = a == b || (controllers_alike(&a->controller, &b->controller) &&
                                a->nic_bytes_per_s == b->nic_bytes_per_s &&
                                a->compute == b->compute && a->n_disk_groups == b->n_disk_groups);
    for (guint i = 0; i < a->n_disk_groups && alike && a != b; i++) {
        const AftDiskGroupSpec *one = &a->disk_groups[i], *other = &b->disk_groups[i];
        alike = one->count == other->count && disks_alike(&one->cache, &other->cache) &&
                disks_alike(&one->capacity, &other->capacity);
    }
    return alike;
}

guint aft_nodes_at(const AftScenario *scenario, gint64 at_ns)
{
    guint nodes = scenario->cluster.nodes;
    for (guint i = 0; i < scenario->n_timeline; i++) {
        const AftAction *action = &scenario->timeline[i];
        gboolean added = action->kind == AFT_ACTION_ADD && action->at_ns <= at_ns;
        nodes += added ? action->nodes : 0;
    }
    return nodes;
}
