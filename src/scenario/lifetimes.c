/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Failures that are drawn: each kind of part has a mean life, and something to fail. */
#include "check.h"

#include "selector.h"

/* A file tells everything, so nothing else may be said beside it. */
static void check_trace(AftCheck *check, const char *item, guint index)
{
    const char *trace = check->scenario->faults[index].trace;
    aft_check_file(check, item, "trace", trace);
    static const char *const keys[] = {"part", "on", "every", "repair"};
    static const char *const maps[] = {"life", "repair_spread", "burst"};
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (aft_check_written(check, item, keys[i])) {
            aft_check_error(check, item, keys[i], NULL, "a trace tells what fails: leave it out");
        }
    }
    for (guint i = 0; i < G_N_ELEMENTS(maps); i++) {
        g_autofree char *pattern = g_strdup_printf("faults[*].%s", maps[i]);
        if (aft_check_written_below(check, pattern, index) > 0) {
            aft_check_error(check, item, maps[i], NULL, "a trace tells what fails: leave it out");
        }
    }
}

static void select_parts(AftCheck *check, const char *item, AftFaultSpec *fault)
{
    const AftClusterSpec *cluster = &check->scenario->cluster;
    gboolean racks = fault->part == AFT_PART_RACK;
    guint n = racks ? cluster->racks : cluster->nodes;
    g_clear_pointer(&fault->on_nodes, g_free);
    fault->on_nodes = aft_selector_expand(fault->on, n, &fault->n_on_nodes);
    if (fault->on_nodes == NULL) {
        fault->n_on_nodes = 0;
        aft_check_error(check, item, "on", NULL,
                        "\"%s\" selects no %s or some that are not there: the cluster has %u, "
                        "counted from 0",
                        fault->on, racks ? "racks" : "nodes", n);
    }
}

/* How many parts of @kind are of @group. */
static guint count_parts(const AftDiskGroupSpec *group, AftPartKind kind)
{
    return kind == AFT_PART_DEVICE ? group->count * group->capacity.count
           : kind == AFT_PART_CACHE && group->cache.count == 0 ? 0
                                                               : group->count;
}

/* A mean life comes from a share of failures a year above none and below all. */
static gboolean check_afr(AftCheck *check, const char *item, const AftDiskGroupSpec *group)
{
    const AftDeviceProfile *profile = group->capacity.profile;
    if (profile == NULL || (profile->afr > 0.0 && profile->afr < 1.0)) {
        return TRUE; /* what there is no profile of was told */
    }
    aft_check_error(check, item, "every", NULL,
                    "missing, and the afr of %s (%g %%) gives no mean life", profile->name,
                    100.0 * profile->afr);
    return FALSE;
}

/* Parts inside nodes: there must be some, and they must have a life. */
static void check_disk_parts(AftCheck *check, const char *item, const AftFaultSpec *fault)
{
    const AftSite *sites = check->scenario->cluster.sites;
    gboolean lives = fault->part != AFT_PART_DEVICE || aft_check_written(check, item, "every");
    guint parts = 0;
    for (guint i = 0; i < fault->n_on_nodes; i++) {
        const AftNodeSpec *node = sites[fault->on_nodes[i]].spec;
        for (guint g = 0; g < node->n_disk_groups; g++) {
            parts += count_parts(&node->disk_groups[g], fault->part) > 0;
            if (!lives && !check_afr(check, item, &node->disk_groups[g])) {
                return;
            }
        }
    }
    if (parts == 0) {
        aft_check_error(check, item, "part", NULL, "the nodes it is on have no such part");
    }
}

static void check_burst(AftCheck *check, const char *item, const AftFaultSpec *fault)
{
    gboolean size = aft_check_written(check, item, "burst.size");
    gboolean within = aft_check_written(check, item, "burst.within");
    if (fault->burst_share > 0.0 && !within) {
        aft_check_missing(check, item, "burst.within");
    } else if (fault->burst_share == 0.0 && (size || within)) {
        aft_check_error(check, item, "burst.share", NULL, "no failure brings others with it");
    }
}

static void check_drawn(AftCheck *check, const char *item, AftFaultSpec *fault)
{
    gboolean inside = fault->part == AFT_PART_DEVICE || fault->part == AFT_PART_CACHE ||
                      fault->part == AFT_PART_GROUP;
    if (fault->part != AFT_PART_DEVICE && !aft_check_written(check, item, "every")) {
        aft_check_missing(check, item, "every");
    }
    if (!aft_check_written(check, item, "repair")) {
        aft_check_missing(check, item, "repair");
    }
    check_burst(check, item, fault);
    if (check->scenario->cluster.n_sites > 0) {
        select_parts(check, item, fault);
    }
    if (inside && fault->n_on_nodes > 0) {
        check_disk_parts(check, item, fault);
    }
}

void aft_check_lifetimes(AftCheck *check)
{
    AftScenario *scenario = check->scenario;
    for (guint i = 0; i < scenario->n_faults; i++) {
        g_autofree char *item = g_strdup_printf("faults[%u]", i);
        if (!aft_check_sound(check, item)) {
            continue;
        }
        if (scenario->faults[i].trace != NULL) {
            check_trace(check, item, i);
        } else {
            check_drawn(check, item, &scenario->faults[i]);
        }
    }
}
