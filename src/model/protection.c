/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schemes.h"

#include <aftershock/model/protection.h>

#include <string.h>

const AftProtection *aft_protection_all(guint *ret_n)
{
    static const AftProtection schemes[] = {
        [AFT_SCHEME_NONE] = {"none", "one copy: nothing survives its loss", aft_plan_replication},
        [AFT_SCHEME_REPLICATION] = {"replication", "whole copies: rf2, rf3, raid1",
                                    aft_plan_replication},
        [AFT_SCHEME_PARITY] = {"parity", "k data and m parity units: raid5, raid6, ec",
                               aft_plan_parity},
    };
    *ret_n = G_N_ELEMENTS(schemes);
    return schemes;
}

const AftProtection *aft_protection_get(AftSchemeKind kind)
{
    guint n;
    const AftProtection *schemes = aft_protection_all(&n);
    g_assert((guint)kind < n);
    return &schemes[kind];
}

guint aft_protection_width(const AftProtectionSpec *spec)
{
    return spec->data + spec->parity;
}

guint aft_protection_needed(const AftProtectionSpec *spec)
{
    return spec->data;
}

guint aft_protection_choices(const AftProtectionSpec *spec, guint units)
{
    return spec->kind == AFT_SCHEME_PARITY ? spec->data - units + 1 : aft_protection_width(spec);
}

guint32 aft_protection_everyone(const AftProtectionSpec *spec)
{
    return (guint32)((G_GUINT64_CONSTANT(1) << aft_protection_width(spec)) - 1);
}

double aft_protection_overhead(const AftProtectionSpec *spec)
{
    return (double)aft_protection_width(spec) / (double)spec->data;
}

void aft_protection_plan(const AftProtectionSpec *spec, const AftPlanRequest *request,
                         AftPlan *ret_plan)
{
    memset(ret_plan, 0, sizeof(*ret_plan));
    if ((guint)__builtin_popcount(request->current) >= aft_protection_needed(spec)) {
        ret_plan->possible = TRUE;
        aft_protection_get(spec->kind)->plan(spec, request, ret_plan);
        aft_plan_end_stage(ret_plan);
    }
}

void aft_plan_add(AftPlan *plan, guint member, gboolean write)
{
    guint *end = &plan->stage_begin[plan->n_stages + 1];
    *end = MAX(*end, plan->stage_begin[plan->n_stages]);
    plan->step[(*end)++] = (AftStep){(guint8)member, write ? 1 : 0};
}

void aft_plan_end_stage(AftPlan *plan)
{
    if (plan->n_stages < AFT_STAGES_MOST &&
        plan->stage_begin[plan->n_stages + 1] > plan->stage_begin[plan->n_stages]) {
        plan->n_stages++;
    }
}
