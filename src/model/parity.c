/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schemes.h"

/* Any k current members give the stripe back. Takes @wanted and fills up to k from the others,
 * going round from member @from so that the choice spreads over groups and units. */
static guint32 enough_to_decode(const AftProtectionSpec *spec, guint32 current, guint32 wanted,
                                guint from)
{
    guint width = aft_protection_width(spec);
    guint32 chosen = wanted & current;
    for (guint i = 0; i < width && aft_members_count(chosen) < spec->data; i++) {
        chosen |= current & aft_members((from + i) % width, 1);
    }
    return chosen;
}

static void plan_read(const AftProtectionSpec *spec, const AftPlanRequest *request, AftPlan *plan)
{
    guint32 wanted = aft_members(request->first, request->units);
    plan->degraded = (wanted & ~request->current) != 0;
    aft_plan_add(plan,
                 plan->degraded
                     ? enough_to_decode(spec, request->current, wanted, request->first + 1)
                     : wanted,
                 FALSE);
}

/* What has to be read before a write of @target can update the current @parity: the old target and
 * parity (read-modify-write), the other data (reconstruct-write), or enough to decode what is
 * missing; the fewest, and read-modify-write where it costs no more. */
static guint32 reads_for_write(const AftProtectionSpec *spec, guint32 target, guint32 parity,
                               guint32 current, guint from)
{
    guint32 others = aft_members(0, spec->data) & ~target;
    guint32 fewest = enough_to_decode(spec, current, 0, from);
    if (parity == 0) {
        return 0;
    }
    if ((others & ~current) == 0) {
        fewest = others; /* fewer than k */
    }
    if ((target & ~current) == 0 &&
        aft_members_count(target | parity) <= aft_members_count(fewest)) {
        fewest = target | parity;
    }
    return fewest;
}

static void plan_write(const AftProtectionSpec *spec, const AftPlanRequest *request, AftPlan *plan)
{
    guint32 target = aft_members(request->first, request->units);
    guint32 everyone = aft_protection_everyone(spec),
            all_parity = aft_members(spec->data, spec->parity);
    guint32 parity = all_parity & request->current;
    guint from = request->first + 1;
    aft_plan_add(plan, reads_for_write(spec, target, parity, request->current, from), FALSE);
    aft_plan_end_stage(plan);
    aft_plan_add(plan, (target & request->current) | parity, TRUE);
    guint32 used = target | all_parity | reads_for_write(spec, target, all_parity, everyone, from);
    plan->degraded = (used & ~request->current) != 0;
}

void aft_plan_parity(const AftProtectionSpec *spec, const AftPlanRequest *request,
                     AftPlan *ret_plan)
{
    switch (request->operation) {
    case AFT_OPERATION_READ:
        plan_read(spec, request, ret_plan);
        break;
    case AFT_OPERATION_WRITE:
        plan_write(spec, request, ret_plan);
        break;
    case AFT_OPERATION_REPAIR:
        aft_plan_transfer(ret_plan,
                          enough_to_decode(spec, request->current & ~aft_members(request->first, 1),
                                           0, request->turn),
                          request->first);
        break;
    case AFT_OPERATION_MOVE:
        aft_plan_transfer(ret_plan, aft_members(request->first, 1), request->first);
        break;
    case AFT_OPERATION_SCRUB:
        aft_plan_add(ret_plan, aft_members(request->first, 1), FALSE);
        break;
    }
}
