/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <aftershock/scenario/nearest.h>

#include <string.h>

enum { MOST_DEVICES = 1000000 };

static const AftDeviceProfile *find_profile(const AftScenario *scenario, const char *name)
{
    for (guint i = 0; i < scenario->n_devices; i++) {
        if (strcmp(scenario->devices[i].name, name) == 0) {
            return &scenario->devices[i];
        }
    }
    return NULL;
}

static void refuse_device(AftCheck *check, const char *item, const char *name)
{
    const AftScenario *scenario = check->scenario;
    g_autofree const char **names = g_new(const char *, scenario->n_devices);
    for (guint i = 0; i < scenario->n_devices; i++) {
        names[i] = scenario->devices[i].name;
    }
    aft_check_error(check, item, "device", aft_nearest(name, names, scenario->n_devices),
                    "there is no device profile \"%s\"", name);
}

/* A kind of disk that nobody named: its other keys mean nothing. */
static void check_nameless(AftCheck *check, const char *item, const AftDiskSpec *disk)
{
    gboolean sized = aft_check_written(check, item, "size");
    if (disk->device == NULL && (sized || disk->count > 0) && g_str_has_suffix(item, "cache")) {
        aft_check_error(check, item, "device", NULL, "missing, expected the name of a profile");
    }
}

static void check_disk(AftCheck *check, const char *item, AftDiskSpec *disk)
{
    if (!aft_check_written(check, item, "count")) {
        disk->count = disk->device == NULL ? 0 : 1;
    }
    disk->profile = disk->device == NULL ? NULL : find_profile(check->scenario, disk->device);
    if (disk->device == NULL) {
        check_nameless(check, item, disk);
    } else if (disk->profile == NULL) {
        refuse_device(check, item, disk->device);
    } else if (!aft_check_written(check, item, "size")) {
        disk->size_bytes = disk->profile->size_bytes;
        if (disk->size_bytes == 0) {
            aft_check_error(check, item, "size", NULL, "missing, and %s has none", disk->device);
        }
    }
}

guint aft_check_cached(const AftCheck *check)
{
    const AftNodeSpec *node = &check->scenario->cluster.node;
    guint cached = 0;
    for (guint i = 0; i < node->n_disk_groups; i++) {
        cached += node->disk_groups[i].cache.count > 0;
    }
    return cached;
}

static void check_number(AftCheck *check)
{
    const AftClusterSpec *cluster = &check->scenario->cluster;
    double devices = 0.0;
    for (guint i = 0; i < cluster->node.n_disk_groups; i++) {
        const AftDiskGroupSpec *group = &cluster->node.disk_groups[i];
        devices += (double)group->count * ((double)group->cache.count + group->capacity.count);
    }
    if (devices * cluster->nodes > MOST_DEVICES) {
        aft_check_error(check, "cluster", "nodes", NULL, "expected at most %u devices, got %.0f",
                        MOST_DEVICES, devices * cluster->nodes);
    }
}

void aft_check_disks(AftCheck *check)
{
    AftNodeSpec *node = &check->scenario->cluster.node;
    for (guint i = 0; i < node->n_disk_groups; i++) {
        g_autofree char *cache = g_strdup_printf("cluster.node.disk_groups[%u].cache", i);
        g_autofree char *capacity = g_strdup_printf("cluster.node.disk_groups[%u].capacity", i);
        check_disk(check, cache, &node->disk_groups[i].cache);
        check_disk(check, capacity, &node->disk_groups[i].capacity);
    }
    check_number(check);
}
