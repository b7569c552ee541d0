/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chunks.h"

guint64 aft_chunk_bytes(const AftPool *pool)
{
    return MAX(pool->spec->logical_bytes / pool->n_chunks, 1);
}

/* Where a member of @group begins, so far from all others that none is near. */
static guint64 begin_of(const AftPool *pool, guint32 group)
{
    guint64 number = (guint64)pool->index << 32 | group;
    return (number + 1) * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);
}

AftPlaceInChunk aft_chunk_find(const AftPool *pool, guint32 chunk, guint64 offset)
{
    guint32 group = aft_pool_group_of(pool, chunk);
    const AftProtectionSpec *spec = &aft_pool_layout(pool, group)->spec;
    guint64 unit_bytes = spec->stripe_unit_bytes;
    gboolean strip = pool->strip_chunks > 0;
    guint data = strip ? 1 : spec->data;
    guint64 stripe = offset / (unit_bytes * data);
    return (AftPlaceInChunk){
        .group = group,
        .unit = strip ? MIN(chunk % pool->strip_chunks, spec->data - 1)
                      : (guint)(offset / unit_bytes % data),
        .most = data,
        .within = offset % unit_bytes,
        .place = begin_of(pool, group) + stripe * unit_bytes + offset % unit_bytes,
        .position = MIN((double)offset / (double)aft_chunk_bytes(pool), 1.0),
    };
}
