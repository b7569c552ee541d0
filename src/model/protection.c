/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schemes.h"

#include <aftershock/model/protection.h>
#include <aftershock/scenario/schemes.h>

#include <string.h>

/* Of copies and of k+m, any k members will do. */
static gboolean any_k_read(const AftProtectionSpec *spec, guint32 current)
{
    return aft_members_count(current) >= spec->data;
}

static guint any_k_spare(const AftProtectionSpec *spec, guint32 current)
{
    return aft_members_count(current) - spec->data;
}

const AftProtection *aft_protection_all(guint *ret_n)
{
    static const AftProtection schemes[] = {
        [AFT_SCHEME_NONE] = {"none", "one copy: nothing survives its loss", FALSE, any_k_read,
                             any_k_spare, aft_plan_replication},
        [AFT_SCHEME_REPLICATION] = {"replication", "whole copies: rf2, rf3, raid1, raid10", FALSE,
                                    any_k_read, any_k_spare, aft_plan_replication},
        [AFT_SCHEME_PARITY] = {"parity",
                               "k data and m parity units: raid0 (none), raid5, raid6, ec", TRUE,
                               any_k_read, any_k_spare, aft_plan_parity},
        [AFT_SCHEME_LRC] = {"lrc", "k data units, l parities of a group each and r of all", TRUE,
                            aft_lrc_readable, aft_lrc_spare, aft_plan_lrc},
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
    return aft_scheme_width(spec);
}

gboolean aft_protection_readable(const AftProtectionSpec *spec, guint32 current)
{
    return aft_protection_get(spec->kind)->readable(spec, current);
}

guint aft_protection_spare(const AftProtectionSpec *spec, guint32 current)
{
    g_assert(aft_protection_readable(spec, current));
    return aft_protection_get(spec->kind)->spare(spec, current);
}

guint aft_protection_units(const AftProtectionSpec *spec, guint64 block_bytes)
{
    guint64 units = (block_bytes + spec->stripe_unit_bytes - 1) / spec->stripe_unit_bytes;
    return (guint)MIN(units, spec->data);
}

guint aft_protection_choices(const AftProtectionSpec *spec, guint units)
{
    return aft_protection_get(spec->kind)->striped ? spec->data - units + 1
                                                   : aft_protection_width(spec);
}

guint32 aft_protection_everyone(const AftProtectionSpec *spec)
{
    return aft_members(0, aft_protection_width(spec));
}

double aft_protection_overhead(const AftProtectionSpec *spec)
{
    return (double)aft_protection_width(spec) / (double)spec->data;
}

void aft_protection_plan(const AftProtectionSpec *spec, const AftPlanRequest *request,
                         AftPlan *ret_plan)
{
    memset(ret_plan, 0, sizeof(*ret_plan));
    if (aft_protection_readable(spec, request->current)) {
        ret_plan->possible = TRUE;
        aft_protection_get(spec->kind)->plan(spec, request, ret_plan);
        aft_plan_end_stage(ret_plan);
    }
}

void aft_plan_add(AftPlan *plan, guint32 members, gboolean write)
{
    guint *end = &plan->stage_begin[plan->n_stages + 1];
    *end = MAX(*end, plan->stage_begin[plan->n_stages]);
    for (guint32 rest = members; rest != 0; rest &= rest - 1) {
        plan->step[(*end)++] = (AftStep){(guint8)__builtin_ctz(rest), write ? 1 : 0};
    }
}

void aft_plan_end_stage(AftPlan *plan)
{
    if (plan->n_stages < AFT_STAGES_MOST &&
        plan->stage_begin[plan->n_stages + 1] > plan->stage_begin[plan->n_stages]) {
        plan->n_stages++;
    }
}

void aft_plan_transfer(AftPlan *plan, guint32 sources, guint member)
{
    aft_plan_add(plan, sources, FALSE);
    aft_plan_end_stage(plan);
    aft_plan_add(plan, aft_members(member, 1), TRUE);
}
