/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - how long the parts of a node take for a visit, on average, when nobody waits.
 *
 * Where a node has devices of several kinds, averages go by size, as placement does. Seconds.
 */
#pragma once

#include <aftershock/bounds/bounds.h>

/** At the controller; 0 without one. */
double aft_parts_controller_s(const AftNodeSpec *node, double bytes);

/** On one direction of the NIC; 0 without one. */
double aft_parts_wire_s(const AftNodeSpec *node, double bytes);

/** On the device that serves a member's reads, or takes its writes, transfer and access. */
double aft_parts_device_s(const AftNodeSpec *node, gboolean write, double bytes);

/** From the start of a sub-operation of @bytes until it is done, when a share @remote of them
 *  cross the network. */
double aft_parts_path_s(const AftNodeSpec *node, gboolean write, double bytes, double remote);

/** Writes what @reads and @writes of @bytes, on the members of one node, demand of its devices to
 *  the rows of @demand that are about devices. */
void aft_parts_demand(const AftNodeSpec *node, double reads, double writes, double bytes,
                      AftDemand *demand);

/** The share of a node's members that have a cache device in front. */
double aft_parts_cached_share(const AftNodeSpec *node);

/** Devices of a node. */
guint aft_parts_cache_devices(const AftNodeSpec *node);
guint aft_parts_capacity_devices(const AftNodeSpec *node);

/** Bytes that the capacity devices of a node hold. */
double aft_parts_capacity_bytes(const AftNodeSpec *node);
