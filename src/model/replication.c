/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schemes.h"

/* The first current copy at or after @from, round the stripe. */
static guint current_copy(const AftPlanRequest *request, guint from, guint width)
{
    guint copy = from % width;
    while (!(request->current >> copy & 1)) {
        copy = (copy + 1) % width;
    }
    return copy;
}

static void write_current(const AftPlanRequest *request, guint width, AftPlan *ret_plan)
{
    for (guint copy = 0; copy < width; copy++) {
        if (request->current >> copy & 1) {
            aft_plan_add(ret_plan, copy, TRUE);
        }
    }
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
        write_current(request, width, ret_plan);
        ret_plan->degraded = request->current != aft_protection_everyone(spec);
        break;
    case AFT_OPERATION_REPAIR:
        aft_plan_add(ret_plan, current_copy(request, request->turn, width), FALSE);
        aft_plan_end_stage(ret_plan);
        aft_plan_add(ret_plan, request->first, TRUE);
        break;
    case AFT_OPERATION_MOVE:
        aft_plan_add(ret_plan, request->first, FALSE);
        aft_plan_end_stage(ret_plan);
        aft_plan_add(ret_plan, request->first, TRUE);
        break;
    }
}
