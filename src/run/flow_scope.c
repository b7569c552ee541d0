/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `flow` cannot do: states are told apart by failures and what follows from them, by owed
 * work, load and buffers. What goes beyond that is refused rather than done by half. */
#include "walk.h"

#include <aftershock/base/error.h>

static gboolean refuse(GError **error, const char *where, const char *what)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_CONFLICT,
                "run.fidelity: flow cannot remember rates of %s (%s); use --fidelity sampled", what,
                where);
    return FALSE;
}

static gboolean check_timeline(const AftScenario *scenario, GError **error)
{
    static const char *const names[] = {
        [AFT_ACTION_SLOW] = "slow parts",
        [AFT_ACTION_CORRUPT] = "latent errors",
        [AFT_ACTION_MAINTENANCE] = "maintenance",
        [AFT_ACTION_UPGRADE] = "an upgrade",
        [AFT_ACTION_ADD] = "a cluster that grows",
        [AFT_ACTION_START] = "what is started or stopped",
        [AFT_ACTION_STOP] = "what is started or stopped",
        [AFT_ACTION_CONVERT] = "conversions",
    };
    for (guint i = 0; i < scenario->n_timeline; i++) {
        const AftAction *action = &scenario->timeline[i];
        if (action->kind < G_N_ELEMENTS(names) && names[action->kind] != NULL) {
            g_autofree char *where = g_strdup_printf("timeline[%u]", action->index);
            return refuse(error, where, names[action->kind]);
        }
    }
    return TRUE;
}

static gboolean check_workloads(const AftScenario *scenario, GError **error)
{
    for (guint i = 0; i < scenario->n_workloads; i++) {
        if (scenario->workloads[i].kind == AFT_WORKLOAD_TRACE) {
            g_autofree char *where = g_strdup_printf("workload[%u]", i);
            return refuse(error, where, "a replayed trace, which is one course of events");
        }
    }
    return TRUE;
}

static gboolean check_pools(const AftScenario *scenario, GError **error)
{
    for (guint i = 0; i < scenario->n_pools; i++) {
        if (scenario->pools[i].protection.kind == AFT_SCHEME_ENCODE_LATER) {
            g_autofree char *where = g_strdup_printf("data[%u].protection", i);
            return refuse(error, where, "data that is encoded later");
        }
    }
    return TRUE;
}

static gboolean has_caches(const AftScenario *scenario)
{
    for (guint i = 0; i < scenario->cluster.n_sites; i++) {
        const AftNodeSpec *node = scenario->cluster.sites[i].spec;
        for (guint g = 0; g < node->n_disk_groups; g++) {
            if (node->disk_groups[g].cache.count > 0) {
                return TRUE;
            }
        }
    }
    return FALSE;
}

static gboolean check_background(const AftScenario *scenario, GError **error)
{
    const AftBackgroundSpec *background = &scenario->background;
    for (guint task = 0; task < AFT_TASKS; task++) {
        if (background->task[task].trigger != AFT_TRIGGER_IMMEDIATE) {
            return refuse(error, "background", "work that waits for scans");
        }
    }
    if (background->scrub_every_ns != G_MAXINT64) {
        return refuse(error, "background.scrub", "scrubs");
    }
    if (g_str_equal(background->scheduler.policy, "adaptive")) {
        return refuse(error, "background.scheduler", "a scheduler that adapts");
    }
    if (scenario->tiers.begin > scenario->tiers.low && has_caches(scenario)) {
        return refuse(error, "tiers.begin", "buffers that are emptied in turns");
    }
    return TRUE;
}

gboolean aft_flow_can(const AftScenario *scenario, GError **error)
{
    return check_timeline(scenario, error) && check_workloads(scenario, error) &&
           check_pools(scenario, error) && check_background(scenario, error);
}
