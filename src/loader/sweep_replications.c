/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_reading.h"

#include <aftershock/reference/metric.h>
#include <aftershock/scenario/nearest.h>

#include <string.h>

/* Whether @name is a figure of a phase. */
static gboolean check_figure(const AftReading *reading, const AftReadKey *key, const char *name)
{
    const AftMetric *metric = aft_metric_find(name);
    guint n = 0;
    const AftMetric *metrics = aft_metrics(&n);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < n; i++) {
        g_ptr_array_add(names, (gpointer)(metrics[i].whole ? NULL : metrics[i].name));
    }
    if (metric == NULL) {
        AFT_REFUSE(reading, key, aft_nearest(name, (const char *const *)names->pdata, names->len),
                   "there is no metric \"%s\"", name);
    } else if (metric->whole) {
        AFT_REFUSE(reading, key, NULL, "%s is no figure of a phase", name);
    }
    return metric != NULL && !metric->whole;
}

static gboolean check_phase(const AftReading *reading, const AftReadKey *key, const char *name)
{
    const char *names[AFT_PHASES];
    AftPhase phase;
    for (guint i = 0; i < AFT_PHASES; i++) {
        names[i] = aft_phase_name((AftPhase)i);
    }
    gboolean known = aft_phase_from_name(name, &phase);
    if (!known) {
        AFT_REFUSE(reading, key, aft_nearest(name, names, AFT_PHASES), "there is no phase \"%s\"",
                   name);
    }
    return known;
}

/* "rebuild/minutes". */
static void read_metric(const AftReading *reading, AftReplications *replications)
{
    g_auto(AftReadKey) key = aft_reading_key(reading, "replications.until", "metric");
    aft_reading_demand(reading, &key, "expected a phase and a metric, like rebuild/minutes");
    if (key.text == NULL) {
        return;
    }
    g_auto(GStrv) names = g_strsplit(key.text, "/", -1);
    if (g_strv_length(names) != 2) {
        AFT_REFUSE(reading, &key, NULL, "expected a phase and a metric, like rebuild/minutes");
    } else if (check_phase(reading, &key, names[0]) && check_figure(reading, &key, names[1])) {
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
    aft_reading_count(reading, &least, 2, AFT_SWEEP_MOST_REPLICATIONS, &replications->n);
    aft_reading_count(reading, &most, 2, AFT_SWEEP_MOST_REPLICATIONS, &replications->most);
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
    aft_reading_count(&reading->keys, &key, 1, AFT_SWEEP_MOST_REPLICATIONS, &replications->n);
    replications->most = replications->n;
}
