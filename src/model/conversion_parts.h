/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conversion_parts.h - what the files of a conversion share: prepare.c makes ready what groups
 * become, conversion.c lets it be written, and take_over.c puts it to use. */
#pragma once

#include "conversion.h"

static inline guint aft_groups_end(AftGroups groups)
{
    return groups.first + groups.n;
}

/** Whether it is more copies of the same group. */
static inline gboolean aft_conversion_in_place(const AftConversion *conversion)
{
    return conversion->from.first == conversion->to.first;
}

/** Member @m of the group that @part writes, if it is fresh. Returns: (transfer none)
 *  (nullable). */
static inline AftMember *aft_conversion_fresh(const AftTransfer *part, guint m)
{
    return (part->fresh >> m & 1) != 0 ? aft_pool_member(part->pool, part->group, m) : NULL;
}

static inline gboolean aft_node_is_up(const AftPool *pool, guint node)
{
    return node != AFT_NOWHERE && pool->topology->nodes[node].alive;
}

/** Whether every member of @group, or of all of @groups, is good and where placement wants it. */
gboolean aft_group_is_whole(const AftPool *pool, guint group);
gboolean aft_groups_are_whole(const AftPool *pool, AftGroups groups);

/** Prepares what @group, and others with it, become under @layout.
 *  Returns: (transfer full) (nullable): NULL when not all are whole and free, or a member finds no
 *  node. */
AftConversion *aft_conversion_prepare(AftPool *pool, guint group, guint layout);

/** Undoes what is prepared; no fresh member may have space any more. */
void aft_conversion_blank(const AftConversion *conversion);

/** What was prepared is in use, what was is not; space is given back. */
void aft_conversion_take_over(const AftConversion *conversion);

/** Drops the copies of @group, which is whole, that placement would not have chosen for as few as
 *  @layout has. */
void aft_conversion_shrink(AftPool *pool, guint group, guint layout);
