/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "conversion.h"
#include "sectors.h"

#include <aftershock/model/kinds.h>

/* What a unit reads, and when. */
typedef struct {
    guint64 offset, bytes;
    guint turn; /* spreads the choice of sources over groups and units */
    gboolean simulated;
} Range;

static const char *name_of(AftTaskKind task)
{
    guint n;
    return aft_task_kinds(&n)[task].name;
}

static AftOperation operation_of(const AftTransfer *transfer, guint32 current)
{
    if (transfer->task == AFT_TASK_SCRUB) {
        return AFT_OPERATION_SCRUB;
    }
    gboolean moves = transfer->task != AFT_TASK_REBUILD && (current >> transfer->member & 1) != 0;
    return moves ? AFT_OPERATION_MOVE : AFT_OPERATION_REPAIR;
}

static void plan_from(const AftTransfer *transfer, guint32 current, guint turn, AftPlan *plan)
{
    AftPlanRequest wish = {
        .operation = operation_of(transfer, current),
        .first = transfer->member,
        .units = 1,
        .current = current,
        .turn = turn,
    };
    aft_protection_plan(&aft_pool_layout(transfer->pool, transfer->group)->spec, &wish, plan);
}

/* Reads what @plan reads. Returns: the members that have errors there. */
static guint32 read_all(const AftTransfer *transfer, const AftPlan *plan, const Range *range)
{
    const AftPool *pool = transfer->pool;
    guint32 bad = 0;
    for (guint i = 0; i < plan->stage_begin[plan->n_stages]; i++) {
        const AftStep *step = &plan->step[i];
        guint32 device = aft_pool_member(pool, transfer->group, step->member)->device;
        if (!step->write &&
            aft_sectors_read(pool->sectors, transfer->group, device, range->offset, range->bytes,
                             name_of(transfer->task), range->simulated)) {
            bad |= 1u << step->member;
        }
    }
    return bad;
}

/* Plans again and again without the sources that had errors, which are repaired beside. Where too
 * few are left, what could not be read is lost already, or will be there when it is wanted: the
 * unit goes on with all. */
static void plan_around_errors(const AftTransfer *transfer, const Range *range, AftPlan *plan)
{
    const AftProtectionSpec *spec = &aft_pool_layout(transfer->pool, transfer->group)->spec;
    guint32 all = transfer->pool->groups[transfer->group].current, current = all;
    guint32 bad;
    while ((bad = read_all(transfer, plan, range)) != 0 && transfer->task != AFT_TASK_SCRUB) {
        current = aft_protection_readable(spec, current & ~bad) ? current & ~bad : all;
        plan_from(transfer, current, range->turn, plan);
    }
}

static void plan_member(const AftTransfer *transfer, const Range *range, AftPlan *plan)
{
    const AftGroup *group = &transfer->pool->groups[transfer->group];
    plan_from(transfer, group->current, range->turn, plan);
    if (group->spoiled) {
        plan_around_errors(transfer, range, plan);
    }
}

static guint turn_of(const AftTransfer *transfer, guint64 offset)
{
    const AftTaskSpec *spec = &transfer->pool->topology->scenario->background.task[transfer->task];
    return transfer->group + (guint)(offset / spec->unit_bytes);
}

void aft_unit_plan(const AftTransfer *transfer, guint64 offset, guint64 bytes, AftRequest *request)
{
    Range range = {offset, bytes, turn_of(transfer, offset), TRUE};
    AftPlan *plan = &request->own_plan;
    request->plan = plan;
    if (transfer->conversion != NULL) {
        aft_conversion_plan_unit(transfer, range.turn, request);
        aft_conversion_meet(transfer, range.turn, offset, bytes, TRUE);
        return;
    }
    plan_member(transfer, &range, plan);
    for (guint i = 0; i < plan->stage_begin[plan->n_stages]; i++) {
        const AftStep *step = &plan->step[i];
        request->device[i] =
            step->write ? transfer->target
                        : aft_pool_member(transfer->pool, transfer->group, step->member)->device;
    }
}

static void skip_unit(const AftTransfer *transfer, guint64 offset, guint64 bytes)
{
    Range range = {offset, bytes, turn_of(transfer, offset), FALSE};
    if (transfer->conversion != NULL) {
        aft_conversion_meet(transfer, range.turn, offset, bytes, FALSE);
    } else if (transfer->pool->groups[transfer->group].spoiled) {
        AftPlan plan;
        plan_member(transfer, &range, &plan);
    }
}

void aft_unit_skip(const AftTransfer *transfer, guint64 offset, guint64 bytes)
{
    const AftPool *pool = transfer->pool;
    if (pool->sectors == NULL || aft_sectors_latent(pool->sectors) == 0) {
        return;
    }
    guint64 unit_bytes = pool->topology->scenario->background.task[transfer->task].unit_bytes;
    for (guint64 end = offset + bytes; offset < end; offset += unit_bytes) {
        skip_unit(transfer, offset, MIN(unit_bytes, end - offset));
    }
}
