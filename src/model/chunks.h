/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chunks.h - places in a pool's data, by bytes: a chunk, and how far into it. */
#pragma once

#include "pool.h"

/** Bytes of a chunk, and 1 where a pool has hardly one for each. */
guint64 aft_chunk_bytes(const AftPool *pool);

/** Where @offset bytes into a chunk are. */
typedef struct {
    guint32 group;
    guint unit;      /* of its stripe; of copies 0 */
    guint most;      /* units that an I/O from there on can cover, whatever its bytes */
    guint64 within;  /* bytes into the unit */
    guint64 place;   /* of that byte on the device of each member */
    double position; /* of the stripe in the group, 0 to 1 */
} AftPlaceInChunk;

/** Finds byte @offset of @chunk. Of a strip, a chunk is the units of one member. */
AftPlaceInChunk aft_chunk_find(const AftPool *pool, guint32 chunk, guint64 offset);
