/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <aftershock/base/units.h>
#include <aftershock/scenario/schemes.h>

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

/* A number of units that the scheme knows, may know, or must be told. */
static void check_units(AftCheck *check, const char *item, const AftScheme *scheme, const char *key,
                        guint taker, guint usual, guint *units)
{
    gboolean taken = (scheme->takes & taker) != 0;
    gboolean written = aft_check_written(check, item, key);
    if (written && !taken) {
        aft_check_error(check, item, key, NULL, "%s has no %s to set", scheme->name, key);
    } else if (taken && !written && usual == 0) {
        aft_check_error(check, item, key, NULL, "missing, %s needs it", scheme->name);
    } else if (!written) {
        *units = usual;
    }
}

static guint nearest_divisor(guint number, guint wish)
{
    guint away = 0;
    while ((wish <= away || number % (wish - away) != 0) && number % (wish + away) != 0) {
        away++;
    }
    return wish > away && number % (wish - away) == 0 ? wish - away : wish + away;
}

/* Every local parity unit stands for as many data units. */
static void check_local_groups(AftCheck *check, const char *item,
                               const AftProtectionSpec *protection)
{
    guint data = protection->data, local = protection->local;
    if (data > 0 && local > 0 && data % local != 0) {
        g_autofree char *divisor = g_strdup_printf("%u", nearest_divisor(data, local));
        aft_check_error(check, item, "local", divisor,
                        "%u data units do not divide into %u local groups", data, local);
    }
}

static void check_geometry(AftCheck *check, const char *item, AftProtectionSpec *protection)
{
    const AftScheme *scheme = aft_scheme_by_name(protection->scheme);
    protection->kind = scheme->kind;
    check_units(check, item, scheme, "data", AFT_TAKES_DATA, scheme->data, &protection->data);
    check_units(check, item, scheme, "local", AFT_TAKES_LOCAL, scheme->local, &protection->local);
    check_units(check, item, scheme, "parity", AFT_TAKES_PARITY, scheme->parity,
                &protection->parity);
    check_units(check, item, scheme, "copies", AFT_TAKES_COPIES, 0, &protection->copies);
    if (scheme->takes & AFT_TAKES_COPIES) {
        protection->parity = MAX(protection->copies, 1) - 1;
    }
    if (scheme->takes == (AFT_TAKES_DATA | AFT_TAKES_PARITY) && scheme->parity > 0 &&
        protection->parity != scheme->parity) {
        aft_check_error(check, item, "parity", NULL, "%s has a parity of %u, got %u: ec takes any",
                        scheme->name, scheme->parity, protection->parity);
    }
    check_local_groups(check, item, protection);
}

/* Every member of a stripe sits on a node of its own. */
static void check_width(AftCheck *check, const char *item, const AftProtectionSpec *protection)
{
    const AftScenario *scenario = check->scenario;
    guint nodes = scenario->cluster.nodes, width = aft_scheme_width(protection);
    g_autofree char *scheme = aft_scheme_format(protection);
    if (width > AFT_WIDTH_MOST) {
        aft_check_error(check, item, "scheme", NULL, "%s has %u members, at most %u are possible",
                        scheme, width, AFT_WIDTH_MOST);
    } else if (nodes < width) {
        aft_check_error(check, item, "scheme", NULL, "%s needs %u nodes, the cluster has %u",
                        scheme, width, nodes);
    } else if (nodes == width && protection->parity > 0 && scenario->n_timeline > 0) {
        aft_check_warning(check, item, "scheme",
                          "%s needs all %u nodes: while one is down nothing can be rebuilt", scheme,
                          nodes);
    }
}

static void check_protection(AftCheck *check, const char *pool, AftProtectionSpec *protection)
{
    g_autofree char *item = g_strdup_printf("%s.protection", pool);
    if (!aft_check_sound(check, item)) {
        return;
    }
    guint before = check->problems->len;
    check_geometry(check, item, protection);
    if (check->problems->len == before && aft_check_sound(check, "cluster.nodes") &&
        check->scenario->cluster.nodes > 0) {
        check_width(check, item, protection);
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
        const AftProtectionSpec *protection = &scenario->pools[i].protection;
        guint width = aft_scheme_width(protection);
        used += (double)scenario->pools[i].logical_bytes * width / protection->data;
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
        check_protection(check, item, &scenario->pools[i].protection);
    }
    check_groups(check);
    /* Space is a sum over everything: one wrong part of it says nothing about the whole. */
    if (!check->failed && aft_check_sound(check, "cluster") && aft_check_sound(check, "data") &&
        aft_check_sound(check, "devices")) {
        check_space(check);
    }
}
