/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "conversion.h"

#include "conversion_parts.h"
#include "curator_parts.h"

#include <aftershock/model/kinds.h>

/* What is to become of a fresh member: its device, once it has one, or its node. */
typedef struct {
    gboolean up, known;
} Target;

static Target target_of(const AftPool *pool, const AftMember *member)
{
    const AftNode *node = &pool->topology->nodes[member->home];
    const AftDevice *device =
        member->device == AFT_NOWHERE ? NULL : &pool->topology->devices[member->device];
    return device == NULL ? (Target){node->alive, node->known}
                          : (Target){device->up, device->known};
}

static gboolean is_dead(Target target)
{
    return !target.up;
}

static gboolean is_known_dead(Target target)
{
    return !target.up && target.known;
}

static gboolean is_unknown(Target target)
{
    return !target.known;
}

/* Whether @test says TRUE of anything that it writes to. */
static gboolean any_target(const AftConversion *conversion, gboolean (*test)(Target target))
{
    const AftPool *pool = conversion->pool;
    for (guint p = 0; p < conversion->n_parts; p++) {
        for (guint m = 0; m < pool->width; m++) {
            const AftMember *member = aft_conversion_fresh(conversion->part[p], m);
            if (member != NULL && test(target_of(pool, member))) {
                return TRUE;
            }
        }
    }
    return FALSE;
}

gboolean aft_conversion_touches(const AftConversion *conversion, const AftMarks *marks)
{
    for (guint p = 0; p < conversion->n_parts; p++) {
        for (guint m = 0; m < conversion->pool->width; m++) {
            const AftMember *member = aft_conversion_fresh(conversion->part[p], m);
            if (member != NULL &&
                (marks->nodes[member->home] ||
                 (member->device != AFT_NOWHERE && marks->devices[member->device]))) {
                return TRUE;
            }
        }
    }
    return FALSE;
}

void aft_conversion_lose_device(AftConversion *conversion, guint32 device)
{
    for (guint p = 0; p < conversion->n_parts; p++) {
        for (guint m = 0; m < conversion->pool->width; m++) {
            const AftMember *member = aft_conversion_fresh(conversion->part[p], m);
            conversion->spoilt |= member != NULL && member->device == device;
        }
    }
}

gboolean aft_conversion_blocks(const AftConversion *conversion)
{
    return conversion->begun && aft_conversion_in_place(conversion) &&
           any_target(conversion, is_unknown);
}

gboolean aft_conversion_passed(const AftConversion *conversion, double position)
{
    return conversion->begun && aft_conversion_in_place(conversion) &&
           position < aft_transfer_progress(conversion->part[0]);
}

gboolean aft_conversion_may_go(const AftTransfer *transfer)
{
    const AftConversion *conversion = transfer->conversion;
    for (guint group = conversion->from.first; group < aft_groups_end(conversion->from); group++) {
        if (transfer->pool->groups[group].blocked > 0) {
            return FALSE;
        }
    }
    return !any_target(conversion, is_dead);
}

/* The layout that @group should come to next. */
static guint wanted_layout(const AftPool *pool, guint group)
{
    guint layout = pool->groups[group].layout;
    guint chunk = aft_pool_first_chunk(pool, group);
    guint first = pool->strip_chunks > 0 ? chunk - chunk % pool->strip_chunks : chunk;
    if (layout == pool->goal || first < pool->goal_from) {
        return layout;
    }
    gboolean codes = pool->layouts[layout].coded && pool->layouts[pool->goal].coded;
    return codes ? pool->via : pool->goal;
}

static void set_conversion(const AftConversion *conversion, AftConversion *value)
{
    for (guint group = conversion->from.first; group < aft_groups_end(conversion->from); group++) {
        conversion->pool->groups[group].conversion = value;
    }
}

static void start(AftCurator *curator, AftPool *pool, guint group, guint layout)
{
    AftConversion *conversion = aft_conversion_prepare(pool, group, layout);
    if (conversion != NULL) {
        set_conversion(conversion, conversion);
        for (guint p = 0; p < conversion->n_parts; p++) {
            aft_curator_enqueue(curator, conversion->part[p]);
        }
    }
}

/* Whether scans have passed all that would become one with @group. */
static gboolean scans_let(const AftCurator *curator, AftPool *pool, guint group, guint layout)
{
    gboolean coded = pool->layouts[layout].coded, all = TRUE;
    guint chunk = aft_pool_first_chunk(pool, group);
    guint first = coded ? group - chunk % pool->strip_chunks : group;
    for (guint i = 0; i < (coded ? pool->strip_chunks : 1); i++) {
        all = aft_scan_lets(curator->scan, pool, first + i,
                            coded ? AFT_TASK_ENCODE : AFT_TASK_CONVERT) &&
              all;
    }
    return all;
}

/* Gives back the space of fresh members that have some. */
static void give_back_space(const AftConversion *conversion)
{
    AftPool *pool = conversion->pool;
    for (guint p = 0; p < conversion->n_parts; p++) {
        for (guint m = 0; m < pool->width; m++) {
            AftMember *member = aft_conversion_fresh(conversion->part[p], m);
            if (member != NULL && member->device != AFT_NOWHERE) {
                aft_pool_give_space(pool, conversion->part[p]->group, m, member->device);
                member->device = AFT_NOWHERE;
            }
        }
    }
}

static void end(AftCurator *curator, AftConversion *conversion)
{
    set_conversion(conversion, NULL);
    for (guint p = 0; p < conversion->n_parts; p++) {
        aft_curator_drop(curator, conversion->part[p]);
    }
    g_free(conversion);
}

/* What it alone has blocked is so no longer. */
static void cancel(AftCurator *curator, AftConversion *conversion)
{
    AftPool *pool = conversion->pool;
    AftGroups from = conversion->from;
    give_back_space(conversion);
    aft_conversion_blank(conversion);
    end(curator, conversion);
    for (guint group = from.first; group < aft_groups_end(from); group++) {
        aft_pool_refresh(pool, group);
    }
}

gboolean aft_conversion_begin(AftCurator *curator, AftConversion *conversion)
{
    AftPool *pool = conversion->pool;
    for (guint p = 0; p < conversion->n_parts && !conversion->begun; p++) {
        for (guint m = 0; m < pool->width; m++) {
            AftMember *member = aft_conversion_fresh(conversion->part[p], m);
            if (member == NULL) {
                continue;
            }
            member->device = aft_pool_device_on(pool, conversion->part[p]->group, member,
                                                curator->scenario->cluster.full);
            if (member->device == AFT_NOWHERE) {
                give_back_space(conversion);
                return FALSE;
            }
            aft_pool_take_space(pool, conversion->part[p]->group, m, member->device);
        }
    }
    conversion->begun = TRUE;
    return TRUE;
}

static void finish(AftCurator *curator, AftConversion *conversion)
{
    AftPool *pool = conversion->pool;
    AftGroups to = conversion->to;
    for (guint group = conversion->from.first; group < aft_groups_end(conversion->from); group++) {
        aft_scan_forget_all(curator->scan, pool, group);
    }
    aft_conversion_take_over(conversion);
    end(curator, conversion);
    for (guint group = to.first; group < aft_groups_end(to); group++) {
        aft_pool_rehome(pool, group); /* nodes may have come and gone since it was prepared */
        aft_curator_review(curator, pool, group);
    }
    curator->watch.arrived(curator->watch.context);
}

/* It goes on as long as nothing is known to have happened to it, and its goal is the same. */
static gboolean stands(const AftConversion *conversion)
{
    const AftPool *pool = conversion->pool;
    for (guint group = conversion->from.first; group < aft_groups_end(conversion->from); group++) {
        gboolean fine = pool->groups[group].blocked > 0 || aft_group_is_whole(pool, group);
        if (!fine || wanted_layout(pool, group) != conversion->layout) {
            return FALSE;
        }
    }
    return TRUE;
}

void aft_conversion_check(AftCurator *curator, AftPool *pool, guint group)
{
    AftConversion *conversion = pool->groups[group].conversion;
    if (conversion != NULL &&
        (conversion->spoilt || !stands(conversion) || any_target(conversion, is_known_dead))) {
        cancel(curator, conversion);
    }
}

void aft_conversion_review(AftCurator *curator, AftPool *pool, guint group)
{
    AftConversion *conversion = pool->groups[group].conversion;
    guint layout = wanted_layout(pool, group);
    if (conversion != NULL) {
        if (conversion->n_left == 0 && aft_groups_are_whole(pool, conversion->from) &&
            !any_target(conversion, is_dead)) {
            finish(curator, conversion);
        }
    } else if (layout != pool->groups[group].layout && scans_let(curator, pool, group, layout) &&
               aft_group_is_whole(pool, group)) {
        gboolean copies = !pool->layouts[layout].coded && !aft_pool_layout(pool, group)->coded;
        if (copies && pool->layouts[layout].width <= aft_pool_layout(pool, group)->width) {
            aft_conversion_shrink(pool, group, layout);
            aft_scan_forget_all(curator->scan, pool, group);
        } else {
            start(curator, pool, group, layout);
        }
    }
}

void aft_conversion_review_all(AftCurator *curator, AftPool *pool)
{
    if (pool->n_layouts == 1) {
        return;
    }
    for (guint group = 0; group < pool->n_groups; group++) {
        AftConversion *conversion = pool->groups[group].conversion;
        if (conversion != NULL && !conversion->begun) {
            cancel(curator, conversion);
        }
        aft_conversion_check(curator, pool, group);
    }
    for (guint group = 0; group < pool->n_groups; group++) {
        if (pool->groups[group].used && pool->groups[group].blocked == 0) {
            aft_conversion_review(curator, pool, group);
        }
    }
}

void aft_conversion_part_done(AftCurator *curator, AftTransfer *transfer)
{
    AftConversion *conversion = transfer->conversion;
    if (--conversion->n_left == 0) {
        aft_curator_review(curator, conversion->pool, conversion->from.first);
    }
}

static void add_step(AftRequest *request, guint32 device, gboolean write)
{
    AftPlan *plan = &request->own_plan;
    guint step = plan->stage_begin[write ? 2 : 1]++;
    plan->step[step] = (AftStep){.write = write ? 1 : 0};
    request->device[step] = device;
}

static guint source_group(const AftTransfer *transfer, guint i)
{
    guint first = transfer->conversion->from.first;
    return first + (aft_pool_layout(transfer->pool, first)->coded ? 0 : i);
}

/* The copies of a chunk take turns in being read. */
static guint32 source(const AftTransfer *transfer, guint i, guint turn)
{
    const AftPool *pool = transfer->pool;
    guint group = source_group(transfer, i);
    const AftLayout *layout = aft_pool_layout(pool, group);
    guint member = layout->coded ? i : (turn + i) % layout->width;
    return aft_pool_member(pool, group, member)->device;
}

void aft_conversion_plan_unit(const AftTransfer *transfer, guint turn, AftRequest *request)
{
    AftPlan *plan = &request->own_plan;
    guint first = transfer->member, n = transfer->conversion->from.n;
    plan->possible = TRUE;
    plan->degraded = FALSE;
    plan->n_stages = 2;
    plan->stage_begin[0] = plan->stage_begin[1] = 0;
    for (guint i = first; i < first + n; i++) {
        add_step(request, source(transfer, i, turn), FALSE);
    }
    plan->stage_begin[2] = plan->stage_begin[1];
    for (guint m = 0; m < transfer->pool->width; m++) {
        const AftMember *member = aft_conversion_fresh(transfer, m);
        if (member != NULL) {
            add_step(request, member->device, TRUE);
        }
    }
}

void aft_conversion_meet(const AftTransfer *transfer, guint turn, guint64 offset, guint64 bytes,
                         gboolean simulated)
{
    const AftPool *pool = transfer->pool;
    guint n_kinds;
    const char *by = aft_task_kinds(&n_kinds)[transfer->task].name;
    for (guint i = transfer->member; i < transfer->member + transfer->conversion->from.n; i++) {
        guint group = source_group(transfer, i);
        if (pool->groups[group].spoiled) {
            aft_sectors_read(pool->sectors, group, source(transfer, i, turn), offset, bytes, by,
                             simulated);
        }
    }
}

void aft_conversion_free_all(AftPool *pool)
{
    for (guint group = 0; group < pool->n_groups; group++) {
        AftConversion *conversion = pool->groups[group].conversion;
        if (conversion != NULL) {
            set_conversion(conversion, NULL);
            for (guint p = 0; p < conversion->n_parts; p++) {
                g_free(conversion->part[p]);
            }
            g_free(conversion);
        }
    }
}
