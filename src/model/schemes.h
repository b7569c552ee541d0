/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schemes.h - the plans behind the table of protection schemes, one file each, and what they are
 * written with: sets of members, a bit for each, and stages that are built step by step.
 */
#pragma once

#include <aftershock/model/protection.h>

/** The members @first to @first + @n - 1. */
static inline guint32 aft_members(guint first, guint n)
{
    return (guint32)(((G_GUINT64_CONSTANT(1) << n) - 1) << first);
}

static inline guint aft_members_count(guint32 members)
{
    return (guint)__builtin_popcount(members);
}

/** Appends to the last stage of @plan a step for each of @members, in order. */
void aft_plan_add(AftPlan *plan, guint32 members, gboolean write);

/** Closes the stage under construction, if it has any step. */
void aft_plan_end_stage(AftPlan *plan);

/** A repair or a move: reads @sources, then writes @member. */
void aft_plan_transfer(AftPlan *plan, guint32 sources, guint member);

/** Whole copies: a read takes one current copy, a write goes to all. */
void aft_plan_replication(const AftProtectionSpec *spec, const AftPlanRequest *request,
                          AftPlan *ret_plan);

/** k data and m parity units. A write of part of a stripe reads old data and parity
 *  (read-modify-write), or the data it does not write (reconstruct-write), whichever is fewer. */
void aft_plan_parity(const AftProtectionSpec *spec, const AftPlanRequest *request,
                     AftPlan *ret_plan);

/** k data units in l groups, a parity for each group and r over all: an LRC(k, l, r) that recovers
 *  whatever a code with such groups can. With f of a group's k / l + 1 members missing, the data is
 *  readable as long as the sum over groups of max(0, f - 1), and the global parity missing, come to
 *  at most r. What a group can do alone costs k / l reads, all else k. */
void aft_plan_lrc(const AftProtectionSpec *spec, const AftPlanRequest *request, AftPlan *ret_plan);
gboolean aft_lrc_readable(const AftProtectionSpec *spec, guint32 current);
guint aft_lrc_spare(const AftProtectionSpec *spec, guint32 current);
