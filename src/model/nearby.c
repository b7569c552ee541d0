/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nearby.h"

#define ENOUGH 16 /* e to the power of -16 is one in ten million */

/* Members that the data of a chunk can be read from. */
typedef struct {
    guint first, n;
} Members;

static Members members_of(const AftPool *pool, guint group, guint32 chunk)
{
    const AftLayout *layout = aft_pool_layout(pool, group);
    if (!layout->coded) {
        return (Members){0, layout->width};
    }
    return pool->strip_chunks > 0 ? (Members){chunk % pool->strip_chunks, 1}
                                  : (Members){0, layout->spec.data};
}

guint aft_nearby_tries(const AftPool *pool)
{
    guint n = members_of(pool, aft_pool_group_of(pool, 0), 0).n;
    return ENOUGH * ((pool->topology->n_nodes + n - 1) / n);
}

guint aft_nearby_member(const AftPool *pool, guint32 chunk, guint node)
{
    guint group = aft_pool_group_of(pool, chunk);
    Members members = members_of(pool, group, chunk);
    guint32 current = pool->groups[group].current;
    for (guint m = members.first; m < members.first + members.n; m++) {
        guint32 device = aft_pool_member(pool, group, m)->device;
        if ((current >> m & 1) && pool->topology->devices[device].node == node) {
            return m;
        }
    }
    return AFT_NO_MEMBER;
}
