/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maintenance.h - nodes that go down because somebody wants them to: their machines leave first,
 * and as much data as has to; then they are down for a while, which the cluster knows, and come
 * back.
 *
 *     leaving --> down --> back
 *        '--> refused: data that has to leave finds no other place, or the node has failed
 */
#pragma once

#include "model_parts.h"

/** Puts @node, which is up, into maintenance as @mode says, for @for_ns from when it is down. */
void aft_maintenance_begin(AftModel *model, guint node, AftMaintenanceMode mode, gint64 for_ns);

/** Puts all nodes into it, one after another, data accessible, for @each_ns each: the next when all
 *  is whole again. Those that are down when their turn comes are left out, which is told.
 *  Refused while another upgrade is under way. */
void aft_upgrade_begin(AftModel *model, gint64 each_ns);

/** Whether a node is still to go down. */
gboolean aft_maintenance_waits(const AftModel *model);

/** Lets what waits for data to arrive go on. Call whenever some has, or anything else changed. */
void aft_maintenance_look(AftModel *model);
