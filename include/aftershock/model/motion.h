/* SPDX-License-Identifier: GPL-3.0-or-later */
/* motion.h - how fast everything slow moves while a cluster stays in one state.
 *
 * A motion is measured in a model that simulates I/O, and carries another one that does not:
 *
 *     aft_motion_begin(motion, measured);
 *     ...                                          windows of I/O
 *     aft_motion_end(motion, measured, pace);
 *     aft_motion_skip(motion, quiet, by_ns);       served, owed, bytes, fill: at these paces
 *
 * Machines of one workload and, in clusters of up to 16 nodes, of one node that owe alike have one
 * pace, the mean of theirs: what chance made of each would else make them end at different times.
 * So have buffers that are equally full, of nodes that are alike.
 */
#pragma once

#include <aftershock/model/model.h>
#include <aftershock/model/pace.h>

typedef struct AftMotion AftMotion;

/** Returns: (transfer full): of the state that @model is in: which machines owe, how full buffers
 *  are. */
AftMotion *aft_motion_new(const AftModel *model);

void aft_motion_free(AftMotion *motion);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftMotion, aft_motion_free)

/** What moves in @model is counted from here. */
void aft_motion_begin(AftMotion *motion, AftModel *model);

/** Up to here, some time later; of tasks and buffers @pace (nullable; NULL: it was all simulated)
 *  knows more than counting does. */
void aft_motion_end(AftMotion *motion, AftModel *model, const AftPace *pace);

/** When, after how many ns, at the earliest a node's work of some task ends in @model, or owed work
 *  of some machine. G_MAXINT64: none does. */
gint64 aft_motion_end_ns(const AftMotion *motion, const AftModel *model);

/** How fast work of @task ends in all of @model, and how fast buffer @index fills, bytes a second.
 */
double aft_motion_task_per_s(const AftMotion *motion, const AftModel *model, AftTaskKind task);
double aft_motion_fill_per_s(const AftMotion *motion, guint index);

/** I/Os a second that come by clocks, if all are served as they come; else NaN. */
double aft_motion_clock_per_s(const AftMotion *motion);

/** How fast what machine @index owes grows, I/Os a second; machines count on from workload to
 *  workload. */
double aft_motion_owed_per_s(const AftMotion *motion, guint index);

/** How fast buffer @index warms, bytes a second. */
double aft_motion_warm_per_s(const AftMotion *motion, guint index);

/** Carries quiet @model on by @by_ns. Returns: how long each I/O that this served had waited as
 * owed work, ns, in the mean over all of them; below 0: nothing was owed. */
double aft_motion_skip(const AftMotion *motion, AftModel *model, gint64 by_ns);
