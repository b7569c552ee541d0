/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaps.h - what is missing of a sweep that was joined from parts. */
#pragma once

#include "store_private.h"

enum { AFT_GAPS_MOST = 100 }; /* texts of one kind, beyond which they are only counted */

/** Which part a store was. */
typedef struct {
    guint shard, shards;
} AftShard;

/** Adds @text (transfer full) to @texts, of which there were @n before, unless these are enough. */
void aft_gaps_add(GPtrArray *texts, guint64 n, char *text);

/** Adds to @gaps, of which there were @n, what is missing, a text for each run of them: shards
 *  beside those in @shards (AftShard), points of @store without replications, replications below
 *  others of their point. */
gboolean aft_gaps_find(AftStore *store, GArray *shards, GPtrArray *gaps, guint64 n, GError **error);
