/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where placement wants the members of a group: the seats first, then which member gets which. */
#include "pool.h"

static AftSeat home_of(const AftMember *member)
{
    return (AftSeat){member->home, member->seat};
}

static gboolean is_same(AftSeat a, AftSeat b)
{
    return a.node == b.node && a.device == b.device;
}

static guint group_of(const AftPool *pool, const AftMember *member)
{
    return (guint)((gsize)(member - pool->members) / pool->width);
}

/* It lodges for a device that is back. */
static gboolean has_to_move_on(const AftPool *pool, const AftMember *member)
{
    return member->lodges && aft_map_winner_is_in(pool->map, group_of(pool, member),
                                                  pool->topology->devices[member->device].node);
}

gboolean aft_pool_is_home(const AftPool *pool, const AftMember *member)
{
    const AftDevice *device = &pool->topology->devices[member->device];
    if (member->seat != AFT_NOWHERE) {
        return member->device == member->seat;
    }
    return device->node == member->home && device->in && !has_to_move_on(pool, member);
}

/* Its device is out, and its home is another of the same node. */
static gboolean has_to_leave(const AftPool *pool, const AftMember *member)
{
    if (member->device == AFT_NOWHERE || member->seat != AFT_NOWHERE) {
        return FALSE;
    }
    const AftDevice *device = &pool->topology->devices[member->device];
    return !device->in && device->node == member->home;
}

/* The best seats for a group. */
typedef struct {
    AftSeat seat[AFT_WIDTH_MOST];
    guint n;
    guint width; /* of the group */
} Best;

static gboolean contains(const AftSeat *seats, guint n, AftSeat seat)
{
    for (guint i = 0; i < n; i++) {
        if (is_same(seats[i], seat)) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean shares_with_any(const AftMap *map, const AftSeat *seats, guint n, AftSeat seat)
{
    for (guint i = 0; i < n; i++) {
        if (aft_map_shares(map, seats[i], seat)) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean is_anchored(const AftPool *pool, guint group, const AftMember *member)
{
    if (member->anchor == AFT_NOWHERE) {
        return FALSE;
    }
    AftSeat seat = aft_map_seat_of(pool->map, member->anchor);
    gboolean in = seat.device == AFT_NOWHERE ? pool->topology->in[seat.node] != 0
                                             : pool->topology->devices[seat.device].in;
    return in && seat.node != pool->groups[group].shunned;
}

/* Anchors first: no two of them share a domain. */
static guint add_anchors(const AftPool *pool, guint group, guint width, AftSeat *seats)
{
    guint n = 0;
    for (guint m = 0; m < pool->width && n < width; m++) {
        const AftMember *member = aft_pool_member(pool, group, m);
        if (!is_anchored(pool, group, member)) {
            continue;
        }
        AftSeat seat = aft_map_seat_of(pool->map, member->anchor);
        if (!shares_with_any(pool->map, seats, n, seat)) {
            seats[n++] = seat;
        }
    }
    return n;
}

guint aft_pool_best_seats(const AftPool *pool, guint group, guint width, AftSeat *ret_seats)
{
    AftSeat ranked[AFT_WIDTH_MOST];
    guint n_ranked = aft_map_rank(pool->map, group, width, pool->groups[group].shunned, ranked);
    guint n = add_anchors(pool, group, width, ret_seats);
    guint n_anchors = n;
    for (guint i = 0; i < n_ranked && n < width; i++) {
        if (!shares_with_any(pool->map, ret_seats, n_anchors, ranked[i])) {
            ret_seats[n++] = ranked[i];
        }
    }
    return n;
}

/* Whether a member has @seat as its home already. */
static gboolean is_taken(const AftPool *pool, guint group, guint width, AftSeat seat)
{
    for (guint m = 0; m < width; m++) {
        if (is_same(home_of(aft_pool_member(pool, group, m)), seat)) {
            return TRUE;
        }
    }
    return FALSE;
}

static void claim(AftPool *pool, guint group, guint m, AftSeat seat, const Best *best)
{
    AftMember *member = aft_pool_member(pool, group, m);
    if (member->home == AFT_NOWHERE && contains(best->seat, best->n, seat) &&
        !is_taken(pool, group, best->width, seat)) {
        member->home = seat.node;
        member->seat = seat.device;
    }
}

/* @member gets the seat that it is on, or else one in the domain that it is in. */
static void claim_own(AftPool *pool, guint group, guint m, const Best *best)
{
    const AftMember *member = aft_pool_member(pool, group, m);
    if (member->device == AFT_NOWHERE) {
        return;
    }
    AftSeat own = aft_map_seat_of(pool->map, member->device);
    claim(pool, group, m, own, best);
    for (guint i = 0; i < best->n; i++) {
        if (aft_map_shares(pool->map, best->seat[i], own)) {
            claim(pool, group, m, best->seat[i], best);
        }
    }
}

/* Members that are on one of the best seats stay, or at least in its domain, so that no other
 * arrives there before they have left; those on their way to one go on, so that each keeps its part
 * of the stripe; the others get what is left of the best. */
static void share_out(AftPool *pool, guint group, const AftSeat *before, const Best *best)
{
    guint turn = aft_map_turn(pool->map, group, best->n);
    for (guint m = 0; m < best->width; m++) {
        const AftMember *member = aft_pool_member(pool, group, m);
        if (is_anchored(pool, group, member)) {
            claim(pool, group, m, aft_map_seat_of(pool->map, member->anchor), best);
        }
    }
    for (guint m = 0; m < best->width; m++) {
        claim_own(pool, group, m, best);
    }
    for (guint m = 0; m < best->width; m++) {
        claim(pool, group, m, before[m], best);
    }
    for (guint m = 0; m < best->width; m++) {
        for (guint i = 0; i < best->n; i++) {
            claim(pool, group, m, best->seat[(turn + i) % best->n], best);
        }
    }
}

gboolean aft_pool_rehome_members(AftPool *pool, guint group, guint width)
{
    Best best = {.width = width};
    AftSeat before[AFT_WIDTH_MOST];
    gboolean changed = FALSE;
    best.n = aft_pool_best_seats(pool, group, width, best.seat);
    for (guint m = 0; m < width; m++) {
        AftMember *member = aft_pool_member(pool, group, m);
        before[m] = home_of(member);
        member->home = member->seat = AFT_NOWHERE;
    }
    share_out(pool, group, before, &best);
    for (guint m = 0; m < width; m++) {
        const AftMember *member = aft_pool_member(pool, group, m);
        changed |= !is_same(home_of(member), before[m]) || has_to_move_on(pool, member) ||
                   has_to_leave(pool, member);
    }
    return changed;
}

gboolean aft_pool_rehome(AftPool *pool, guint group)
{
    return aft_pool_rehome_members(pool, group, aft_pool_layout(pool, group)->width);
}

guint32 aft_pool_device_on(const AftPool *pool, guint group, const AftMember *member, double full)
{
    if (member->seat == AFT_NOWHERE) {
        return aft_map_device_on(pool->map, group, member->home, pool->stored_bytes, full);
    }
    const AftDevice *device = &pool->topology->devices[member->seat];
    gboolean room = device->used_bytes + pool->stored_bytes <= full * (double)device->size_bytes;
    return device->up && room ? member->seat : AFT_NOWHERE;
}
