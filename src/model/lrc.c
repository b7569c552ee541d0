/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schemes.h"

/* Members are in this order: k data units, group by group; a parity for each group; global ones. */

static guint group_units(const AftProtectionSpec *spec)
{
    return spec->data / spec->local;
}

static guint32 data_of(const AftProtectionSpec *spec, guint group)
{
    return aft_members(group * group_units(spec), group_units(spec));
}

static guint32 members_of(const AftProtectionSpec *spec, guint group)
{
    return data_of(spec, group) | aft_members(spec->data + group, 1);
}

static guint32 global_parity(const AftProtectionSpec *spec)
{
    return aft_members(spec->data + spec->local, spec->parity);
}

/* The parity of each group that has a unit in @target, and all global parity. */
static guint32 parity_over(const AftProtectionSpec *spec, guint32 target)
{
    guint32 parity = global_parity(spec);
    for (guint group = 0; group < spec->local; group++) {
        if ((target & data_of(spec, group)) != 0) {
            parity |= members_of(spec, group) & ~data_of(spec, group);
        }
    }
    return parity;
}

static gboolean misses_one(guint32 members, guint32 current)
{
    return aft_members_count(members & ~current) == 1;
}

/* How many of @members add to what the others tell. The last member of a group does not, the rest
 * of it tells the same; all others do, until k of them tell everything. That is the best any code
 * with such groups can do ("maximally recoverable"). */
static guint independent(const AftProtectionSpec *spec, guint32 members)
{
    guint n = aft_members_count(members & global_parity(spec));
    for (guint group = 0; group < spec->local; group++) {
        n += MIN(aft_members_count(members & members_of(spec, group)), group_units(spec));
    }
    return n;
}

gboolean aft_lrc_readable(const AftProtectionSpec *spec, guint32 current)
{
    return independent(spec, current) >= spec->data;
}

/* The worst that can be lost is what adds to the rest: one such member beyond those not needed is
 * fatal. When there are too few, whole groups have to lose one first, which costs nothing. */
guint aft_lrc_spare(const AftProtectionSpec *spec, guint32 current)
{
    guint spare = independent(spec, current) - spec->data;
    guint adding = aft_members_count(current & global_parity(spec)), whole = 0;
    for (guint group = 0; group < spec->local; group++) {
        guint32 members = members_of(spec, group);
        if ((members & ~current) == 0) {
            whole++;
        } else {
            adding += aft_members_count(members & current);
        }
    }
    guint fatal = spare + 1;
    for (; adding < fatal && whole > 0; whole--) {
        adding += group_units(spec);
        spare++;
    }
    return spare;
}

/* Members that tell everything: @wanted as far as they are current, filled up to k from the other
 * current ones that add to them, going round from member @from. */
static guint32 enough_to_decode(const AftProtectionSpec *spec, guint32 current, guint32 wanted,
                                guint from)
{
    guint width = aft_protection_width(spec);
    guint32 chosen = wanted & current;
    for (guint i = 0; i < width && aft_members_count(chosen) < spec->data; i++) {
        guint32 more = chosen | (current & aft_members((from + i) % width, 1));
        if (independent(spec, more) == aft_members_count(more)) {
            chosen = more;
        }
    }
    return chosen;
}

/* Adds to @reads what tells the data units @wanted, each group by itself: the units, or the rest of
 * the group for one that is missing. Returns: FALSE when a group has lost too much for that. */
static gboolean add_local_reads(const AftProtectionSpec *spec, guint32 current, guint32 wanted,
                                guint32 *reads)
{
    for (guint group = 0; group < spec->local; group++) {
        guint32 members = members_of(spec, group), units = wanted & members;
        if ((units & ~current) == 0) {
            *reads |= units;
        } else if (misses_one(members, current)) {
            *reads |= members & current;
        } else {
            return FALSE;
        }
    }
    return TRUE;
}

static void plan_read(const AftProtectionSpec *spec, const AftPlanRequest *request, AftPlan *plan)
{
    guint32 wanted = aft_members(request->first, request->units), reads = 0;
    plan->degraded = (wanted & ~request->current) != 0;
    if (!add_local_reads(spec, request->current, wanted, &reads)) {
        reads = enough_to_decode(spec, request->current, wanted, request->first + 1);
    }
    aft_plan_add(plan, reads, FALSE);
}

/* The parity of groups that are written whole follows from what is written. */
static guint32 without_whole_groups(const AftProtectionSpec *spec, guint32 parity, guint32 target)
{
    for (guint group = 0; group < spec->local; group++) {
        if ((data_of(spec, group) & ~target) == 0) {
            parity &= ~members_of(spec, group);
        }
    }
    return parity;
}

/* What has to be read before a write of @target can update @parity: the old target and parity
 * (read-modify-write), @others, the data beside it (reconstruct-write), or enough to decode;
 * the fewest, and read-modify-write where it costs no more. */
static guint32 fewest_reads(const AftProtectionSpec *spec, guint32 current, guint32 target,
                            guint32 parity, guint32 others, guint from)
{
    guint32 modify = without_whole_groups(spec, parity, target), rebuild = 0;
    gboolean can_modify = add_local_reads(spec, current, target, &modify);
    guint32 fewest = add_local_reads(spec, current, others, &rebuild)
                         ? rebuild /* at most k */
                         : enough_to_decode(spec, current, 0, from);
    return can_modify && aft_members_count(modify) <= aft_members_count(fewest) ? modify : fewest;
}

/* Global parity ties all groups together; without any, each cares for its own. */
static guint32 reads_for_write(const AftProtectionSpec *spec, guint32 current, guint32 target,
                               guint from)
{
    guint32 parity = parity_over(spec, target) & current, reads = 0;
    if ((parity & global_parity(spec)) != 0) {
        guint32 others = aft_members(0, spec->data) & ~target;
        return fewest_reads(spec, current, target, parity, others, from);
    }
    for (guint group = 0; group < spec->local; group++) {
        guint32 members = members_of(spec, group);
        if ((parity & members) != 0) {
            reads |= fewest_reads(spec, current, target & members, parity & members,
                                  data_of(spec, group) & ~target, from);
        }
    }
    return reads;
}

static void plan_write(const AftProtectionSpec *spec, const AftPlanRequest *request, AftPlan *plan)
{
    guint32 target = aft_members(request->first, request->units);
    guint32 everyone = aft_protection_everyone(spec), written = target | parity_over(spec, target);
    guint from = request->first + 1;
    aft_plan_add(plan, reads_for_write(spec, request->current, target, from), FALSE);
    aft_plan_end_stage(plan);
    aft_plan_add(plan, written & request->current, TRUE);
    guint32 used = written | reads_for_write(spec, everyone, target, from);
    plan->degraded = (used & ~request->current) != 0;
}

/* A member of a group comes from the rest of it if that is all there, global parity from the data
 * as far as it is; otherwise from what decodes them. */
static guint32 reads_for_repair(const AftProtectionSpec *spec, const AftPlanRequest *request)
{
    guint32 missing = aft_members(request->first, 1), current = request->current & ~missing;
    for (guint group = 0; group < spec->local; group++) {
        guint32 members = members_of(spec, group);
        if ((members & missing) != 0 && misses_one(members, current)) {
            return members & current;
        }
    }
    guint32 wanted = (missing & global_parity(spec)) != 0 ? aft_members(0, spec->data) : 0;
    return enough_to_decode(spec, current, wanted, request->turn);
}

void aft_plan_lrc(const AftProtectionSpec *spec, const AftPlanRequest *request, AftPlan *ret_plan)
{
    switch (request->operation) {
    case AFT_OPERATION_READ:
        plan_read(spec, request, ret_plan);
        break;
    case AFT_OPERATION_WRITE:
        plan_write(spec, request, ret_plan);
        break;
    case AFT_OPERATION_REPAIR:
        aft_plan_transfer(ret_plan, reads_for_repair(spec, request), request->first);
        break;
    case AFT_OPERATION_MOVE:
        aft_plan_transfer(ret_plan, aft_members(request->first, 1), request->first);
        break;
    case AFT_OPERATION_SCRUB:
        aft_plan_add(ret_plan, aft_members(request->first, 1), FALSE);
        break;
    }
}
