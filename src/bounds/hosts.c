/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hosts.h"

/* Machines on every node. */
typedef struct {
    const AftClusterSpec *cluster;
    guint *machines;
    guint8 *wanted; /* non-zero: `on` names it */
    guint down;     /* this one is dead, if it is a node */
} Hosts;

/* Where a machine without a host goes on: where fewest run, nodes of `on` before all others.
 * Returns: the number of nodes when there is none. */
static guint next_host(const Hosts *hosts, guint vms)
{
    guint best = hosts->cluster->nodes, best_rank = G_MAXUINT;
    for (guint node = 0; node < hosts->cluster->nodes; node++) {
        guint rank = hosts->machines[node] + (hosts->wanted[node] != 0 ? 0 : vms + 1);
        if (node != hosts->down && rank < best_rank && hosts->cluster->sites[node].spec->compute) {
            best = node;
            best_rank = rank;
        }
    }
    return best;
}

/* Returns: whether all of them find a host. */
static gboolean place_machines(const AftWorkloadSpec *spec, Hosts *hosts)
{
    guint nodes = hosts->cluster->nodes;
    for (guint i = 0; i < spec->n_on_nodes; i++) {
        hosts->wanted[spec->on_nodes[i]] = 1;
    }
    for (guint vm = 0; vm < spec->vms; vm++) {
        hosts->machines[spec->on_nodes[vm % spec->n_on_nodes]]++;
    }
    guint homeless = hosts->down < nodes ? hosts->machines[hosts->down] : 0;
    for (guint vm = 0; vm < homeless; vm++) {
        guint host = next_host(hosts, spec->vms);
        if (host == nodes) {
            return FALSE;
        }
        hosts->machines[host]++;
    }
    return TRUE;
}

double *aft_hosts_shares(const AftWorkloadSpec *spec, const AftClusterSpec *cluster, guint down)
{
    guint nodes = cluster->nodes;
    g_autofree guint *machines = g_new0(guint, nodes);
    g_autofree guint8 *wanted = g_new0(guint8, nodes);
    Hosts hosts = {cluster, machines, wanted, down};
    if (!place_machines(spec, &hosts)) {
        return NULL;
    }
    double *shares = g_new(double, nodes);
    for (guint node = 0; node < nodes; node++) {
        shares[node] = node == down ? 0.0 : (double)machines[node] / spec->vms;
    }
    return shares;
}
