/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ladder.h - events too far away to be sorted yet: a row of buckets, each an unordered heap of
 * those that are due within one stretch of time, and one bucket for all that lies beyond the row.
 *
 *     start           end of bucket 0                           end of the row
 *       |-- bucket 0 --|-- bucket 1 --|-- ... --|-- bucket n-1 --|-- beyond ...
 *
 * Buckets are emptied from left to right. When the row is empty, a new one is laid over what lay
 * beyond, fitted to the times found there. Events live in fixed chunks of one pool, so a bucket
 * grows without allocation, and is read and written in one go. The caller's table of places says
 * where each slot's event is, so that one can be taken out from the middle.
 */
#pragma once

#include "entry.h"
#include "tournament.h"

typedef struct {
    guint32 chunk; /* the topmost chunk; meaningless in an empty bucket */
    guint32 count; /* events */
} AftBucket;

typedef struct {
    AftKey key; /* its tail means nothing */
    AftEntry entry;
} AftWaiting;

typedef struct {
    AftWaiting *pool;
    guint32 *below; /* of a chunk: the chunk under it in its bucket, or the next free one */
    guint n_chunks;
    guint free_chunk;

    AftBucket *buckets; /* n_buckets in a row, and one more for all that lies beyond */
    guint n_buckets;
    guint room;    /* buckets there is memory for */
    guint current; /* buckets of the row before this one are empty, and stay so */
    guint64 start; /* ns, where the row starts */
    guint shift;   /* a bucket is 2^shift ns long */
    guint count;   /* events in all buckets */
} AftLadder;

void aft_ladder_init(AftLadder *ladder);
void aft_ladder_clear(AftLadder *ladder);

/** Adds the event of @slot, not due before the end of what aft_ladder_open() opened last, and
 *  notes its place in @places.
 *  Returns: (transfer none): its entry, for the caller to fill at once. */
AftEntry *aft_ladder_add(AftLadder *ladder, guint32 *places, AftKey key, guint slot);

/** Takes the event at index @place of the pool out. */
void aft_ladder_remove(AftLadder *ladder, guint32 *places, guint place);

/** Opens the earliest bucket that has events; there must be one. A row is laid first when there
 *  is none, and its stretches are such that a bucket holds some AFT_LADDER_FILL events, more when
 *  many times are equal.
 *  Returns: (transfer none): the bucket, to be emptied at once by aft_ladder_pop(). */
AftBucket *aft_ladder_open(AftLadder *ladder, guint32 *places, guint64 *ret_end_ns);

/** Takes some event out of @bucket, which has one.
 *  Returns: (transfer none): it, good until one is added. */
const AftWaiting *aft_ladder_pop(AftLadder *ladder, AftBucket *bucket);

/** Gives up the row: all events lie beyond, in the one bucket that is left.
 *  Returns: (transfer none): that bucket. */
AftBucket *aft_ladder_flatten(AftLadder *ladder, guint32 *places);

/** Appends the addresses of all keys, (transfer none), to @keys. */
void aft_ladder_collect(const AftLadder *ladder, GPtrArray *keys);

#define AFT_LADDER_FILL 1024
