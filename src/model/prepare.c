/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes ready what groups become: which members stay in place, and where the others go. */
#include "conversion_parts.h"
#include "matching.h"

#include <math.h>

gboolean aft_group_is_whole(const AftPool *pool, guint group)
{
    const AftGroup *it = &pool->groups[group];
    const AftLayout *layout = aft_pool_layout(pool, group);
    if (!it->used || it->blocked > 0 || it->moving > 0 || it->current != layout->everyone) {
        return FALSE;
    }
    for (guint m = 0; m < layout->width; m++) {
        if (!aft_pool_is_home(pool, aft_pool_member(pool, group, m))) {
            return FALSE;
        }
    }
    return TRUE;
}

gboolean aft_groups_are_whole(const AftPool *pool, AftGroups groups)
{
    for (guint group = groups.first; group < aft_groups_end(groups); group++) {
        if (!aft_group_is_whole(pool, group)) {
            return FALSE;
        }
    }
    return TRUE;
}

static AftGroups strip_of(const AftPool *pool, guint group)
{
    return (AftGroups){pool->first_strip + aft_pool_first_chunk(pool, group) / pool->strip_chunks,
                       1};
}

static AftGroups chunks_of(const AftPool *pool, guint group)
{
    guint chunk = aft_pool_first_chunk(pool, group);
    return (AftGroups){pool->first_chunk + chunk - chunk % pool->strip_chunks, pool->strip_chunks};
}

static AftConversion *conversion_new(AftPool *pool, guint group, guint layout)
{
    AftGroups from = {group, 1}, to = {group, 1};
    if (pool->layouts[layout].coded) {
        from = chunks_of(pool, group);
        to = strip_of(pool, group);
    } else if (aft_pool_layout(pool, group)->coded) {
        to = chunks_of(pool, group);
    }
    AftConversion *conversion = g_malloc0(sizeof(AftConversion) + to.n * sizeof(AftTransfer *));
    conversion->pool = pool;
    conversion->layout = layout;
    conversion->from = from;
    conversion->to = to;
    return conversion;
}

static void stay(AftMember *member, guint32 device)
{
    member->device = device;
    member->valid = TRUE;
    member->anchor = device;
}

/* Blanks what is prepared. In place, that is what comes behind the members that are there. */
void aft_conversion_blank(const AftConversion *conversion)
{
    AftPool *pool = conversion->pool;
    for (guint group = conversion->to.first; group < aft_groups_end(conversion->to); group++) {
        guint m = aft_conversion_in_place(conversion) ? aft_pool_layout(pool, group)->width : 0;
        for (; m < pool->width; m++) {
            aft_pool_blank_member(pool, group, m);
        }
        if (!aft_conversion_in_place(conversion)) {
            pool->groups[group].layout = conversion->layout;
        }
    }
}

/* The members of the strip that stay are copies of its chunks. */
static void keep_copies(const AftConversion *conversion)
{
    AftPool *pool = conversion->pool;
    AftCopies chunks[AFT_WIDTH_MOST];
    guint32 chosen[AFT_WIDTH_MOST];
    for (guint i = 0; i < conversion->from.n; i++) {
        guint group = conversion->from.first + i;
        chunks[i].n = aft_pool_layout(pool, group)->width;
        for (guint m = 0; m < chunks[i].n; m++) {
            AftSeat seat = aft_map_seat_of(pool->map, aft_pool_member(pool, group, m)->device);
            chunks[i].domain[m] = aft_map_domain_of(pool->map, seat);
        }
    }
    aft_matching_find(chunks, conversion->from.n, chosen);
    for (guint i = 0; i < conversion->from.n; i++) {
        if (chosen[i] != AFT_NO_COPY) {
            stay(aft_pool_member(pool, conversion->to.first, i),
                 aft_pool_member(pool, conversion->from.first + i, chosen[i])->device);
        }
    }
}

/* The first copy of each chunk is its member of the strip. */
static void keep_units(const AftConversion *conversion)
{
    AftPool *pool = conversion->pool;
    for (guint i = 0; i < conversion->to.n; i++) {
        stay(aft_pool_member(pool, conversion->to.first + i, 0),
             aft_pool_member(pool, conversion->from.first, i)->device);
    }
}

static void keep_what_stays(const AftConversion *conversion)
{
    const AftLayout *layout = &conversion->pool->layouts[conversion->layout];
    if (layout->coded && layout->spec.rewrite == AFT_REWRITE_PARITY) {
        keep_copies(conversion);
    } else if (!layout->coded && !aft_conversion_in_place(conversion)) {
        keep_units(conversion);
    }
}

static AftTransfer *part_new(AftConversion *conversion, guint i, AftTaskKind task)
{
    AftPool *pool = conversion->pool;
    AftTransfer *part = g_new(AftTransfer, 1);
    *part = (AftTransfer){
        .pool = pool,
        .group = conversion->to.first + i,
        .member = i,
        .task = task,
        .target = AFT_NOWHERE,
        .bytes = (guint64)ceil(pool->member_bytes),
        .conversion = conversion,
    };
    for (guint m = 0; m < pool->layouts[conversion->layout].width; m++) {
        part->fresh |= (guint32)(aft_pool_member(pool, part->group, m)->device == AFT_NOWHERE) << m;
    }
    part->weight = (guint)__builtin_popcount(part->fresh);
    part->node = aft_pool_member(pool, part->group, (guint)__builtin_ctz(part->fresh))->home;
    return part;
}

static void make_parts(AftConversion *conversion)
{
    gboolean coded = conversion->pool->layouts[conversion->layout].coded;
    for (guint i = 0; i < conversion->to.n; i++) {
        conversion->part[i] = part_new(conversion, i, coded ? AFT_TASK_ENCODE : AFT_TASK_CONVERT);
    }
    conversion->n_parts = conversion->n_left = conversion->to.n;
}

/* Gives each member that is to be written a home. Returns: FALSE when there is none for some, or it
 * would make a member move that is there. */
static gboolean place(const AftConversion *conversion)
{
    AftPool *pool = conversion->pool;
    guint width = pool->layouts[conversion->layout].width;
    for (guint group = conversion->to.first; group < aft_groups_end(conversion->to); group++) {
        aft_pool_rehome_members(pool, group, width);
        for (guint m = 0; m < width; m++) {
            const AftMember *member = aft_pool_member(pool, group, m);
            gboolean moves = member->device != AFT_NOWHERE && !aft_pool_is_home(pool, member);
            if (moves || !aft_node_is_up(pool, member->home)) {
                return FALSE;
            }
        }
    }
    return TRUE;
}

static gboolean are_free(const AftPool *pool, AftGroups groups)
{
    for (guint group = groups.first; group < aft_groups_end(groups); group++) {
        if (pool->groups[group].conversion != NULL) {
            return FALSE;
        }
    }
    return aft_groups_are_whole(pool, groups);
}

AftConversion *aft_conversion_prepare(AftPool *pool, guint group, guint layout)
{
    AftConversion *conversion = conversion_new(pool, group, layout);
    if (!are_free(pool, conversion->from)) {
        g_free(conversion);
        return NULL;
    }
    aft_conversion_blank(conversion);
    keep_what_stays(conversion);
    if (!place(conversion)) {
        aft_conversion_blank(conversion);
        if (aft_conversion_in_place(conversion)) {
            aft_pool_rehome(pool, group);
        }
        g_free(conversion);
        return NULL;
    }
    make_parts(conversion);
    return conversion;
}
