/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where placement wants the members of a group: the nodes first, then which member gets which. */
#include "pool.h"

static gboolean is_home(const AftPool *pool, guint group, guint width, guint32 node)
{
    for (guint m = 0; m < width; m++) {
        if (aft_pool_member(pool, group, m)->home == node) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The best nodes for a group, some of them not yet given to a member. */
typedef struct {
    guint32 node[AFT_WIDTH_MOST];
    guint n;
    guint width; /* of the group */
} Best;

static gboolean is_anchored(const AftPool *pool, const AftMember *member)
{
    return member->anchor != AFT_NOWHERE && pool->topology->in[member->anchor];
}

guint aft_pool_best_nodes(const AftPool *pool, guint group, guint width, guint32 *ret_nodes)
{
    guint32 rank[AFT_WIDTH_MOST];
    guint n_ranked = aft_placement_rank(&pool->places, group, width, rank), n = 0;
    for (guint m = 0; m < pool->width && n < width; m++) {
        const AftMember *member = aft_pool_member(pool, group, m);
        if (is_anchored(pool, member)) {
            ret_nodes[n++] = member->anchor;
        }
    }
    guint n_anchors = n;
    for (guint i = 0; i < n_ranked && n < width; i++) {
        if (!aft_nodes_contain(ret_nodes, n_anchors, rank[i])) {
            ret_nodes[n++] = rank[i];
        }
    }
    return n;
}

static void claim(AftPool *pool, guint group, guint m, guint32 node, const Best *best)
{
    AftMember *member = aft_pool_member(pool, group, m);
    if (member->home == AFT_NOWHERE && node != AFT_NOWHERE &&
        aft_nodes_contain(best->node, best->n, node) && !is_home(pool, group, best->width, node)) {
        member->home = node;
    }
}

static void claim_anchors(AftPool *pool, guint group, const Best *best)
{
    for (guint m = 0; m < best->width; m++) {
        const AftMember *member = aft_pool_member(pool, group, m);
        if (is_anchored(pool, member)) {
            claim(pool, group, m, member->anchor, best);
        }
    }
}

/* Members that are on one of the best nodes stay, those on their way to one go on, so that each
 * keeps its part of the stripe; the others get what is left of the best. */
static void share_out(AftPool *pool, guint group, const guint32 *before, const Best *best)
{
    claim_anchors(pool, group, best);
    for (guint m = 0; m < best->width; m++) {
        guint32 device = aft_pool_member(pool, group, m)->device;
        guint32 node = device == AFT_NOWHERE ? AFT_NOWHERE : pool->topology->devices[device].node;
        claim(pool, group, m, node, best);
    }
    for (guint m = 0; m < best->width; m++) {
        claim(pool, group, m, before[m], best);
    }
    for (guint m = 0; m < best->width; m++) {
        for (guint i = 0; i < best->n; i++) {
            claim(pool, group, m, best->node[i], best);
        }
    }
}

gboolean aft_pool_rehome_members(AftPool *pool, guint group, guint width)
{
    Best best = {.width = width};
    guint32 before[AFT_WIDTH_MOST];
    gboolean changed = FALSE;
    best.n = aft_pool_best_nodes(pool, group, width, best.node);
    for (guint m = 0; m < width; m++) {
        before[m] = aft_pool_member(pool, group, m)->home;
        aft_pool_member(pool, group, m)->home = AFT_NOWHERE;
    }
    share_out(pool, group, before, &best);
    for (guint m = 0; m < width; m++) {
        changed |= aft_pool_member(pool, group, m)->home != before[m];
    }
    return changed;
}

gboolean aft_pool_rehome(AftPool *pool, guint group)
{
    return aft_pool_rehome_members(pool, group, aft_pool_layout(pool, group)->width);
}
