/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <aftershock/scenario/nearest.h>

#include <string.h>

enum { MOST_DEVICES = 1000000 }; /* with those of nodes that are added */

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

/* What all nodes have, in numbers. */
typedef struct {
    guint uncached; /* kinds of disk groups without cache devices */
    guint cached;
    double devices;
} Count;

static void count(AftCheck *check, const char *item, AftNodeSpec *node, guint n, gpointer data)
{
    (void)check;
    (void)item;
    Count *sum = data;
    for (guint i = 0; i < node->n_disk_groups; i++) {
        const AftDiskGroupSpec *group = &node->disk_groups[i];
        double devices = (double)group->cache.count + group->capacity.count;
        sum->devices += (double)n * group->count * devices;
        sum->cached += group->cache.count > 0;
        sum->uncached += group->cache.count == 0;
    }
}

AftCaching aft_check_caching(AftCheck *check)
{
    Count sum = {0};
    aft_check_nodes(check, count, &sum);
    return sum.uncached == 0 ? AFT_CACHES_EVERYWHERE
           : sum.cached == 0 ? AFT_CACHES_NOWHERE
                             : AFT_CACHES_SOMEWHERE;
}

static void check_node(AftCheck *check, const char *item, AftNodeSpec *node, guint n, gpointer data)
{
    (void)n;
    (void)data;
    for (guint i = 0; i < node->n_disk_groups; i++) {
        g_autofree char *cache = g_strdup_printf("%s.disk_groups[%u].cache", item, i);
        g_autofree char *capacity = g_strdup_printf("%s.disk_groups[%u].capacity", item, i);
        check_disk(check, cache, &node->disk_groups[i].cache);
        check_disk(check, capacity, &node->disk_groups[i].capacity);
    }
}

void aft_check_disks(AftCheck *check)
{
    const AftClusterSpec *cluster = &check->scenario->cluster;
    gboolean mixed = cluster->n_groups > 0;
    Count sum = {0};
    aft_check_nodes(check, check_node, NULL);
    aft_check_nodes(check, count, &sum);
    if (cluster->n_sites > cluster->nodes) {
        AftSite last = cluster->sites[cluster->nodes];
        count(check, "", (AftNodeSpec *)(gsize)last.spec, cluster->n_sites - cluster->nodes, &sum);
    }
    check->crowded = sum.devices > MOST_DEVICES;
    if (check->crowded) {
        aft_check_error(check, "cluster", mixed ? "groups" : "nodes", NULL,
                        "expected at most %u devices, got %.0f", MOST_DEVICES, sum.devices);
    }
}
