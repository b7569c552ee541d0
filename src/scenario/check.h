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
} AftCheck;

/** Adds an error about @key of @item ("workload[2]", "" for the scenario; @key "" is the item
 *  itself). @suggestion (nullable) is the name that was probably meant. */
void aft_check_error(AftCheck *check, const char *item, const char *key, const char *suggestion,
                     const char *format, ...) G_GNUC_PRINTF(5, 6);

/** Adds a warning about @key of @item. */
void aft_check_warning(AftCheck *check, const char *item, const char *key, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/** Whether @key of @item was set. */
gboolean aft_check_written(const AftCheck *check, const char *item, const char *key);

/** Whether a key below @item was set. */
gboolean aft_check_written_below(const AftCheck *check, const char *item);

/** Whether no key at @path, below or above it has a wrong text or a misspelt name. */
gboolean aft_check_sound(const AftCheck *check, const char *path);

/** Amounts for messages. Returns: (transfer full). */
char *aft_check_time(gint64 ns);
char *aft_check_bytes(double bytes);

/** Spreads: each kind has its parameters, and no others. */
void aft_check_spreads(AftCheck *check);

/** Devices exist, have a size, and are not too many; fills in profiles, sizes and counts. */
void aft_check_disks(AftCheck *check);

/** The geometry of @protection, which stands at @item, and the nodes it needs; fills it in. */
void aft_check_protection(AftCheck *check, const char *item, AftProtectionSpec *protection);

/** Pools: names, protection, services, and space for the data; fills in what follows. */
void aft_check_pools(AftCheck *check);

/** Tiers: marks in order, and buffers that hold what is written at once. */
void aft_check_tiers(AftCheck *check);

/** Workloads: keys that belong to the kind, pool, nodes, block; fills in names, pool, nodes. */
void aft_check_workloads(AftCheck *check);

/** Faults that contradict each other or come too late; sorts the timeline. */
void aft_check_timeline(AftCheck *check);

/** Conversions of the timeline, sorted: pools exist, and each can go from what it is to what it is
 *  to become; fills in the geometry. */
void aft_check_conversions(AftCheck *check);

/** Puts the timeline of a scenario that was resolved back into the order it was written in, which
 *  is the order that paths count in. It is no longer resolved then. */
void aft_timeline_unsort(AftScenario *scenario);
