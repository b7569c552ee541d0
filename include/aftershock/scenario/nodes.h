/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nodes.h - what a node is made of, in numbers. */
#pragma once

#include <aftershock/scenario/scenario.h>

guint aft_node_cache_devices(const AftNodeSpec *node);
guint aft_node_capacity_devices(const AftNodeSpec *node);

/** Bytes that its capacity devices hold. */
double aft_node_capacity_bytes(const AftNodeSpec *node);

/** Whether @a and @b, both of a resolved scenario, are made of the same. */
gboolean aft_node_is_alike(const AftNodeSpec *a, const AftNodeSpec *b);

/** How many nodes the cluster of @scenario (resolved) has at @at_ns, those added then included. */
guint aft_nodes_at(const AftScenario *scenario, gint64 at_ns);
