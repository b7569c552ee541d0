/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h - what the checks of a whole scenario share.
 *
 * Each check looks at what no single key can tell and stays silent about values that rest on a
 * wrong text, so that one mistake makes one message.
 */
#pragma once

#include <aftershock/scenario/scenario.h>

typedef struct {
    AftScenario *scenario;
    GPtrArray *problems;
    gboolean failed; /* an error was found */
    gboolean faults; /* the timeline has some */
} AftCheck;

enum { AFT_MOST_PLACEMENT_GROUPS = 10000000 }; /* over all pools */

/** Adds an error about @key of @item ("workload[2]", "" for the scenario; @key "" is the item
 *  itself). @suggestion (nullable) is the name that was probably meant. */
void aft_check_error(AftCheck *check, const char *item, const char *key, const char *suggestion,
                     const char *format, ...) G_GNUC_PRINTF(5, 6);

/** Adds a warning about @key of @item. */
void aft_check_warning(AftCheck *check, const char *item, const char *key, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/** Whether @key of @item was set. */
gboolean aft_check_written(const AftCheck *check, const char *item, const char *key);

/** How many keys were set of the map at @pattern ("timeline[*].set", in the table's words), whose
 *  item is @index. */
guint aft_check_written_below(const AftCheck *check, const char *pattern, guint index);

/** Whether no key at @path, below or above it has a wrong text or a misspelt name. */
gboolean aft_check_sound(const AftCheck *check, const char *path);

/** Amounts for messages. Returns: (transfer full). */
char *aft_check_time(gint64 ns);
char *aft_check_bytes(double bytes);

/** Spreads: each kind has its parameters, and no others. */
void aft_check_spreads(AftCheck *check);

/** Devices exist, have a size, and are not too many; fills in profiles, sizes and counts. */
void aft_check_disks(AftCheck *check);

/** How many disk groups of a node have cache devices. */
guint aft_check_cached(const AftCheck *check);

/** The geometry of @protection, which stands at @item, and the nodes it needs; fills it in.
 *  Returns: whether it is right; warnings do not count. */
gboolean aft_check_protection(AftCheck *check, const char *item, AftProtectionSpec *protection);

/** Finds the pool that @item has in its key `pool`, @name; the first when @name is NULL.
 *  Returns: whether there is one. */
gboolean aft_check_pool_name(AftCheck *check, const char *item, const char *name, guint *ret_index);

/** The layout that takes the most space of those that @pool has without being converted. */
const AftProtectionSpec *aft_check_largest(const AftPoolSpec *pool);

/** Whether all data fits when pool i is protected as @layouts[i] says; speaks of @key of @item. */
void aft_check_space(AftCheck *check, const char *item, const char *key,
                     const AftProtectionSpec *const *layouts);

/** Whether the groups of @pool, which are the smaller ones of copies or the larger ones of @code,
 *  can become the other kind. @item is where @code stands. Returns: whether they can. */
gboolean aft_check_regrouping(AftCheck *check, const char *item, const AftPoolSpec *pool,
                              const AftProtectionSpec *code);

/** Pools: names, protection, services, and space for the data; fills in what follows. */
void aft_check_pools(AftCheck *check);

/** Tiers: marks in order, and buffers that hold what is written at once. */
void aft_check_tiers(AftCheck *check);

/** The sizes of the I/Os of workload @index, which is @item: all shares together; fills in the
 *  mix. */
void aft_check_mix(AftCheck *check, guint index, const char *item);

/** Whether they fit the layouts that @pool has without being converted. */
void aft_check_blocks(AftCheck *check, guint index, const AftPoolSpec *pool);

/** Whether the blocks of workload @index fit the stripes of @protection, which its pool gets by
 *  item @action of the timeline; -1: which it has from the start. */
void aft_check_block(AftCheck *check, guint index, const AftProtectionSpec *protection,
                     gint action);

/** Bursts and the day of workload @index, which is @item. */
void aft_check_arrivals(AftCheck *check, guint index, const char *item);

/** Workloads: keys that belong to the kind, pool, nodes, block; fills in names, pool, nodes. */
void aft_check_workloads(AftCheck *check);

/** Whether something fails in the timeline, not sorted yet. */
gboolean aft_check_faults(const AftCheck *check);

/** Actions that contradict each other or come too late; sorts the timeline. */
void aft_check_timeline(AftCheck *check);

/** Conversions of the timeline, sorted: pools exist, each can go from what it is to what it is to
 *  become, and what it becomes has space and suits the blocks; fills in the geometry. */
void aft_check_conversions(AftCheck *check);

/** Puts the timeline of a scenario that was resolved back into the order it was written in, which
 *  is the order that paths count in. It is no longer resolved then. */
void aft_timeline_unsort(AftScenario *scenario);
