/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maintenance.h - nodes that go down because somebody wants them to. */
#pragma once

#include "model_parts.h"

/** Puts @node into maintenance as @mode says, for @for_ns from when it is down. */
void aft_maintenance_begin(AftModel *model, guint node, AftMaintenanceMode mode, gint64 for_ns);

/** Puts all nodes into it, one after another, for @each_ns each. */
void aft_upgrade_begin(AftModel *model, gint64 each_ns);

/** Whether a node is still to go down. */
gboolean aft_maintenance_waits(const AftModel *model);

/** Lets what waits for data to arrive go on. Call whenever some has, or anything else changed. */
void aft_maintenance_look(AftModel *model);
