/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference_reading.h"

#include <aftershock/scenario/nearest.h>

#include <math.h>
#include <string.h>

/* Nothing that is measured is less or more, in seconds, bytes or times. */
#define LEAST_VALUE (1e-12)
#define MOST_VALUE  (1e21)

static void read_side(const AftReading *reading, const AftReadKey *key, AftUnit unit, AftSide *side)
{
    g_autoptr(GError) error = NULL;
    if (key->text != NULL && !aft_side_parse(key->text, unit, side, &error)) {
        AFT_REFUSE(reading, key, NULL, "%s", error->message);
    }
}

void aft_reading_tolerance(const AftReading *reading, const char *item, AftUnit unit,
                           AftTolerance *tolerance)
{
    g_auto(AftReadKey) both = aft_reading_key(reading, item, "tolerance");
    if (both.text == NULL) {
        return;
    }
    g_auto(AftReadKey) below = aft_reading_key(reading, both.path, "below");
    g_auto(AftReadKey) above = aft_reading_key(reading, both.path, "above");
    *tolerance = (AftTolerance){0};
    gboolean map =
        aft_sheet_has(reading->sheet, below.path) || aft_sheet_has(reading->sheet, above.path);
    if (!map) { /* whose own text would be empty */
        read_side(reading, &both, unit, &tolerance->below);
    }
    tolerance->above = tolerance->below;
    read_side(reading, &below, unit, &tolerance->below);
    read_side(reading, &above, unit, &tolerance->above);
}

static const AftMetric *find_metric(const AftReading *reading, const AftReadKey *key)
{
    const AftMetric *metric = aft_metric_find(key->text);
    if (metric != NULL) {
        return metric;
    }
    guint n = 0;
    const AftMetric *metrics = aft_metrics(&n);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < n; i++) {
        g_ptr_array_add(names, (gpointer)metrics[i].name);
    }
    AFT_REFUSE(reading, key, aft_nearest(key->text, (const char *const *)names->pdata, names->len),
               "there is no metric \"%s\"", key->text);
    return NULL;
}

/* "metric: iops" with `over`, or "metric: ratio" with `of: iops` and `over`. */
static const AftMetric *read_metric(const AftReading *reading, const char *item)
{
    g_auto(AftReadKey) metric = aft_reading_key(reading, item, "metric");
    g_auto(AftReadKey) of = aft_reading_key(reading, item, "of");
    g_auto(AftReadKey) over = aft_reading_key(reading, item, "over");
    gboolean ratio = g_strcmp0(metric.text, "ratio") == 0;
    aft_reading_demand(reading, &metric, "a cell has a metric, like iops");
    if (ratio) {
        aft_reading_demand(reading, &of, "a ratio has a metric that it is of");
        aft_reading_demand(reading, &over, "a ratio is over another configuration");
    } else if (of.text != NULL) {
        AFT_REFUSE(reading, &of, NULL, "only metric: ratio is of another metric");
    }
    const AftReadKey *named = ratio ? &of : &metric;
    return named->text != NULL ? find_metric(reading, named) : NULL;
}

static void read_phase(const AftReading *reading, const char *item, AftReferenceCell *cell)
{
    const char *names[AFT_PHASES];
    g_auto(AftReadKey) key = aft_reading_key(reading, item, "phase");
    g_auto(AftReadKey) occurrence = aft_reading_key(reading, item, "occurrence");
    if (cell->metric != NULL && !cell->metric->whole) {
        aft_reading_demand(reading, &key, "a cell has a phase, like steady");
    }
    for (guint i = 0; i < AFT_PHASES; i++) {
        names[i] = aft_phase_name((AftPhase)i);
    }
    if (key.text != NULL && !aft_phase_from_name(key.text, &cell->phase)) {
        AFT_REFUSE(reading, &key, aft_nearest(key.text, names, AFT_PHASES),
                   "there is no phase \"%s\"", key.text);
    }
    cell->last = g_strcmp0(occurrence.text, "last") == 0;
    if (occurrence.text != NULL && !cell->last && strcmp(occurrence.text, "first") != 0) {
        AFT_REFUSE(reading, &occurrence, NULL, "expected first or last, got \"%s\"",
                   occurrence.text);
    }
}

static void read_mark(const AftReading *reading, const char *item, AftReferenceCell *cell)
{
    const char *names[AFT_MARKS];
    g_auto(AftReadKey) key = aft_reading_key(reading, item, "mark");
    for (guint i = 0; i < AFT_MARKS; i++) {
        names[i] = aft_mark_name((AftMark)i);
    }
    if (key.text != NULL && !aft_mark_from_name(key.text, &cell->mark)) {
        AFT_REFUSE(reading, &key, aft_nearest(key.text, names, AFT_MARKS),
                   "expected stated, derived or suspect, got \"%s\"", key.text);
    }
}

/* Without a prefix, as the unit says the rest. */
static gboolean is_plain_number(const char *text)
{
    char *end = NULL;
    double value = g_ascii_strtod(text, &end);
    return *end == '\0' && isfinite(value) && strspn(text, "0123456789.eE+-") == strlen(text);
}

/* Takes the unit that @key names. Returns: whether it is one. */
static gboolean read_unit(const AftReading *reading, const AftReadKey *key, AftReferenceCell *cell)
{
    AftUnit unit = aft_reference_cell_unit(cell);
    gboolean percent = cell->over != NULL && strcmp(key->text, "%") == 0;
    g_autofree char *one =
        strcmp(key->text, "1") == 0 ? g_strdup("1") : g_strconcat("1 ", key->text, NULL);
    g_autoptr(GError) error = NULL;
    if (!aft_units_parse(percent ? AFT_UNIT_SHARE : unit, one, &cell->unit_base, &error)) {
        AFT_REFUSE(reading, key, NULL, "%s", error->message);
        return FALSE;
    }
    g_free(cell->unit);
    cell->unit = g_strdup(key->text);
    return TRUE;
}

static void read_number(const AftReading *reading, const AftReadKey *key, AftReferenceCell *cell)
{
    if (!is_plain_number(key->text)) {
        AFT_REFUSE(reading, key, NULL, "expected a plain number, like 2.95, got \"%s\"", key->text);
        return;
    }
    AftUnit unit = strcmp(cell->unit, "%") == 0 ? AFT_UNIT_SHARE : aft_reference_cell_unit(cell);
    g_autofree char *text = strcmp(cell->unit, "1") == 0
                                ? g_strdup(key->text)
                                : g_strconcat(key->text, " ", cell->unit, NULL);
    g_autoptr(GError) error = NULL;
    double value = 0.0;
    if (!aft_units_parse(unit, text, &value, &error)) {
        AFT_REFUSE(reading, key, NULL, "%s", error->message);
    } else if (!(value > 0.0)) {
        AFT_REFUSE(reading, key, NULL, "expected more than 0, got %s", key->text);
    } else if (value < LEAST_VALUE || value > MOST_VALUE) {
        AFT_REFUSE(reading, key, NULL, "expected what can be measured, got %s", key->text);
    } else {
        cell->value = value;
    }
}

static gboolean is_open(const AftReading *reading, const AftReadKey *value)
{
    const char *text = value->text;
    return !aft_sheet_has(reading->sheet, value->path) ||
           (text != NULL && (*text == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0));
}

/* Of a cell whose metric is known. */
static void read_value(const AftReading *reading, const char *item, AftReferenceCell *cell)
{
    g_auto(AftReadKey) value = aft_reading_key(reading, item, "value");
    g_auto(AftReadKey) unit = aft_reading_key(reading, item, "unit");
    g_auto(AftReadKey) mark = aft_reading_key(reading, item, "mark");
    AftReadKey usual = {unit.path, cell->over != NULL ? "1" : aft_metric_unit(cell->metric)};
    gboolean open = is_open(reading, &value);
    read_unit(reading, &usual, cell); /* to show open cells in */
    if (!open) {
        aft_reading_demand(reading, &unit, "a value has a unit; of ratios it is 1 or %");
        aft_reading_demand(reading, &mark, "a value is stated, derived or suspect");
    }
    if (unit.text != NULL && read_unit(reading, &unit, cell) && !open && value.text != NULL) {
        read_number(reading, &value, cell);
    }
}

static void read_sources(const AftReferenceReading *reading, const char *item,
                         AftReferenceCell *cell)
{
    const char *common = reading->reference->source;
    g_autofree char *own = aft_reading_line(&reading->keys, item, "source", LONGEST_TEXT);
    gboolean both = *common != '\0' && own != NULL;
    cell->source = g_strconcat(common, both ? ", " : "", own, NULL);
    cell->note = aft_reading_line(&reading->keys, item, "note", LONGEST_TEXT);
}

static void read_labels(const AftReading *reading, const char *item, AftReferenceCell *cell)
{
    g_auto(AftReadKey) over = aft_reading_key(reading, item, "over");
    cell->label = aft_reading_needed(reading, item, "label", LONGEST_NAME,
                                     "a cell has the label of a configuration");
    cell->over = aft_reading_line(reading, item, "over", LONGEST_NAME);
    if (cell->over != NULL && g_strcmp0(cell->label, cell->over) == 0) {
        AFT_REFUSE(reading, &over, NULL, "expected another configuration than %s itself",
                   cell->over);
    }
    cell->label = cell->label != NULL ? cell->label : g_strdup(""); /* an error, as told */
}

void aft_reading_cell(const AftReferenceReading *reading, guint index)
{
    const AftReading *keys = &reading->keys;
    g_autofree char *item = g_strdup_printf("cells[%u]", index);
    if (aft_sheet_text(keys->sheet, item) == NULL) {
        return;
    }
    AftReferenceCell *cell = aft_reference_cell_new();
    g_ptr_array_add(reading->reference->cells, cell);
    read_labels(keys, item, cell);
    cell->metric = read_metric(keys, item);
    read_phase(keys, item, cell);
    read_mark(keys, item, cell);
    read_sources(reading, item, cell);
    cell->tolerance = reading->tolerance;
    if (cell->metric != NULL) {
        read_value(keys, item, cell);
        aft_reading_tolerance(keys, item, aft_reference_cell_unit(cell), &cell->tolerance);
    }
}
