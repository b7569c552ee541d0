/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_reading.h"

#include <aftershock/sweep/yields.h>

/* "rebuild/minutes". */
static void read_metric(const AftReading *reading, AftReplications *replications)
{
    g_auto(AftReadKey) key = aft_reading_key(reading, "replications.until", "metric");
    aft_reading_demand(reading, &key, "expected a phase and a metric, like rebuild/minutes");
    if (key.text == NULL) {
        return;
    }
    guint phase, yield;
    g_autoptr(GError) error = NULL;
    if (!aft_yield_find(key.text, &phase, &yield, &error)) {
        AFT_REFUSE(reading, &key, NULL, "%s", error->message);
    } else {
        replications->metric = g_strdup(key.text);
    }
}

static void read_within(const AftReading *reading, AftReplications *replications)
{
    g_auto(AftReadKey) key = aft_reading_key(reading, "replications.until", "within");
    g_autoptr(GError) error = NULL;
    aft_reading_demand(reading, &key, "expected a share of the mean, like 2 %");
    if (key.text == NULL) {
        return;
    }
    if (!aft_units_parse(AFT_UNIT_SHARE, key.text, &replications->within, &error)) {
        AFT_REFUSE(reading, &key, NULL, "%s", error->message);
    } else if (!(replications->within > 0.0 && replications->within <= 1.0)) {
        AFT_REFUSE(reading, &key, NULL, "expected more than 0 %%, at most 100 %%, got %s",
                   key.text);
    }
}

/* An interval takes two replications at least. */
static void read_map(const AftReading *reading, AftReplications *replications)
{
    g_auto(AftReadKey) until = aft_reading_key(reading, "replications", "until");
    g_auto(AftReadKey) least = aft_reading_key(reading, "replications", "min");
    g_auto(AftReadKey) most = aft_reading_key(reading, "replications", "max");
    aft_reading_demand(reading, &until, "expected until: {metric: rebuild/minutes, within: 2 %}");
    aft_reading_demand(reading, &most, "expected how many replications a point gets at most");
    replications->n = AFT_SWEEP_BLOCK;
    replications->most = AFT_SWEEP_MOST_REPLICATIONS;
    aft_reading_count(reading, &least, &replications->n);
    aft_reading_count(reading, &most, &replications->most);
    if (least.text == NULL) {
        replications->n = MIN(replications->n, replications->most);
    } else if (replications->n > replications->most) {
        AFT_REFUSE(reading, &least, NULL, "expected at most max, %u, got %u", replications->most,
                   replications->n);
    }
    if (until.text != NULL) {
        read_metric(reading, replications);
        read_within(reading, replications);
    }
}

void aft_sweep_read_replications(AftSweepReading *reading)
{
    AftReplications *replications = &reading->sweep->replications;
    g_auto(AftReadKey) key = aft_reading_key(&reading->keys, "", "replications");
    const AftSheetEntry *entry = g_hash_table_lookup(reading->keys.sheet->by_path, key.path);
    if (entry != NULL && entry->map) {
        read_map(&reading->keys, replications);
        return;
    }
    aft_reading_count(&reading->keys, &key, &replications->n);
    replications->most = replications->n;
}
