/* SPDX-License-Identifier: GPL-3.0-or-later */
/* working_set.h - a part of a pool's data that clients read and write: its first chunks.
 *
 * Numbers of chunks say nothing of where they are, so the first ones are a fair sample of all.
 */
#pragma once

#include <glib.h>

typedef struct {
    guint n_chunks; /* of the pool, 0 to n_chunks - 1 */
    guint32 *live;  /* those of them that are not lost, in no order */
    guint32 *at;    /* chunk: its place among them */
    guint n_live;
    guint found; /* how often a chunk was lost no longer */
} AftWorkingSet;

/** Makes a working set of @n_chunks, none of them lost. Clear with aft_working_set_clear(). */
void aft_working_set_init(AftWorkingSet *set, guint n_chunks);

void aft_working_set_clear(AftWorkingSet *set);

/** Whether @chunk of the set is not lost. */
static inline gboolean aft_working_set_has(const AftWorkingSet *set, guint32 chunk)
{
    return set->at[chunk] < set->n_live && set->live[set->at[chunk]] == chunk;
}

/** @chunk is lost, or no longer; it may be one beyond the set. */
void aft_working_set_lose(AftWorkingSet *set, guint32 chunk);
void aft_working_set_find(AftWorkingSet *set, guint32 chunk);
