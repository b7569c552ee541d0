/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <aftershock/base/units.h>
#include <aftershock/scenario/schemes.h>
#include <aftershock/scenario/services.h>
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

/* The share of pool @index in some working set. */
static double working_share(const AftScenario *scenario, guint index)
{
    double most_bytes = 0.0, pool_bytes = (double)scenario->pools[index].logical_bytes;
    for (guint i = 0; i < scenario->n_workloads; i++) {
        const AftWorkloadSpec *workload = &scenario->workloads[i];
        if (workload->pool_index == index) {
            double bytes = (double)workload->working_set_bytes;
            most_bytes = MAX(most_bytes, bytes > 0.0 ? bytes : pool_bytes);
        }
    }
    return most_bytes / pool_bytes;
}

double aft_tiers_cached_bytes(const AftScenario *scenario, const AftPoolSpec *pool)
{
    gboolean log = scenario->tiers.parity == AFT_PARITY_DESTAGE;
    double overhead = log ? 1.0 : (double)aft_scheme_width(&pool->initial) / pool->initial.data;
    return (double)pool->logical_bytes * overhead * aft_services_inline_ratio(pool);
}

double aft_tiers_working_bytes(const AftScenario *scenario)
{
    double bytes = 0.0;
    for (guint i = 0; i < scenario->n_pools; i++) {
        bytes += working_share(scenario, i) * aft_tiers_cached_bytes(scenario, &scenario->pools[i]);
    }
    return bytes;
}

static void check_marks(AftCheck *check)
{
    AftTierSpec *tiers = &check->scenario->tiers;
    if (!aft_check_written(check, "tiers", "start")) {
        tiers->start = tiers->low;
    }
    if (!aft_check_written(check, "tiers", "begin")) {
        tiers->begin = tiers->low;
    }
    g_autofree char *low = aft_units_format(AFT_UNIT_SHARE, tiers->low);
    g_autofree char *high = aft_units_format(AFT_UNIT_SHARE, tiers->high);
    gboolean crossed = tiers->low >= tiers->high;
    if (crossed && aft_check_written(check, "tiers", "low")) {
        aft_check_error(check, "tiers", "low", NULL, "expected less than tiers.high (%s), got %s",
                        high, low);
    } else if (crossed) {
        aft_check_error(check, "tiers", "high", NULL, "expected more than tiers.low (%s), got %s",
                        low, high);
    }
    if (tiers->begin < tiers->low) {
        g_autofree char *begin = aft_units_format(AFT_UNIT_SHARE, tiers->begin);
        aft_check_error(check, "tiers", "begin", NULL,
                        "expected tiers.low (%s) or more, got %s: destage goes on down to there",
                        low, begin);
    }
}

/* Bytes on a cache device per byte written, at most. */
static double most_ratio(const AftScenario *scenario)
{
    double most = 1.0;
    for (guint i = 0; i < scenario->n_pools; i++) {
        most = MAX(most, aft_services_inline_ratio(&scenario->pools[i]));
    }
    return most;
}

/* Whether @task writes at all: a scrub reads, and nothing is evacuated but for maintenance. */
static gboolean writes(const AftScenario *scenario, AftTaskKind task)
{
    gboolean leaves = FALSE;
    for (guint i = 0; i < scenario->n_timeline; i++) {
        AftActionKind kind = scenario->timeline[i].kind;
        leaves |= kind == AFT_ACTION_MAINTENANCE || kind == AFT_ACTION_UPGRADE;
    }
    return task == AFT_TASK_EVACUATE ? leaves : task != AFT_TASK_SCRUB;
}

/* The most that is put on a cache device at once; background work passes by a log. */
static double most_bytes(const AftScenario *scenario)
{
    guint64 most = 0;
    for (guint i = 0; i < scenario->n_workloads; i++) {
        for (guint n = 0; n < scenario->workloads[i].n_mix; n++) {
            most = MAX(most, scenario->workloads[i].mix[n].block_bytes);
        }
    }
    for (guint i = 0; i < AFT_TASKS && scenario->tiers.parity == AFT_PARITY_FRONT; i++) {
        most = writes(scenario, (AftTaskKind)i) ? MAX(most, scenario->background.task[i].unit_bytes)
                                                : most;
    }
    return MAX((double)most * most_ratio(scenario), (double)scenario->tiers.unit_bytes);
}

/* Each buffer takes what is written at once, while a destage empties it; half of one with a log
 * belongs to the partner. */
static void check_buffer(AftCheck *check, const char *item, const AftDiskSpec *cache)
{
    const AftTierSpec *tiers = &check->scenario->tiers;
    double buffer = aft_tiers_buffer_bytes(tiers, cache);
    gboolean logs = tiers->parity == AFT_PARITY_DESTAGE;
    double least = (logs ? 4.0 : 2.0) * most_bytes(check->scenario);
    if (buffer >= least) {
        return;
    }
    gboolean limited = tiers->buffer_bytes > 0 && buffer == (double)tiers->buffer_bytes;
    g_autofree char *got = aft_check_bytes(buffer), *needed = aft_check_bytes(least);
    aft_check_error(check, limited ? "tiers" : item, limited ? "buffer" : "size", NULL,
                    "leaves a write buffer of %s, expected at least %s: %s what is written at once",
                    got, needed, logs ? "four times" : "twice");
}

/* Capacity devices stand behind cache devices in turn. */
static void check_idle(AftCheck *check, const char *item, guint caches, guint capacity)
{
    if (caches > capacity) {
        aft_check_warning(check, item, "count",
                          "%u of %u have no capacity device behind them and do nothing",
                          caches - capacity, caches);
    }
}

static void check_buffers(AftCheck *check, const char *node_item, AftNodeSpec *node, guint n,
                          gpointer data)
{
    (void)n;
    (void)data;
    for (guint i = 0; i < node->n_disk_groups; i++) {
        const AftDiskSpec *cache = &node->disk_groups[i].cache;
        g_autofree char *item = g_strdup_printf("%s.disk_groups[%u].cache", node_item, i);
        if (cache->count > 0) {
            check_buffer(check, item, cache);
            check_idle(check, item, cache->count, node->disk_groups[i].capacity.count);
        }
    }
}

/* Without caches there are no tiers; a log must be wherever data is, and have a partner. */
static void check_caches(AftCheck *check)
{
    const AftScenario *scenario = check->scenario;
    AftCaching caching = aft_check_caching(check);
    gboolean logs = scenario->tiers.parity == AFT_PARITY_DESTAGE;
    if (logs && caching != AFT_CACHES_EVERYWHERE) {
        aft_check_error(check, "tiers", "parity", NULL,
                        "destage needs a cache device in every disk group");
    } else if (logs && aft_check_domains(check, AFT_DOMAIN_NODE)->len == 1) {
        aft_check_error(check, "tiers", "parity", NULL,
                        "destage keeps each log on two nodes, the cluster has 1");
    } else if (caching == AFT_CACHES_NOWHERE && aft_check_written_below(check, "tiers", 0) > 0) {
        aft_check_warning(check, "tiers", "", "has no effect: no disk group has a cache device");
    }
}

void aft_check_tiers(AftCheck *check)
{
    if (!aft_check_sound(check, "tiers")) {
        return;
    }
    check_marks(check);
    if (aft_check_sound(check, "cluster")) {
        check_caches(check);
    }
    if (!check->failed) { /* what is written at once rests on everything else */
        aft_check_nodes(check, check_buffers, NULL);
    }
}
