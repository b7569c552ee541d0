/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schemes.h"

/* The first current copy at or after @from, round the stripe. */
static guint32 current_copy(const AftPlanRequest *request, guint from, guint width)
{
    guint copy = from % width;
    while (!(request->current >> copy & 1)) {
        copy = (copy + 1) % width;
    }
    return aft_members(copy, 1);
}

void aft_plan_replication(const AftProtectionSpec *spec, const AftPlanRequest *request,
                          AftPlan *ret_plan)
{
    guint width = aft_protection_width(spec);
    switch (request->operation) {
    case AFT_OPERATION_READ: /* any copy will do: reading another one is no extra work */
        aft_plan_add(ret_plan, current_copy(request, request->first, width), FALSE);
        break;
    case AFT_OPERATION_WRITE:
        aft_plan_add(ret_plan, request->current, TRUE);
        ret_plan->degraded = request->current != aft_protection_everyone(spec);
        break;
    case AFT_OPERATION_REPAIR:
        aft_plan_transfer(ret_plan, current_copy(request, request->turn, width), request->first);
        break;
    case AFT_OPERATION_MOVE:
        aft_plan_transfer(ret_plan, aft_members(request->first, 1), request->first);
        break;
    case AFT_OPERATION_SCRUB:
        aft_plan_add(ret_plan, aft_members(request->first, 1), FALSE);
        break;
    }
}
