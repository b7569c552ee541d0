/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts to use what a conversion has written, and drops what it came from. */
#include "conversion_parts.h"
#include "sectors.h"

/* Where unit @i of the stripe stays, or AFT_NOWHERE. */
static guint32 place_of_unit(const AftConversion *conversion, guint i)
{
    const AftTransfer *part = conversion->part[0];
    return aft_conversion_fresh(part, i) == NULL
               ? aft_pool_member(conversion->pool, part->group, i)->device
               : AFT_NOWHERE;
}

static void drop_member(AftPool *pool, guint group, guint m)
{
    aft_pool_give_space(pool, group, m, aft_pool_member(pool, group, m)->device);
    aft_pool_blank_member(pool, group, m);
}

/* Drops the copies of each chunk but the one that its unit of the strip is. */
static void release_copies(const AftConversion *conversion)
{
    AftPool *pool = conversion->pool;
    for (guint i = 0; i < conversion->from.n; i++) {
        guint group = conversion->from.first + i;
        for (guint m = 0; m < aft_pool_layout(pool, group)->width; m++) {
            guint32 device = aft_pool_member(pool, group, m)->device;
            if (device == place_of_unit(conversion, i)) {
                aft_sectors_follow(pool->sectors, group, conversion->to.first, device);
                aft_pool_blank_member(pool, group, m);
            } else {
                drop_member(pool, group, m);
            }
        }
    }
}

/* Drops the parity; each data unit is a copy of its chunk now. */
static void release_strip(const AftConversion *conversion)
{
    AftPool *pool = conversion->pool;
    guint strip = conversion->from.first;
    for (guint m = 0; m < aft_pool_layout(pool, strip)->width; m++) {
        if (m < conversion->to.n) {
            aft_sectors_follow(pool->sectors, strip, conversion->to.first + m,
                               aft_pool_member(pool, strip, m)->device);
            aft_pool_blank_member(pool, strip, m);
        } else {
            drop_member(pool, strip, m);
        }
    }
}

static void release(const AftConversion *conversion)
{
    AftPool *pool = conversion->pool;
    if (pool->layouts[conversion->layout].coded) {
        release_copies(conversion);
    } else {
        release_strip(conversion);
    }
    for (guint group = conversion->from.first; group < aft_groups_end(conversion->from); group++) {
        pool->groups[group].used = FALSE;
        pool->groups[group].current = 0;
    }
}

static void put_to_use(const AftConversion *conversion)
{
    AftPool *pool = conversion->pool;
    for (guint p = 0; p < conversion->n_parts; p++) {
        AftGroup *group = &pool->groups[conversion->part[p]->group];
        for (guint m = 0; m < pool->layouts[conversion->layout].width; m++) {
            aft_pool_member(pool, conversion->part[p]->group, m)->valid = TRUE;
        }
        group->used = TRUE;
        group->layout = conversion->layout;
        group->current = pool->layouts[conversion->layout].everyone;
    }
}

void aft_conversion_take_over(const AftConversion *conversion)
{
    if (!aft_conversion_in_place(conversion)) {
        release(conversion);
    }
    put_to_use(conversion);
}

static gboolean is_among(const AftSeat *seats, guint n, const AftMember *member)
{
    for (guint i = 0; i < n; i++) {
        if (seats[i].node == member->home && seats[i].device == member->seat) {
            return TRUE;
        }
    }
    return FALSE;
}

void aft_conversion_shrink(AftPool *pool, guint group, guint layout)
{
    AftSeat best[AFT_WIDTH_MOST];
    guint n = aft_pool_best_seats(pool, group, pool->layouts[layout].width, best), kept = 0;
    for (guint m = 0; m < aft_pool_layout(pool, group)->width; m++) {
        AftMember *member = aft_pool_member(pool, group, m);
        if (!is_among(best, n, member)) {
            drop_member(pool, group, m);
        } else if (kept++ != m) {
            *aft_pool_member(pool, group, kept - 1) = *member;
            aft_pool_blank_member(pool, group, m);
        }
    }
    g_assert(kept == pool->layouts[layout].width); /* it was whole and at home */
    pool->groups[group].layout = layout;
    pool->groups[group].current = pool->layouts[layout].everyone;
}
