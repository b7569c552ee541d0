/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every node there ever is, in the order in which they are counted: those of the start, group by
 * group, then those that the timeline adds, which are like the last of the start. */
#include "check.h"

/* Nodes of the start; 64 bits hold what nobody has bounded yet. */
static guint64 count_start(const AftClusterSpec *cluster)
{
    guint64 nodes = cluster->n_groups > 0 ? 0 : cluster->nodes;
    for (guint i = 0; i < cluster->n_groups; i++) {
        nodes += cluster->groups[i].nodes;
    }
    return nodes;
}

static guint64 count_added(const AftScenario *scenario)
{
    guint64 added = 0;
    for (guint i = 0; i < scenario->n_timeline; i++) {
        const AftAction *action = &scenario->timeline[i];
        added += action->kind == AFT_ACTION_ADD ? action->nodes : 0;
    }
    return added;
}

static void number_added(AftScenario *scenario)
{
    guint node = scenario->cluster.nodes;
    for (guint i = 0; i < scenario->n_timeline; i++) {
        AftAction *action = &scenario->timeline[i];
        if (action->kind == AFT_ACTION_ADD) {
            action->first_node = node;
            node += action->nodes;
        }
    }
}

static void fill_start(AftClusterSpec *cluster)
{
    guint node = 0;
    for (guint i = 0; i < MAX(cluster->n_groups, 1); i++) {
        const AftNodeGroupSpec *group = cluster->n_groups > 0 ? &cluster->groups[i] : NULL;
        guint n = group != NULL ? group->nodes : cluster->nodes;
        for (guint of_group = 0; of_group < n; of_group++, node++) {
            gboolean one_rack = group != NULL && group->rack != AFT_RACK_ALL;
            guint dealt = (guint)((guint64)of_group * cluster->racks / n);
            cluster->sites[node] = (AftSite){
                .spec = group != NULL ? &group->node : &cluster->node,
                .rack = one_rack ? MIN(group->rack, cluster->racks - 1) : dealt,
            };
        }
    }
}

/* Each goes to the rack that has the fewest nodes then; equal: the lower number. Passing the racks
 * level by level finds them in that order. */
static void fill_added(AftClusterSpec *cluster)
{
    g_autofree guint *filled = g_new0(guint, cluster->racks);
    for (guint node = 0; node < cluster->nodes; node++) {
        filled[cluster->sites[node].rack]++;
    }
    guint node = cluster->nodes;
    for (guint level = 0; node < cluster->n_sites; level++) {
        for (guint rack = 0; rack < cluster->racks && node < cluster->n_sites; rack++) {
            if (filled[rack] == level) {
                filled[rack]++;
                cluster->sites[node++] = (AftSite){
                    .spec = cluster->sites[cluster->nodes - 1].spec,
                    .rack = rack,
                    .later = TRUE,
                };
            }
        }
    }
}

static gboolean check_number(AftCheck *check, guint64 nodes, guint64 added)
{
    gboolean mixed = check->scenario->cluster.n_groups > 0;
    if (nodes + added > AFT_MOST_NODES) {
        aft_check_error(check, "cluster", mixed ? "groups" : "nodes", NULL,
                        "expected at most %u nodes, those that are added included, got "
                        "%" G_GUINT64_FORMAT,
                        AFT_MOST_NODES, nodes + added);
        return FALSE;
    }
    return nodes > 0;
}

void aft_check_sites(AftCheck *check)
{
    AftClusterSpec *cluster = &check->scenario->cluster;
    guint64 nodes = count_start(cluster), added = count_added(check->scenario);
    g_clear_pointer(&cluster->sites, g_free);
    cluster->n_sites = 0;
    if (!aft_check_sound(check, "cluster") || !check_number(check, nodes, added)) {
        return;
    }
    cluster->nodes = (guint)nodes;
    cluster->n_sites = (guint)(nodes + added);
    cluster->sites = g_new0(AftSite, cluster->n_sites);
    number_added(check->scenario);
    fill_start(cluster);
    fill_added(cluster);
}
