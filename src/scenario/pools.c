/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <aftershock/base/units.h>
#include <aftershock/scenario/schemes.h>
#include <aftershock/scenario/services.h>

#include <string.h>

enum { MOST_PLACEMENT_GROUPS = 10000000 };

static void check_name(AftCheck *check, guint i, const char *item)
{
    AftScenario *scenario = check->scenario;
    AftPoolSpec *pool = &scenario->pools[i];
    if (!aft_check_written(check, item, "name")) {
        g_clear_pointer(&pool->name, g_free);
        if (scenario->n_pools > 1) {
            aft_check_error(check, item, "name", NULL, "missing, several pools need names");
            return;
        }
        pool->name = g_strdup("data");
    }
    for (guint other = 0; other < i && pool->name != NULL; other++) {
        if (g_strcmp0(scenario->pools[other].name, pool->name) == 0) {
            aft_check_error(check, item, "name", NULL, "there are two pools \"%s\"", pool->name);
            return;
        }
    }
}

static gboolean has_caches(const AftClusterSpec *cluster)
{
    for (guint i = 0; i < cluster->node.n_disk_groups; i++) {
        if (cluster->node.disk_groups[i].cache.count == 0) {
            return FALSE;
        }
    }
    return cluster->node.n_disk_groups > 0;
}

/* A service is on when any of its keys is written, unless it is said to be off. */
static void check_service(AftCheck *check, const char *pool, guint index, AftServiceSpec *service)
{
    g_autofree char *item =
        g_strdup_printf("%s.services.%s", pool, aft_service_name((AftServiceKind)index));
    if (!aft_check_written(check, item, "enabled")) {
        service->enabled = aft_check_written_below(check, item) ? 1 : 0;
    }
    if (service->enabled && service->when == AFT_WHEN_DESTAGE &&
        !has_caches(&check->scenario->cluster)) {
        aft_check_error(check, item, "when", NULL,
                        "nothing is destaged where a disk group has no cache device");
    }
}

/* What the groups of a pool begin as, and what they come to. */
static void derive_layouts(AftPoolSpec *pool)
{
    pool->initial = pool->encoded = pool->protection;
    if (pool->protection.kind != AFT_SCHEME_ENCODE_LATER) {
        pool->encoded.data = pool->encoded.local = pool->encoded.parity = 0;
        return;
    }
    pool->initial.kind = AFT_SCHEME_REPLICATION;
    pool->initial.data = 1;
    pool->initial.parity = pool->protection.copies - 1;
    pool->encoded.kind = AFT_SCHEME_PARITY;
    pool->encoded.copies = 0;
}

static void check_pool(AftCheck *check, const char *item, AftPoolSpec *pool)
{
    g_autofree char *protection = g_strdup_printf("%s.protection", item);
    aft_check_protection(check, protection, &pool->protection);
    derive_layouts(pool);
    for (guint s = 0; s < AFT_SERVICES; s++) {
        check_service(check, item, s, &pool->services[s]);
    }
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
static double used_bytes(const AftScenario *scenario, gboolean *ret_rebuilt)
{
    double used = 0.0;
    *ret_rebuilt = FALSE;
    for (guint i = 0; i < scenario->n_pools; i++) {
        const AftPoolSpec *pool = &scenario->pools[i];
        const AftProtectionSpec *protection = &pool->initial;
        guint width = aft_scheme_width(protection);
        used += (double)pool->logical_bytes * width / protection->data * aft_services_ratio(pool);
        *ret_rebuilt |= protection->parity > 0 && scenario->cluster.nodes > width;
    }
    return used;
}

static void check_space(AftCheck *check)
{
    const AftClusterSpec *cluster = &check->scenario->cluster;
    gboolean rebuilt = FALSE;
    double used = used_bytes(check->scenario, &rebuilt), raw = raw_bytes(cluster);
    double left = raw * (cluster->nodes - 1.0) / cluster->nodes;
    g_autofree char *full = aft_units_format(AFT_UNIT_SHARE, cluster->full);
    if (used > raw) {
        g_autofree char *needed = aft_check_bytes(used), *there = aft_check_bytes(raw);
        aft_check_error(check, "data[0]", "logical", NULL,
                        "takes %s with protection, the cluster has %s", needed, there);
    } else if (used > cluster->full * raw) {
        aft_check_warning(check, "data[0]", "logical",
                          "fills devices to %.1f %%, above cluster.full (%s)", 100.0 * used / raw,
                          full);
    } else if (rebuilt && used > cluster->full * left) {
        aft_check_warning(check, "data[0]", "logical",
                          "with one node down it would fill devices to %.1f %%, above "
                          "cluster.full (%s): a rebuild could not finish",
                          100.0 * used / left, full);
    }
}

static void check_groups(AftCheck *check)
{
    double groups = 0.0;
    for (guint i = 0; i < check->scenario->n_pools; i++) {
        groups += check->scenario->pools[i].placement_groups;
    }
    if (groups > MOST_PLACEMENT_GROUPS) {
        aft_check_error(check, "data[0]", "placement_groups", NULL,
                        "expected at most %u over all pools, got %.0f", MOST_PLACEMENT_GROUPS,
                        groups);
    }
}

void aft_check_pools(AftCheck *check)
{
    AftScenario *scenario = check->scenario;
    for (guint i = 0; i < scenario->n_pools; i++) {
        g_autofree char *item = g_strdup_printf("data[%u]", i);
        check_name(check, i, item);
        check_pool(check, item, &scenario->pools[i]);
    }
    check_groups(check);
    /* Space is a sum over everything: one wrong part of it says nothing about the whole. */
    if (!check->failed && aft_check_sound(check, "cluster") && aft_check_sound(check, "data") &&
        aft_check_sound(check, "devices")) {
        check_space(check);
    }
}
