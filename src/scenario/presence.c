/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether what an action speaks of is there. */
#include "check.h"

#include <aftershock/scenario/keys.h>
#include <aftershock/scenario/nearest.h>
#include <aftershock/scenario/parts.h>

#include <string.h>

/* The group of like ones that disk group @index of @node, counted one by one, is of.
 * Returns: NULL when the node has fewer; @ret_n is how many it has then. */
static const AftDiskGroupSpec *disk_group_at(const AftNodeSpec *node, guint index, guint *ret_n)
{
    *ret_n = 0;
    for (guint i = 0; i < node->n_disk_groups; i++) {
        *ret_n += node->disk_groups[i].count;
        if (index < *ret_n) {
            return &node->disk_groups[i];
        }
    }
    return NULL;
}

static gboolean check_disk_part(AftCheck *check, const char *item, const char *key,
                                const AftPart *part, const AftNodeSpec *node)
{
    guint n = 0;
    const AftDiskGroupSpec *group = disk_group_at(node, part->group, &n);
    if (group == NULL) {
        aft_check_error(check, item, key, NULL,
                        "node %u has no disk group %u: it has %u, counted from 0", part->node,
                        part->group, n);
        return FALSE;
    }
    if (part->kind == AFT_PART_CACHE && group->cache.count == 0) {
        aft_check_error(check, item, key, NULL, "disk group %u of node %u has no cache device",
                        part->group, part->node);
        return FALSE;
    }
    if (part->kind == AFT_PART_DEVICE && part->device >= group->capacity.count) {
        aft_check_error(check, item, key, NULL,
                        "disk group %u of node %u has no capacity device %u: it has %u, counted "
                        "from 0",
                        part->group, part->node, part->device, group->capacity.count);
        return FALSE;
    }
    return TRUE;
}

gboolean aft_check_part(AftCheck *check, const char *item, const char *key, const AftPart *part)
{
    const AftClusterSpec *cluster = &check->scenario->cluster;
    gboolean rack = part->kind == AFT_PART_RACK;
    gboolean inside = part->kind == AFT_PART_DEVICE || part->kind == AFT_PART_CACHE ||
                      part->kind == AFT_PART_GROUP;
    guint n = rack ? cluster->racks : cluster->n_sites;
    if (part->node >= n) {
        aft_check_error(check, item, key, NULL,
                        "there is no %s %u: the cluster has %u, counted "
                        "from 0",
                        rack ? "rack" : "node", part->node, n);
        return FALSE;
    }
    return !inside || check_disk_part(check, item, key, part, cluster->sites[part->node].spec);
}

/* Everything that can be started and stopped, in the order of AftTargetKind. */
static gboolean is_target(const AftScenario *scenario, AftTargetKind kind, guint index,
                          const char **ret_name)
{
    static const char *const tasks[AFT_TASKS] = {
        [AFT_TASK_REBUILD] = "rebuild",   [AFT_TASK_REBALANCE] = "rebalance",
        [AFT_TASK_EVACUATE] = "evacuate", [AFT_TASK_CONVERT] = "convert",
        [AFT_TASK_ENCODE] = "encode",     [AFT_TASK_SCRUB] = "scrub",
    };
    guint n = kind == AFT_TARGET_WORKLOAD ? scenario->n_workloads
              : kind == AFT_TARGET_TASK   ? AFT_TASKS
                                          : 1;
    if (index < n) {
        *ret_name = kind == AFT_TARGET_WORKLOAD ? scenario->workloads[index].name
                    : kind == AFT_TARGET_TASK   ? tasks[index]
                                                : "maintenance";
    }
    return index < n;
}

gboolean aft_check_target(AftCheck *check, const char *item, const char *key, AftAction *action)
{
    const AftScenario *scenario = check->scenario;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const char *name = NULL;
    guint found = 0;
    for (guint kind = AFT_TARGET_WORKLOAD; kind <= AFT_TARGET_MAINTENANCE; kind++) {
        for (guint i = 0; is_target(scenario, (AftTargetKind)kind, i, &name); i++) {
            g_ptr_array_add(names, (gpointer)(gsize)name);
            if (strcmp(name, action->target) == 0) {
                action->target_kind = (AftTargetKind)kind;
                action->target_index = i;
                found++;
            }
        }
    }
    if (found == 0) {
        const char *nearest =
            aft_nearest(action->target, (const char *const *)names->pdata, names->len);
        aft_check_error(check, item, key, nearest, "there is no workload or task \"%s\" to %s",
                        action->target, key);
    } else if (found > 1) {
        aft_check_error(check, item, key, NULL,
                        "both a workload and background work are called \"%s\"", action->target);
    }
    return found == 1;
}
