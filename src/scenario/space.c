/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <aftershock/base/units.h>
#include <aftershock/scenario/schemes.h>
#include <aftershock/scenario/services.h>

const AftProtectionSpec *aft_check_largest(const AftPoolSpec *pool)
{
    gboolean grows =
        aft_scheme_width(&pool->encoded) > 0 &&
        aft_services_stored_as(pool, &pool->encoded) > aft_services_stored_as(pool, &pool->initial);
    return grows ? &pool->encoded : &pool->initial;
}

static double raw_bytes(const AftClusterSpec *cluster)
{
    double node = 0.0;
    for (guint i = 0; i < cluster->node.n_disk_groups; i++) {
        const AftDiskGroupSpec *group = &cluster->node.disk_groups[i];
        node += (double)group->count * group->capacity.count * (double)group->capacity.size_bytes;
    }
    return node * cluster->nodes;
}

/* Bytes of data and its protection; @ret_rebuilt: whether some of it must survive a node. */
static double used_bytes(const AftScenario *scenario, const AftProtectionSpec *const *layouts,
                         gboolean *ret_rebuilt)
{
    double used = 0.0;
    *ret_rebuilt = FALSE;
    for (guint i = 0; i < scenario->n_pools; i++) {
        guint width = aft_scheme_width(layouts[i]);
        used += aft_services_stored_as(&scenario->pools[i], layouts[i]);
        *ret_rebuilt |= layouts[i]->parity > 0 && scenario->cluster.nodes > width;
    }
    return used;
}

void aft_check_space(AftCheck *check, const char *item, const char *key,
                     const AftProtectionSpec *const *layouts)
{
    const AftClusterSpec *cluster = &check->scenario->cluster;
    gboolean rebuilt = FALSE;
    double used = used_bytes(check->scenario, layouts, &rebuilt), raw = raw_bytes(cluster);
    double left = raw * (cluster->nodes - 1.0) / cluster->nodes;
    g_autofree char *full = aft_units_format(AFT_UNIT_SHARE, cluster->full);
    if (used > raw) {
        g_autofree char *needed = aft_check_bytes(used), *there = aft_check_bytes(raw);
        aft_check_error(check, item, key, NULL, "takes %s with protection, the cluster has %s",
                        needed, there);
    } else if (used > cluster->full * raw) {
        aft_check_warning(check, item, key, "fills devices to %.1f %%, above cluster.full (%s)",
                          100.0 * used / raw, full);
    } else if (rebuilt && used > cluster->full * left) {
        aft_check_warning(check, item, key,
                          "with one node down it would fill devices to %.1f %%, above "
                          "cluster.full (%s): a rebuild could not finish",
                          100.0 * used / left, full);
    }
}
