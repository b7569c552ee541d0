/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ladder.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK       64 /* events: 3 KiB */
#define NO_CHUNK    G_MAXUINT
#define MAX_SAMPLE  1023
#define MAX_BUCKETS (1u << 16)

/* The row is this many times longer than needed if its events were spread evenly, so that
 * exponential delays have most of their tail inside. */
#define SPAN 4

void aft_ladder_init(AftLadder *ladder)
{
    memset(ladder, 0, sizeof *ladder);
    ladder->free_chunk = NO_CHUNK;
    ladder->buckets = g_new0(AftBucket, 1);
    ladder->room = 1;
}

void aft_ladder_clear(AftLadder *ladder)
{
    g_free(ladder->pool);
    g_free(ladder->below);
    g_free(ladder->buckets);
    memset(ladder, 0, sizeof *ladder);
}

static void grow_pool(AftLadder *ladder)
{
    guint n_old = ladder->n_chunks;
    ladder->n_chunks = MAX(2 * n_old, 512);
    ladder->pool = g_renew(AftWaiting, ladder->pool, (gsize)ladder->n_chunks * CHUNK);
    ladder->below = g_renew(guint32, ladder->below, ladder->n_chunks);
    for (guint i = n_old; i < ladder->n_chunks; i++) {
        ladder->below[i] = i + 1 < ladder->n_chunks ? i + 1 : NO_CHUNK;
    }
    ladder->free_chunk = n_old;
}

static void push_chunk(AftLadder *ladder, AftBucket *bucket)
{
    if (ladder->free_chunk == NO_CHUNK) {
        grow_pool(ladder);
    }
    guint chunk = ladder->free_chunk;
    ladder->free_chunk = ladder->below[chunk];
    ladder->below[chunk] = bucket->chunk;
    bucket->chunk = chunk;
}

static void pop_chunk(AftLadder *ladder, AftBucket *bucket)
{
    guint chunk = bucket->chunk;
    bucket->chunk = ladder->below[chunk];
    ladder->below[chunk] = ladder->free_chunk;
    ladder->free_chunk = chunk;
}

static AftBucket *beyond(const AftLadder *ladder)
{
    return &ladder->buckets[ladder->n_buckets];
}

static AftBucket *bucket_of(const AftLadder *ladder, AftKey key)
{
    guint64 index = (aft_key_time(key) - ladder->start) >> ladder->shift;
    return &ladder->buckets[MIN(index, ladder->n_buckets)];
}

static AftEntry *add_to(AftLadder *ladder, AftBucket *bucket, guint32 *places, AftKey key,
                        guint slot)
{
    guint within = bucket->count++ % CHUNK;
    if (within == 0) {
        push_chunk(ladder, bucket);
    }
    guint place = bucket->chunk * CHUNK + within;
    ladder->count++;
    ladder->pool[place].key = key;
    places[slot] = AFT_PLACE_FAR | place;
    return &ladder->pool[place].entry;
}

AftEntry *aft_ladder_add(AftLadder *ladder, guint32 *places, AftKey key, guint slot)
{
    return add_to(ladder, bucket_of(ladder, key), places, key, slot);
}

static void move_to(AftLadder *ladder, AftBucket *bucket, guint32 *places, AftWaiting event)
{
    *add_to(ladder, bucket, places, event.key, aft_name_slot(event.entry.name)) = event.entry;
}

const AftWaiting *aft_ladder_pop(AftLadder *ladder, AftBucket *bucket)
{
    guint within = --bucket->count % CHUNK;
    const AftWaiting *event = &ladder->pool[bucket->chunk * CHUNK + within];
    if (within == 0) {
        pop_chunk(ladder, bucket);
    }
    ladder->count--;
    return event;
}

void aft_ladder_remove(AftLadder *ladder, guint32 *places, guint place)
{
    AftBucket *bucket = bucket_of(ladder, ladder->pool[place].key);
    const AftWaiting *last = aft_ladder_pop(ladder, bucket);
    ladder->pool[place] = *last;
    places[aft_name_slot(last->entry.name)] = AFT_PLACE_FAR | place;
}

AftBucket *aft_ladder_flatten(AftLadder *ladder, guint32 *places)
{
    for (guint i = 0; i < ladder->n_buckets; i++) {
        AftBucket *bucket = &ladder->buckets[i];
        while (bucket->count > 0) {
            AftWaiting event = *aft_ladder_pop(ladder, bucket);
            move_to(ladder, beyond(ladder), places, event);
        }
    }
    ladder->buckets[0] = *beyond(ladder);
    ladder->n_buckets = 0;
    ladder->current = 0;
    return beyond(ladder);
}

void aft_ladder_collect(const AftLadder *ladder, GPtrArray *keys)
{
    for (guint i = 0; i <= ladder->n_buckets; i++) {
        guint chunk = ladder->buckets[i].chunk;
        for (guint left = ladder->buckets[i].count; left > 0; left--) {
            guint within = (left - 1) % CHUNK;
            g_ptr_array_add(keys, &ladder->pool[chunk * CHUNK + within].key);
            chunk = within == 0 ? ladder->below[chunk] : chunk;
        }
    }
}

static int compare_times(const void *a, const void *b)
{
    guint64 left = *(const guint64 *)a, right = *(const guint64 *)b;
    return (left > right) - (left < right);
}

/* When half the events of @bucket are due, from an even sample, and exactly when the first is. */
static guint64 median_time(const AftLadder *ladder, const AftBucket *bucket, guint64 *ret_first)
{
    guint64 sample[MAX_SAMPLE], first = G_MAXUINT64;
    guint n = 0, step = bucket->count / MAX_SAMPLE + 1, chunk = bucket->chunk;
    for (guint left = bucket->count; left > 0; left--) {
        guint within = (left - 1) % CHUNK;
        guint64 time = aft_key_time(ladder->pool[chunk * CHUNK + within].key);
        first = MIN(first, time);
        if (left % step == 0) {
            sample[n++] = time;
        }
        chunk = within == 0 ? ladder->below[chunk] : chunk;
    }
    qsort(sample, n, sizeof *sample, compare_times);
    *ret_first = first;
    return sample[n / 2];
}

/* The longest 2^shift ns within which at most AFT_LADDER_FILL of @n events are due, half of
 * them being spread evenly over @half_ns; but @n_buckets of them stay below 2^63 ns. */
static guint fitting_shift(guint64 half_ns, guint n, guint n_buckets)
{
    double fill_ns = 2.0 * (double)half_ns / (double)n * AFT_LADDER_FILL;
    guint shift = 0, most = 63 - g_bit_storage(n_buckets);
    for (double length_ns = 2.0; length_ns <= fill_ns && shift < most; length_ns *= 2.0) {
        shift++;
    }
    return shift;
}

static void need_buckets(AftLadder *ladder, guint n)
{
    if (n > ladder->room) {
        ladder->buckets = g_renew(AftBucket, ladder->buckets, n);
        ladder->room = n;
    }
}

/* Lays a row over the events beyond the old one, which is empty. */
static void lay_row(AftLadder *ladder, guint32 *places)
{
    AftBucket all = *beyond(ladder);
    guint64 first_ns;
    guint64 median_ns = median_time(ladder, &all, &first_ns);
    guint n_buckets = MIN(SPAN * (all.count / AFT_LADDER_FILL + 1), MAX_BUCKETS);
    need_buckets(ladder, n_buckets + 1);
    memset(ladder->buckets, 0, (n_buckets + 1) * sizeof *ladder->buckets);
    ladder->n_buckets = n_buckets;
    ladder->current = 0;
    ladder->start = first_ns;
    ladder->shift = fitting_shift(median_ns - first_ns, all.count, n_buckets);
    while (all.count > 0) {
        AftWaiting event = *aft_ladder_pop(ladder, &all);
        move_to(ladder, bucket_of(ladder, event.key), places, event);
    }
}

AftBucket *aft_ladder_open(AftLadder *ladder, guint32 *places, guint64 *ret_end_ns)
{
    g_assert(ladder->count > 0);
    if (beyond(ladder)->count == ladder->count) {
        lay_row(ladder, places);
    }
    while (ladder->buckets[ladder->current].count == 0) {
        ladder->current++;
    }
    AftBucket *bucket = &ladder->buckets[ladder->current++];
    *ret_end_ns = ladder->start + ((guint64)ladder->current << ladder->shift);
    return bucket;
}
