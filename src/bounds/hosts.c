/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hosts.h"

/* Machines on every node. */
typedef struct {
    guint *machines;
    guint8 *wanted; /* non-zero: `on` names it */
    guint nodes;
    guint down; /* this one is dead, if it is a node */
} Hosts;

/* Where a machine without a host goes on: where fewest run, nodes of `on` before all others. */
static guint next_host(const Hosts *hosts, guint vms)
{
    guint best = 0, best_rank = G_MAXUINT;
    for (guint node = 0; node < hosts->nodes; node++) {
        guint rank = hosts->machines[node] + (hosts->wanted[node] != 0 ? 0 : vms + 1);
        if (node != hosts->down && rank < best_rank) {
            best = node;
            best_rank = rank;
        }
    }
    return best;
}

static void place_machines(const AftWorkloadSpec *spec, Hosts *hosts)
{
    for (guint i = 0; i < spec->n_on_nodes; i++) {
        hosts->wanted[spec->on_nodes[i]] = 1;
    }
    for (guint vm = 0; vm < spec->vms; vm++) {
        hosts->machines[spec->on_nodes[vm % spec->n_on_nodes]]++;
    }
    guint homeless = hosts->down < hosts->nodes ? hosts->machines[hosts->down] : 0;
    for (guint vm = 0; vm < homeless; vm++) {
        hosts->machines[next_host(hosts, spec->vms)]++;
    }
}

double *aft_hosts_shares(const AftWorkloadSpec *spec, guint nodes, guint down)
{
    g_autofree guint *machines = g_new0(guint, nodes);
    g_autofree guint8 *wanted = g_new0(guint8, nodes);
    double *shares = g_new(double, nodes);
    Hosts hosts = {machines, wanted, nodes, down};
    place_machines(spec, &hosts);
    guint n = 0;
    for (guint node = 0; node < nodes; node++) {
        if (node != down) {
            shares[n++] = (double)machines[node] / spec->vms;
        }
    }
    return shares;
}
