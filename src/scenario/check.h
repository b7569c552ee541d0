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
    gboolean failed;                      /* an error was found */
    gboolean faults;                      /* something goes down at times */
    gboolean crowded;                     /* there are too many devices to look at each */
    GArray *domains[AFT_DOMAIN_RACK + 1]; /* (nullable): what aft_check_domains() has found */
} AftCheck;

enum { AFT_MOST_NODES = 100000 };              /* with those that are added */
enum { AFT_MOST_PLACEMENT_GROUPS = 10000000 }; /* over all pools */

/** Adds an error about @key of @item ("workload[2]", "" for the scenario; @key "" is the item
 *  itself). @suggestion (nullable) is the name that was probably meant. */
void aft_check_error(AftCheck *check, const char *item, const char *key, const char *suggestion,
                     const char *format, ...) G_GNUC_PRINTF(5, 6);

/** Adds a warning about @key of @item. */
void aft_check_warning(AftCheck *check, const char *item, const char *key, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/** @path, which stands at @key of @item, has to be a file. */
void aft_check_file(AftCheck *check, const char *item, const char *key, const char *path);

/** Adds the error that @key of @item is missing. */
void aft_check_missing(AftCheck *check, const char *item, const char *key);

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

/** Calls @function with each kind of node, @n of which the cluster has at the start, and the path
 *  @item that it stands at: "cluster.node", or "cluster.groups[1].node". */
typedef void (*AftNodeCheck)(AftCheck *check, const char *item, AftNodeSpec *node, guint n,
                             gpointer data);
void aft_check_nodes(AftCheck *check, AftNodeCheck function, gpointer data);

/** A cluster is written as like nodes or as groups of them; some hold data; racks exist. */
void aft_check_cluster(AftCheck *check);

/** Each item of the timeline does one thing, and says all of it; fills in what kind of action it
 *  is, and sorts the timeline. Returns: whether all of them are complete. */
gboolean aft_check_verbs(AftCheck *check);

/** Spreads: each kind has its parameters, and no others. */
void aft_check_spreads(AftCheck *check);

/** Fills in the sites of nodes, those included that the timeline, sorted, adds. */
void aft_check_sites(AftCheck *check);

/** Devices exist, have a size, and are not too many; fills in profiles, sizes and counts. */
void aft_check_disks(AftCheck *check);

/** Bytes of each domain that holds data at the start, the largest first; none when the cluster is
 *  not right. To be called once disks are checked. Returns: (transfer none): doubles. */
const GArray *aft_check_domains(AftCheck *check, AftDomain domain);

/** The most bytes that stripes of @width members, 1 or more, put on @domains, each member on
 *  another; the @down largest of them, which must leave as many or more, do not count. */
double aft_check_room(const GArray *domains, guint width, guint down);

/** "node" */
const char *aft_check_domain_name(AftDomain domain);

/** Where disk groups have cache devices; everywhere, too, when there is no disk group. */
typedef enum { AFT_CACHES_NOWHERE, AFT_CACHES_SOMEWHERE, AFT_CACHES_EVERYWHERE } AftCaching;
AftCaching aft_check_caching(AftCheck *check);

/** The geometry of @protection, which stands at @item, and the domains it needs; fills it in.
 *  Returns: whether it is right; warnings do not count. */
gboolean aft_check_protection(AftCheck *check, const char *item, AftProtectionSpec *protection,
                              AftDomain domain);

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

/** Groups change their layout only where their members are on nodes or racks of their own; speaks
 *  of @key of @item. Returns: whether those of @pool are. */
gboolean aft_check_convertible(AftCheck *check, const char *item, const char *key,
                               const AftPoolSpec *pool);

/** Pools: names, protection, services, and space for the data; fills in what follows. */
void aft_check_pools(AftCheck *check);

/** The scheduler: its policy and figures, filled in, and whether they go together. */
void aft_check_scheduler(AftCheck *check);

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

/** Failures that are drawn: what fails is there and has a life; fills in nodes. */
void aft_check_lifetimes(AftCheck *check);

/** Background work: scans that it waits for take place, and have time to. */
void aft_check_background(AftCheck *check);
/** Bursts and the day of workload @index, which is @item. */
void aft_check_arrivals(AftCheck *check, guint index, const char *item);

/** Workloads: keys that belong to the kind, pool, nodes, block; fills in names, pool, nodes. */
void aft_check_workloads(AftCheck *check);

/** Whether @part, which stands at @key of @item, is there, at the start or later; says so. */
gboolean aft_check_part(AftCheck *check, const char *item, const char *key, const AftPart *part);

/** Finds what @action starts or stops, which stands at @key of @item; fills it in.
 *  Returns: whether it is there. */
gboolean aft_check_target(AftCheck *check, const char *item, const char *key, AftAction *action);

/** Actions that contradict each other, speak of what is not there, or come too late, in a timeline
 *  that is sorted and @complete. */
void aft_check_timeline(AftCheck *check, gboolean complete);

/** Conversions of the timeline, sorted: pools exist, each can go from what it is to what it is to
 *  become, and what it becomes has space and suits the blocks; fills in the geometry. */
void aft_check_conversions(AftCheck *check);

/** Puts the timeline of a scenario that was resolved back into the order it was written in, which
 *  is the order that paths count in. It is no longer resolved then. */
void aft_timeline_unsort(AftScenario *scenario);
