/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

void aft_check_nodes(AftCheck *check, AftNodeCheck function, gpointer data)
{
    AftClusterSpec *cluster = &check->scenario->cluster;
    if (cluster->n_groups == 0) {
        function(check, "cluster.node", &cluster->node, cluster->nodes, data);
    }
    for (guint i = 0; i < cluster->n_groups; i++) {
        g_autofree char *item = g_strdup_printf("cluster.groups[%u].node", i);
        function(check, item, &cluster->groups[i].node, cluster->groups[i].nodes, data);
    }
}

static void check_controller(AftCheck *check, const char *node_item, AftNodeSpec *node, guint n,
                             gpointer data)
{
    (void)node;
    (void)n;
    (void)data;
    static const char *const keys[] = {"io", "per_mib", "latency.read", "latency.write"};
    g_autofree char *item = g_strdup_printf("%s.controller", node_item);
    if (aft_check_written(check, item, "slots")) {
        return;
    }
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (aft_check_written(check, item, keys[i])) {
            aft_check_error(check, item, "slots", NULL,
                            "missing, a controller needs a whole number (0: no controller)");
            return;
        }
    }
}

static void count_disk_groups(AftCheck *check, const char *item, AftNodeSpec *node, guint n,
                              gpointer data)
{
    (void)check;
    (void)item;
    (void)n;
    *(guint *)data += node->n_disk_groups;
}

/* Some node holds data. */
static void check_any_disks(AftCheck *check, const char *node_item)
{
    guint disk_groups = 0;
    aft_check_nodes(check, count_disk_groups, &disk_groups);
    if (disk_groups == 0 && aft_check_sound(check, node_item)) {
        aft_check_missing(check, node_item, "disk_groups.capacity.device");
    }
}

/* What the nodes are made of is said once: for all of them, or group by group. */
static void check_form(AftCheck *check)
{
    gboolean mixed = check->scenario->cluster.n_groups > 0;
    gboolean nodes = aft_check_written(check, "cluster", "nodes");
    gboolean node = aft_check_written_below(check, "cluster.node", 0) > 0;
    if (mixed && (nodes || node)) {
        aft_check_error(check, "cluster", nodes ? "nodes" : "node", NULL,
                        "a cluster has groups, or nodes that are all alike: write one of them");
        return;
    }
    if (!mixed && !nodes) {
        aft_check_missing(check, "cluster", "nodes");
    }
    check_any_disks(check, mixed ? "cluster.groups[0].node" : "cluster.node");
}

static void check_racks(AftCheck *check)
{
    const AftClusterSpec *cluster = &check->scenario->cluster;
    if (!aft_check_sound(check, "cluster")) {
        return;
    }
    for (guint i = 0; i < cluster->n_groups; i++) {
        guint rack = cluster->groups[i].rack;
        if (rack != AFT_RACK_ALL && rack >= cluster->racks) {
            g_autofree char *item = g_strdup_printf("cluster.groups[%u]", i);
            aft_check_error(check, item, "rack", NULL,
                            "there is no rack %u: cluster.racks is %u, counted from 0", rack,
                            cluster->racks);
        }
    }
}

void aft_check_cluster(AftCheck *check)
{
    check_form(check);
    check_racks(check);
    aft_check_nodes(check, check_controller, NULL);
}
