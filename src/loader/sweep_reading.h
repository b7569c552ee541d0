/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_reading.h - a sweep while it is made of the sheet of its file.
 *
 * What is wrong with a value is told as of a scenario, under the path of the scenario's key, but at
 * the place of the value in the sweep: "axes[cluster.nodes][2]" on the sheet.
 */
#pragma once

#include "reading.h"
#include "source.h"

#include <aftershock/scenario/keys.h>
#include <aftershock/sweep/sweep.h>

/** What is said of a sweep that sets run.seed. */
#define AFT_SWEEP_SEEDS "replications differ by themselves; write seed: of the sweep"

/** The scenario that is varied. */
typedef struct {
    char *name; /* (nullable): its file */
    char *text; /* (nullable): there is none that could be read */
    gsize bytes;
    AftScenario *scratch; /* to try settings on; never resolved */
} AftSweepBase;

typedef struct {
    AftReading keys;
    AftSource *source;
    AftSweep *sweep;
    AftSweepBase base;
    GHashTable *paths; /* full ones that axes have */
} AftSweepReading;

/** A value as it stands on the sheet: of an axis, or in a point. */
typedef struct {
    const AftSheetEntry *entry;
    GPtrArray *below; /* AftSheetEntry: of a map, all that is in it */
} AftSweepItem;

/** Tells @problems at @place, and empties them. */
void aft_sweep_tell(const AftSweepReading *reading, const AftPlace *place, GPtrArray *problems);

/** Tells at @place of a problem with the scenario's @path; @suggestion is (nullable). */
void aft_sweep_refuse(const AftSweepReading *reading, const AftPlace *place, const char *path,
                      const char *suggestion, const char *format, ...) G_GNUC_PRINTF(5, 6);

/** Where the value at @path of the sheet stands. */
const AftPlace *aft_sweep_place(const AftSweepReading *reading, const char *path);

/** Reads the scenario that is varied; @text (nullable) stands for its file. Messages of one that
 *  has errors go to @messages. */
void aft_sweep_base_read(AftSweepReading *reading, const char *text, GPtrArray *messages);

void aft_sweep_base_clear(AftSweepBase *base);

/** Whether the base takes @text at @path; if not it is told at @place. */
gboolean aft_sweep_try(const AftSweepReading *reading, const AftPlace *place, const char *path,
                       const char *text);

/** Adds what @item sets at @path to @value: one value, or a map of keys. */
void aft_sweep_read_settings(const AftSweepReading *reading, const AftSweepItem *item,
                             const char *path, AftAxisValue *value);

/** What tables call @item. Returns: (transfer full). */
char *aft_sweep_item_text(const AftSweepItem *item);

/** The name of the key of @entry, which is below @item; NULL: deeper. */
const char *aft_sweep_name_below(const AftSweepItem *item, const AftSheetEntry *entry);

/** The key of the map at @path that stands for all of it when it is one value: that forgets what
 *  the map held. Returns: (nullable). */
const char *aft_sweep_main_key(const char *path);

/** Whether setting @full takes away what is set at @path, both in full: it is the same key, or the
 *  map that holds it as one value. */
gboolean aft_sweep_takes_away(const char *full, const char *path);

void aft_sweep_read_axes(AftSweepReading *reading);

/** Whether @item says what numbers an axis has: a distribution, or a range. */
gboolean aft_sweep_is_number(const AftSweepItem *item);

/** Takes the distribution or range that @item is into @axis. */
void aft_sweep_read_number(const AftSweepReading *reading, const AftSweepItem *item, AftAxis *axis);

/** Reads `points`, whatever the design makes of them. */
void aft_sweep_read_points(AftSweepReading *reading);

/** Tells of axes and points that set what others set before them, or that forget it. */
void aft_sweep_check_order(const AftSweepReading *reading);

void aft_sweep_read_replications(AftSweepReading *reading);

/** Makes points, and tells of those that cannot run. */
void aft_sweep_check_points(const AftSweepReading *reading);
