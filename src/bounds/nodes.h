/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nodes.h - the nodes of a cluster in one of its states, as a pool sees them.
 *
 * Nodes that are made alike and have the same share of the pool's data are of one kind. With one
 * node down, it is the first of those that have the most capacity: any other of its kind would be
 * the same but for the machines on it.
 */
#pragma once

#include <aftershock/bounds/bounds.h>

typedef struct {
    const AftNodeSpec *spec;
    double share; /* of the members on live nodes: on one of these */
    guint n;      /* live */
} AftNodeKind;

typedef struct {
    const AftScenario *scenario; /* borrowed */
    AftNodeKind *kind;
    guint n_kinds;
    guint *kind_of; /* by number of the node, those that are down included */
    guint n, live;  /* nodes */
    guint down;     /* number of the one that is down; n: none */
    double missing; /* share of members that were there; 1: all, and no kind has a share */
    double shared;  /* chance that another member of a stripe is on the node of one */
    gboolean told;  /* FALSE: a node that is down may have several members of a stripe */
} AftNodes;

/** The nodes of @scenario (borrowed), with their shares of @pool. Clear with aft_nodes_clear(). */
void aft_nodes_init(AftNodes *nodes, const AftScenario *scenario, const AftPoolSpec *pool,
                    AftClusterState state);

void aft_nodes_clear(AftNodes *nodes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AftNodes, aft_nodes_clear)

/** The node that is down in @state, the number of nodes when none is. */
guint aft_nodes_down(const AftScenario *scenario, AftClusterState state);

/** Devices of live nodes. */
guint aft_nodes_cache_devices(const AftNodes *nodes);
guint aft_nodes_capacity_devices(const AftNodes *nodes);

/** The chance that two members of different stripes are on one node. */
double aft_nodes_same(const AftNodes *nodes);
