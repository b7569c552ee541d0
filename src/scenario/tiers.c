/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <aftershock/base/units.h>
#include <aftershock/scenario/tiers.h>

double aft_tiers_read_bytes(const AftTierSpec *tiers, const AftDiskSpec *cache)
{
    return tiers->read_share * (double)cache->size_bytes;
}

double aft_tiers_buffer_bytes(const AftTierSpec *tiers, const AftDiskSpec *cache)
{
    double bytes = (double)cache->size_bytes - aft_tiers_read_bytes(tiers, cache);
    return tiers->buffer_bytes > 0 ? MIN(bytes, (double)tiers->buffer_bytes) : bytes;
}

static void check_marks(AftCheck *check)
{
    AftTierSpec *tiers = &check->scenario->tiers;
    if (!aft_check_written(check, "tiers", "start")) {
        tiers->start = tiers->low;
    }
    if (tiers->low >= tiers->high) {
        g_autofree char *low = aft_units_format(AFT_UNIT_SHARE, tiers->low);
        g_autofree char *high = aft_units_format(AFT_UNIT_SHARE, tiers->high);
        aft_check_error(check, "tiers", "low", NULL, "expected less than tiers.high (%s), got %s",
                        high, low);
    }
}

/* The most that is written to one device at once. */
static guint64 most_bytes(const AftScenario *scenario)
{
    guint64 most = scenario->tiers.unit_bytes;
    for (guint task = 0; task < AFT_TASKS; task++) {
        most = MAX(most, scenario->background.task[task].unit_bytes);
    }
    for (guint i = 0; i < scenario->n_workloads; i++) {
        most = MAX(most, scenario->workloads[i].block_bytes);
    }
    return most;
}

/* Each buffer takes what is written at once, while a destage empties it. */
static void check_buffer(AftCheck *check, guint group, const AftDiskSpec *cache)
{
    const AftScenario *scenario = check->scenario;
    double buffer = aft_tiers_buffer_bytes(&scenario->tiers, cache);
    double least = 2.0 * (double)most_bytes(scenario);
    if (buffer < least) {
        g_autofree char *item = g_strdup_printf("cluster.node.disk_groups[%u].cache", group);
        g_autofree char *got = aft_check_bytes(buffer), *needed = aft_check_bytes(least);
        aft_check_error(check, item, "size", NULL,
                        "leaves a write buffer of %s, expected at least %s: twice what is written "
                        "at once",
                        got, needed);
    }
}

/* Without caches there are no tiers; with a log there must be one wherever data is. */
static void check_groups(AftCheck *check)
{
    const AftNodeSpec *node = &check->scenario->cluster.node;
    guint cached = 0;
    for (guint i = 0; i < node->n_disk_groups; i++) {
        const AftDiskSpec *cache = &node->disk_groups[i].cache;
        cached += cache->count > 0;
        if (cache->count > 0 && cache->size_bytes > 0) {
            check_buffer(check, i, cache);
        }
    }
    if (cached == 0 && aft_check_written_below(check, "tiers")) {
        aft_check_warning(check, "tiers", "", "has no effect: no disk group has a cache device");
    } else if (cached < node->n_disk_groups &&
               check->scenario->tiers.parity == AFT_PARITY_DESTAGE && cached > 0) {
        aft_check_error(check, "tiers", "parity", NULL,
                        "destage needs a cache device in every disk group");
    }
}

void aft_check_tiers(AftCheck *check)
{
    if (!aft_check_sound(check, "tiers")) {
        return;
    }
    check_marks(check);
    if (aft_check_sound(check, "cluster") && aft_check_sound(check, "workload") &&
        aft_check_sound(check, "background") && aft_check_sound(check, "devices")) {
        check_groups(check);
    }
}
