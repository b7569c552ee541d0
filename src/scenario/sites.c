/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every node there ever is, in the order in which they are counted: those of the start, group by
 * group, then those that the timeline adds, which are like the last of the start. */
#include "check.h"

static guint count_start(AftClusterSpec *cluster)
{
    if (cluster->n_groups > 0) {
        cluster->nodes = 0;
        for (guint i = 0; i < cluster->n_groups; i++) {
            cluster->nodes += cluster->groups[i].nodes;
        }
    }
    return cluster->nodes;
}

static guint count_added(AftScenario *scenario)
{
    guint added = 0;
    for (guint i = 0; i < scenario->n_timeline; i++) {
        AftAction *action = &scenario->timeline[i];
        if (action->kind == AFT_ACTION_ADD) {
            action->first_node = scenario->cluster.nodes + added;
            added += action->nodes;
        }
    }
    return added;
}

static void fill_start(AftClusterSpec *cluster)
{
    guint node = 0;
    for (guint i = 0; i < MAX(cluster->n_groups, 1); i++) {
        const AftNodeGroupSpec *group = cluster->n_groups > 0 ? &cluster->groups[i] : NULL;
        guint n = group != NULL ? group->nodes : cluster->nodes;
        for (guint of_group = 0; of_group < n; of_group++, node++) {
            guint dealt = (guint)((guint64)of_group * cluster->racks / n);
            cluster->sites[node] = (AftSite){
                .spec = group != NULL ? &group->node : &cluster->node,
                .rack = group != NULL && group->rack >= 0 ? (guint)group->rack : dealt,
            };
        }
    }
}

/* The rack with the fewest nodes of the first @n; equal: the lower number. */
static guint emptiest_rack(const AftClusterSpec *cluster, guint n)
{
    g_autofree guint *filled = g_new0(guint, cluster->racks);
    guint best = 0;
    for (guint node = 0; node < n; node++) {
        filled[cluster->sites[node].rack]++;
    }
    for (guint rack = 1; rack < cluster->racks; rack++) {
        best = filled[rack] < filled[best] ? rack : best;
    }
    return best;
}

static void fill_added(AftClusterSpec *cluster)
{
    for (guint node = cluster->nodes; node < cluster->n_sites; node++) {
        cluster->sites[node] = (AftSite){
            .spec = cluster->sites[cluster->nodes - 1].spec,
            .rack = emptiest_rack(cluster, node),
            .later = TRUE,
        };
    }
}

void aft_check_sites(AftCheck *check)
{
    AftClusterSpec *cluster = &check->scenario->cluster;
    g_clear_pointer(&cluster->sites, g_free);
    cluster->n_sites = 0;
    if (!aft_check_sound(check, "cluster") || count_start(cluster) == 0) {
        return;
    }
    cluster->n_sites = cluster->nodes + count_added(check->scenario);
    cluster->sites = g_new0(AftSite, cluster->n_sites);
    fill_start(cluster);
    fill_added(cluster);
}
