/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file.h"
#include "sheet.h"
#include "source.h"

#include <aftershock/loader/reference.h>
#include <aftershock/scenario/nearest.h>

#include <math.h>
#include <string.h>

enum { LONGEST_NAME = 200, LONGEST_TEXT = 1000, LONGEST_PATH = 4000 }; /* bytes */

/* Nothing that is measured is less or more, in seconds, bytes or times. */
#define LEAST_VALUE (1e-12)
#define MOST_VALUE  (1e21)

typedef struct {
    const AftSheet *sheet;
    const char *name; /* of the text */
    GPtrArray *problems;
    AftReference *reference;
    AftTolerance tolerance; /* of all cells that do not say otherwise */
} Reading;

/* A key that is being looked at. */
typedef struct {
    char *path;
    const char *text; /* (nullable) */
} Key;

static void key_clear(Key *key)
{
    g_free(key->path);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Key, key_clear)

static Key key_of(const Reading *reading, const char *item, const char *name)
{
    char *path = g_strconcat(item, *item == '\0' ? "" : ".", name, NULL);
    return (Key){path, aft_sheet_text(reading->sheet, path)};
}

#define REFUSE(reading, key, suggestion, ...) \
    aft_problems_add((reading)->problems, FALSE, (key)->path, suggestion, __VA_ARGS__)

/* Asks for @key if it is not there; what is wrong with it has been told. */
static void demand(const Reading *reading, const Key *key, const char *why)
{
    if (!aft_sheet_has(reading->sheet, key->path)) {
        REFUSE(reading, key, NULL, "missing, %s", why);
    }
}

/* One line, not empty. */
static gboolean is_line(const char *text, gsize longest)
{
    gboolean fine = *text != '\0' && strlen(text) <= longest;
    for (const char *p = text; fine && *p != '\0'; p = g_utf8_next_char(p)) {
        fine = !g_unichar_iscntrl(g_utf8_get_char(p));
    }
    return fine;
}

/* Returns: (transfer full) (nullable): the text of the key @name of @item. */
static char *read_line(const Reading *reading, const char *item, const char *name, guint longest)
{
    g_auto(Key) key = key_of(reading, item, name);
    if (key.text == NULL) {
        return NULL;
    }
    if (!is_line(key.text, longest)) {
        REFUSE(reading, &key, NULL, "expected one line of at most %u bytes, got \"%s\"", longest,
               key.text);
        return NULL;
    }
    return g_strdup(key.text);
}

/* The same of a key that must be there. */
static char *read_needed(const Reading *reading, const char *item, const char *name, guint longest,
                         const char *why)
{
    g_auto(Key) key = key_of(reading, item, name);
    demand(reading, &key, why);
    return read_line(reading, item, name, longest);
}

static void read_side(const Reading *reading, const Key *key, AftUnit unit, AftSide *side)
{
    g_autoptr(GError) error = NULL;
    if (key->text != NULL && !aft_side_parse(key->text, unit, side, &error)) {
        REFUSE(reading, key, NULL, "%s", error->message);
    }
}

/* A value bounds both sides, keys each its own; what is written forgets what was before. */
static void read_tolerance(const Reading *reading, const char *item, AftUnit unit,
                           AftTolerance *tolerance)
{
    g_auto(Key) both = key_of(reading, item, "tolerance");
    if (both.text == NULL) {
        return;
    }
    g_auto(Key) below = key_of(reading, both.path, "below");
    g_auto(Key) above = key_of(reading, both.path, "above");
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

/* Of all cells, whatever they measure: a share. */
static void read_common_tolerance(Reading *reading)
{
    read_tolerance(reading, "", AFT_UNIT_SHARE, &reading->tolerance);
    const AftTolerance *tolerance = &reading->tolerance;
    if ((tolerance->below.bounded && !tolerance->below.relative) ||
        (tolerance->above.bounded && !tolerance->above.relative)) {
        aft_problems_add(reading->problems, FALSE, "tolerance", NULL,
                         "expected a share in %%, like 10 %%: cells have different units");
    }
}

static void read_version(const Reading *reading)
{
    g_auto(Key) key = key_of(reading, "", "version");
    demand(reading, &key, "expected version: 1");
    if (key.text != NULL && strcmp(key.text, "1") != 0) {
        REFUSE(reading, &key, NULL, "expected 1, got %s", key.text);
    }
    g_auto(Key) kind = key_of(reading, "", "kind");
    if (kind.text != NULL && strcmp(kind.text, "reference") != 0) {
        REFUSE(reading, &kind, NULL, "expected reference, got \"%s\"", kind.text);
    }
}

static void read_configuration(const Reading *reading, guint index, GPtrArray *settings)
{
    g_autofree char *item = g_strdup_printf("configurations[%u]", index);
    if (aft_sheet_text(reading->sheet, item) == NULL) {
        return;
    }
    g_auto(Key) label = key_of(reading, item, "label");
    g_autofree char *scenario = read_needed(reading, item, "scenario", LONGEST_PATH,
                                            "expected the path of the scenario to simulate");
    AftConfiguration *configuration = g_new0(AftConfiguration, 1);
    configuration->label =
        read_needed(reading, item, "label", LONGEST_NAME, "a configuration has a label");
    configuration->scenario = scenario != NULL ? aft_file_beside(reading->name, scenario) : NULL;
    g_ptr_array_add(settings, NULL);
    configuration->settings = g_strdupv((char **)settings->pdata);
    if (configuration->label != NULL &&
        aft_reference_configuration(reading->reference, configuration->label) != NULL) {
        REFUSE(reading, &label, NULL, "there is a configuration called %s already", label.text);
    }
    /* One without a label is an error; it is kept all the same, under a name nobody has. */
    configuration->label = configuration->label != NULL ? configuration->label : g_strdup("");
    g_ptr_array_add(reading->reference->configurations, configuration);
}

/* Settings come in the order of the file, and so do the items. */
static void read_configurations(const Reading *reading)
{
    const GArray *all = reading->sheet->settings;
    guint next = 0;
    for (guint i = 0; i < reading->sheet->configurations; i++) {
        g_autoptr(GPtrArray) settings = g_ptr_array_new();
        while (next < all->len && g_array_index(all, AftSheetSetting, next).item == i) {
            g_ptr_array_add(settings, g_array_index(all, AftSheetSetting, next++).text);
        }
        read_configuration(reading, i, settings);
    }
}

static const AftMetric *find_metric(const Reading *reading, const Key *key)
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
    REFUSE(reading, key, aft_nearest(key->text, (const char *const *)names->pdata, names->len),
           "there is no metric \"%s\"", key->text);
    return NULL;
}

/* "metric: iops" with `over`, or "metric: ratio" with `of: iops` and `over`. */
static const AftMetric *read_metric(const Reading *reading, const char *item)
{
    g_auto(Key) metric = key_of(reading, item, "metric");
    g_auto(Key) of = key_of(reading, item, "of");
    g_auto(Key) over = key_of(reading, item, "over");
    gboolean ratio = g_strcmp0(metric.text, "ratio") == 0;
    demand(reading, &metric, "a cell has a metric, like iops");
    if (ratio) {
        demand(reading, &of, "a ratio has a metric that it is of");
        demand(reading, &over, "a ratio is over another configuration");
    } else if (of.text != NULL) {
        REFUSE(reading, &of, NULL, "only metric: ratio is of another metric");
    }
    const Key *named = ratio ? &of : &metric;
    return named->text != NULL ? find_metric(reading, named) : NULL;
}

static void read_phase(const Reading *reading, const char *item, AftReferenceCell *cell)
{
    const char *names[AFT_PHASES];
    g_auto(Key) key = key_of(reading, item, "phase");
    g_auto(Key) occurrence = key_of(reading, item, "occurrence");
    if (cell->metric != NULL && !cell->metric->whole) {
        demand(reading, &key, "a cell has a phase, like steady");
    }
    for (guint i = 0; i < AFT_PHASES; i++) {
        names[i] = aft_phase_name((AftPhase)i);
    }
    if (key.text != NULL && !aft_phase_from_name(key.text, &cell->phase)) {
        REFUSE(reading, &key, aft_nearest(key.text, names, AFT_PHASES), "there is no phase \"%s\"",
               key.text);
    }
    cell->last = g_strcmp0(occurrence.text, "last") == 0;
    if (occurrence.text != NULL && !cell->last && strcmp(occurrence.text, "first") != 0) {
        REFUSE(reading, &occurrence, NULL, "expected first or last, got \"%s\"", occurrence.text);
    }
}

static void read_mark(const Reading *reading, const char *item, AftReferenceCell *cell)
{
    const char *names[AFT_MARKS];
    g_auto(Key) key = key_of(reading, item, "mark");
    for (guint i = 0; i < AFT_MARKS; i++) {
        names[i] = aft_mark_name((AftMark)i);
    }
    if (key.text != NULL && !aft_mark_from_name(key.text, &cell->mark)) {
        REFUSE(reading, &key, aft_nearest(key.text, names, AFT_MARKS),
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
static gboolean read_unit(const Reading *reading, const Key *key, AftReferenceCell *cell)
{
    AftUnit unit = aft_reference_cell_unit(cell);
    gboolean percent = cell->over != NULL && strcmp(key->text, "%") == 0;
    g_autofree char *one =
        strcmp(key->text, "1") == 0 ? g_strdup("1") : g_strconcat("1 ", key->text, NULL);
    g_autoptr(GError) error = NULL;
    if (!aft_units_parse(percent ? AFT_UNIT_SHARE : unit, one, &cell->unit_base, &error)) {
        REFUSE(reading, key, NULL, "%s", error->message);
        return FALSE;
    }
    g_free(cell->unit);
    cell->unit = g_strdup(key->text);
    return TRUE;
}

static void read_number(const Reading *reading, const Key *key, AftReferenceCell *cell)
{
    if (!is_plain_number(key->text)) {
        REFUSE(reading, key, NULL, "expected a plain number, like 2.95, got \"%s\"", key->text);
        return;
    }
    AftUnit unit = strcmp(cell->unit, "%") == 0 ? AFT_UNIT_SHARE : aft_reference_cell_unit(cell);
    g_autofree char *text = strcmp(cell->unit, "1") == 0
                                ? g_strdup(key->text)
                                : g_strconcat(key->text, " ", cell->unit, NULL);
    g_autoptr(GError) error = NULL;
    double value = 0.0;
    if (!aft_units_parse(unit, text, &value, &error)) {
        REFUSE(reading, key, NULL, "%s", error->message);
    } else if (!(value > 0.0)) {
        REFUSE(reading, key, NULL, "expected more than 0, got %s", key->text);
    } else if (value < LEAST_VALUE || value > MOST_VALUE) {
        REFUSE(reading, key, NULL, "expected what can be measured, got %s", key->text);
    } else {
        cell->value = value;
    }
}

static gboolean is_open(const Reading *reading, const Key *value)
{
    const char *text = value->text;
    return !aft_sheet_has(reading->sheet, value->path) ||
           (text != NULL && (*text == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0));
}

/* Of a cell whose metric is known. */
static void read_value(const Reading *reading, const char *item, AftReferenceCell *cell)
{
    g_auto(Key) value = key_of(reading, item, "value");
    g_auto(Key) unit = key_of(reading, item, "unit");
    g_auto(Key) mark = key_of(reading, item, "mark");
    Key usual = {unit.path, cell->over != NULL ? "1" : aft_metric_unit(cell->metric)};
    gboolean open = is_open(reading, &value);
    read_unit(reading, &usual, cell); /* to show open cells in */
    if (!open) {
        demand(reading, &unit, "a value has a unit; of ratios it is 1 or %");
        demand(reading, &mark, "a value is stated, derived or suspect");
    }
    if (unit.text != NULL && read_unit(reading, &unit, cell) && !open && value.text != NULL) {
        read_number(reading, &value, cell);
    }
}

static void read_sources(const Reading *reading, const char *item, AftReferenceCell *cell)
{
    const char *common = reading->reference->source;
    g_autofree char *own = read_line(reading, item, "source", LONGEST_TEXT);
    gboolean both = *common != '\0' && own != NULL;
    cell->source = g_strconcat(common, both ? ", " : "", own, NULL);
    cell->note = read_line(reading, item, "note", LONGEST_TEXT);
}

static void read_labels(const Reading *reading, const char *item, AftReferenceCell *cell)
{
    g_auto(Key) over = key_of(reading, item, "over");
    cell->label = read_needed(reading, item, "label", LONGEST_NAME,
                              "a cell has the label of a configuration");
    cell->over = read_line(reading, item, "over", LONGEST_NAME);
    if (cell->over != NULL && g_strcmp0(cell->label, cell->over) == 0) {
        REFUSE(reading, &over, NULL, "expected another configuration than %s itself", cell->over);
    }
    cell->label = cell->label != NULL ? cell->label : g_strdup(""); /* an error, as told */
}

static void read_cell(const Reading *reading, guint index)
{
    g_autofree char *item = g_strdup_printf("cells[%u]", index);
    if (aft_sheet_text(reading->sheet, item) == NULL) {
        return;
    }
    AftReferenceCell *cell = aft_reference_cell_new();
    g_ptr_array_add(reading->reference->cells, cell);
    read_labels(reading, item, cell);
    cell->metric = read_metric(reading, item);
    read_phase(reading, item, cell);
    read_mark(reading, item, cell);
    read_sources(reading, item, cell);
    cell->tolerance = reading->tolerance;
    if (cell->metric != NULL) {
        read_value(reading, item, cell);
        read_tolerance(reading, item, aft_reference_cell_unit(cell), &cell->tolerance);
    }
}

/* Returns: whether there is any cell that @pattern is about. */
static gboolean mark_fitted(AftReference *reference, const char *pattern)
{
    gboolean any = FALSE;
    for (guint i = 0; i < reference->cells->len; i++) {
        AftReferenceCell *cell = g_ptr_array_index(reference->cells, i);
        gboolean matches = cell->metric != NULL && aft_reference_cell_matches(cell, pattern);
        cell->fitted |= matches && !isnan(cell->value) && cell->mark != AFT_MARK_SUSPECT;
        any |= matches;
    }
    return any;
}

/* "label/phase, label": what scenarios were fitted to. */
static void read_fitted(const Reading *reading)
{
    AftReference *reference = reading->reference;
    g_auto(Key) key = key_of(reading, "", "fitted");
    g_autofree char *text = read_line(reading, "", "fitted", LONGEST_TEXT);
    if (text == NULL) {
        return;
    }
    reference->fitted = g_strsplit(text, ",", -1);
    for (char **pattern = reference->fitted; *pattern != NULL; pattern++) {
        if (!mark_fitted(reference, g_strstrip(*pattern))) {
            REFUSE(reading, &key, NULL, "there is no cell \"%s\"", *pattern);
        }
    }
}

static void read_cells(const Reading *reading)
{
    g_auto(Key) cells = key_of(reading, "", "cells");
    if (reading->sheet->cells == 0 &&
        (cells.text != NULL || !aft_sheet_has(reading->sheet, cells.path))) {
        REFUSE(reading, &cells, NULL, "expected one cell or more");
    }
    for (guint i = 0; i < reading->sheet->cells; i++) {
        read_cell(reading, i);
    }
}

static void read_reference(Reading *reading)
{
    AftReference *reference = reading->reference;
    read_version(reading);
    char *name = read_line(reading, "", "name", LONGEST_NAME);
    char *source = read_line(reading, "", "source", LONGEST_TEXT);
    reference->name = name != NULL ? name : g_path_get_basename(reading->name);
    reference->source = source != NULL ? source : g_strdup("");
    read_common_tolerance(reading);
    read_configurations(reading);
    read_cells(reading);
    read_fitted(reading);
}

static void fill(AftReference *reference, AftSource *source)
{
    AftSheet sheet;
    aft_sheet_init(&sheet);
    if (aft_source_read(source, aft_sheet_target(), &sheet)) {
        Reading reading = {.sheet = &sheet,
                           .name = source->diagnostics.name,
                           .problems = source->problems,
                           .reference = reference};
        read_reference(&reading);
        aft_source_tell(source);
    }
    aft_sheet_clear(&sheet);
}

AftReference *aft_loader_load_reference_text(const char *name, const char *text, gsize bytes,
                                             GPtrArray *messages, GError **error)
{
    AftSource source;
    if (!aft_source_init(&source, name, text, bytes, NULL, error)) {
        return NULL;
    }
    g_autoptr(AftReference) reference = aft_reference_new();
    fill(reference, &source);
    return aft_source_finish(&source, messages, error) ? g_steal_pointer(&reference) : NULL;
}

AftReference *aft_loader_load_reference(const char *path, GPtrArray *messages, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    const char *text = aft_file_read(path, bytes, error);
    return text != NULL ? aft_loader_load_reference_text(path, text, bytes->len, messages, error)
                        : NULL;
}

gboolean aft_loader_is_kind(const char *path, const char *kind)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    const char *text = aft_file_read(path, bytes, NULL);
    AftDiagnostics diagnostics;
    AftPlace place;
    if (text == NULL || !g_utf8_validate_len(text, bytes->len, NULL)) {
        return FALSE;
    }
    aft_diagnostics_init(&diagnostics, path, text, bytes->len);
    g_autofree char *found = aft_document_kind(&diagnostics, &place);
    aft_diagnostics_clear(&diagnostics);
    return g_strcmp0(found, kind) == 0;
}
