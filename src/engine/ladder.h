/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ladder.h - events too far away to be sorted yet: a row of buckets, each an unordered heap of
 * keys that are due within one stretch of time, and one bucket for all that lies beyond the row.
 *
 *     start           end of bucket 0                           end of the row
 *       |-- bucket 0 --|-- bucket 1 --|-- ... --|-- bucket n-1 --|-- beyond ...
 *
 * Buckets are emptied from left to right. When the row is empty, a new one is laid over what lay
 * beyond, fitted to the times found there. Keys live in fixed chunks of one pool, so a bucket
 * grows without allocation. The tail of a key is the slot of its event; the slot knows the place
 * of its key, so that a key can be taken out from the middle.
 */
#pragma once

#include "slot.h"
#include "tournament.h"

typedef struct {
    guint32 chunk; /* the topmost chunk; meaningless in an empty bucket */
    guint32 count; /* keys */
} AftBucket;

typedef struct {
    AftKey *pool;
    guint32 *below; /* of a chunk: the chunk under it in its bucket, or the next free one */
    guint n_chunks;
    guint free_chunk;

    AftBucket *buckets; /* n_buckets in a row, and one more for all that lies beyond */
    guint n_buckets;
    guint room;    /* buckets there is memory for */
    guint current; /* buckets of the row before this one are empty, and stay so */
    guint64 start; /* ns, where the row starts */
    guint shift;   /* a bucket is 2^shift ns long */
    guint count;   /* keys in all buckets */
} AftLadder;

void aft_ladder_init(AftLadder *ladder);
void aft_ladder_clear(AftLadder *ladder);

/** Adds @key, not due before the end of what aft_ladder_open() opened last, and tells its slot
 *  the place. */
void aft_ladder_add(AftLadder *ladder, AftSlot *slots, AftKey key);

/** Takes the key at @place out. */
void aft_ladder_remove(AftLadder *ladder, AftSlot *slots, guint place);

/** Opens the earliest bucket that has keys; there must be one. A row is laid first when there is
 *  none, and its stretches are such that a bucket holds some AFT_LADDER_FILL keys, more when
 *  many times are equal.
 *  Returns: (transfer none): the bucket, to be emptied at once by aft_ladder_pop(). */
AftBucket *aft_ladder_open(AftLadder *ladder, AftSlot *slots, guint64 *ret_end_ns);

/** Takes some key out of @bucket, which has one. */
AftKey aft_ladder_pop(AftLadder *ladder, AftBucket *bucket);

/** Gives up the row: all keys lie beyond, in the one bucket that is left.
 *  Returns: (transfer none): that bucket. */
AftBucket *aft_ladder_flatten(AftLadder *ladder, AftSlot *slots);

/** Appends the addresses of all keys, (transfer none), to @keys. */
void aft_ladder_collect(const AftLadder *ladder, GPtrArray *keys);

#define AFT_LADDER_FILL 1024
