/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file.h"
#include "forms.h"
#include "reference_reading.h"
#include "source.h"

#include <aftershock/loader/loader.h>
#include <aftershock/loader/reference.h>
#include <math.h>
#include <string.h>

#define SETTINGS "].set."

enum { MOST_CONFIGURATIONS = 1000, MOST_CELLS = 10000 };

/* clang-format off */
#define VALUE AFT_SHAPE_VALUE
#define MAP   AFT_SHAPE_MAP
#define LIST  AFT_SHAPE_LIST
#define REQUIRED .required = TRUE
#define TEXT(what) .type = AFT_KEY_TEXT, .help = (what)
#define SIDE(what) {.type = AFT_KEY_NUMBER, .maximum = MOST_SIDE, .help = (what)}
#define SHARE_FORM "^[ \\t]*(?:none|\\+?[0-9.]+(?:[eE][+-]?[0-9]+)?[ \\t]*%)[ \\t]*$"
#define SIDE_FORM  "^[ \\t]*(?:none|\\+?[0-9.]+(?:[eE][+-]?[0-9]+)?[ \\t]*[a-zA-Z\\u00b5\\u03bc%/ ]*)$"
#define PLAIN_FORM "^[ \\t]*(?:\\+?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?|~|null)?[ \\t]*$"
#define MOST_SIDE  (1e21)

static const char *const kinds[] = {"reference", NULL};
static const char *const occurrences[] = {"first", "last", NULL};

static void add_metrics(GPtrArray *names)
{
    guint n = 0;
    const AftMetric *metrics = aft_metrics(&n);
    for (guint i = 0; i < n; i++) {
        g_ptr_array_add(names, (gpointer)metrics[i].name);
    }
}

static void add_metrics_and_ratio(GPtrArray *names)
{
    add_metrics(names);
    g_ptr_array_add(names, (gpointer) "ratio");
}

static void add_phases(GPtrArray *names)
{
    for (guint i = 0; i < AFT_PHASES; i++) {
        g_ptr_array_add(names, (gpointer)aft_phase_name((AftPhase)i));
    }
}

static void add_marks(GPtrArray *names)
{
    for (guint i = 0; i < AFT_MARKS; i++) {
        g_ptr_array_add(names, (gpointer)aft_mark_name((AftMark)i));
    }
}

static const AftSheetKey known[] = {
    {"version", VALUE, .value = {.type = AFT_KEY_COUNT, .minimum = 1.0, .maximum = 1.0, REQUIRED, .help = "Version of the file format."}},
    {"kind", VALUE, .value = {.type = AFT_KEY_WORD, REQUIRED, .choices = kinds, .help = "What the file describes."}},
    {"name", VALUE, .value = {TEXT("What the reference is called; the file's name unless said otherwise.")}},
    {"source", VALUE, .value = {TEXT("Where all of its figures come from.")}},
    {"fitted", VALUE, .value = {TEXT("What scenarios were fitted to: \"LABEL/PHASE, LABEL\".")}},
    {"tolerance", VALUE | MAP, .value = {TEXT("How far simulations may be from all figures, as a share of them, or none.")}, .form = SHARE_FORM},
    {"tolerance.below", VALUE, .value = {TEXT("How far below.")}, .form = SHARE_FORM},
    {"tolerance.above", VALUE, .value = {TEXT("How far above.")}, .form = SHARE_FORM},
    {"configurations", LIST | MAP, .most = MOST_CONFIGURATIONS, .value = {.help = "What was measured, and the scenarios that simulate it."}},
    {"configurations[*]", MAP, .most = 0},
    {"configurations[*].label", VALUE, .value = {TEXT("What cells call it."), REQUIRED}},
    {"configurations[*].scenario", VALUE, .value = {.type = AFT_KEY_FILE, REQUIRED, .help = "Path of its scenario, from the folder of this file on."}},
    {"configurations[*].set", MAP, .value = {.help = "Paths of scenario keys, and what they are set to."}},
    {"configurations[*].set.**", VALUE, .most = 0},
    {"cells", LIST | MAP, .most = MOST_CELLS, .value = {REQUIRED, .help = "The figures, one each."}},
    {"cells[*]", MAP, .most = 0},
    {"cells[*].label", VALUE, .value = {TEXT("Of which configuration."), REQUIRED}},
    {"cells[*].over", VALUE, .value = {TEXT("Of a ratio: label of the configuration that it is divided by.")}},
    {"cells[*].phase", VALUE, .value = {.type = AFT_KEY_WORD, .help = "In which phase; figures of a whole run have none."}, .names = add_phases},
    {"cells[*].occurrence", VALUE, .value = {.type = AFT_KEY_WORD, .fallback = "first", .choices = occurrences, .help = "In which of several such phases."}},
    {"cells[*].metric", VALUE, .value = {.type = AFT_KEY_WORD, REQUIRED, .help = "What was measured; or ratio, of what `of` says."}, .names = add_metrics_and_ratio},
    {"cells[*].of", VALUE, .value = {.type = AFT_KEY_WORD, .help = "Of metric ratio: what is divided."}, .names = add_metrics},
    {"cells[*].value", VALUE, .value = {.type = AFT_KEY_NUMBER, .minimum = 0.0, .maximum = MOST_SIDE, .above = TRUE, .help = "The figure, in `unit`; nothing: it is not known."}, .form = PLAIN_FORM, .open = TRUE},
    {"cells[*].unit", VALUE, .value = {TEXT("Unit of the value: one of what the metric measures; of ratios \"1\" or %.")}},
    {"cells[*].mark", VALUE, .value = {.type = AFT_KEY_WORD, .help = "Whether the source states the figure, it was derived from what it says, or is suspect."}, .names = add_marks},
    {"cells[*].tolerance", VALUE | MAP, .value = SIDE("How far simulations may be from it: a share of it in %, a quantity, or none."), .form = SIDE_FORM},
    {"cells[*].tolerance.below", VALUE, .value = SIDE("How far below."), .form = SIDE_FORM},
    {"cells[*].tolerance.above", VALUE, .value = SIDE("How far above."), .form = SIDE_FORM},
    {"cells[*].source", VALUE, .value = {TEXT("Where it comes from, beside the common source.")}},
    {"cells[*].note", VALUE, .value = {TEXT("What else there is to say of it.")}},
};
/* clang-format on */

static const AftSheetForm form = {known, G_N_ELEMENTS(known)};

const AftSheetForm *aft_reference_form(void)
{
    return &form;
}

static AftKeyShape shape_of(const char *path)
{
    return aft_sheet_shape(&form, path);
}

static const AftDocumentTarget target = {"reference", shape_of, aft_sheet_open, aft_sheet_set,
                                         NULL};

/* Of all cells, whatever they measure: a share. */
static void read_common_tolerance(AftReferenceReading *reading)
{
    aft_reading_tolerance(&reading->keys, "", AFT_UNIT_SHARE, &reading->tolerance);
    const AftTolerance *tolerance = &reading->tolerance;
    if ((tolerance->below.bounded && !tolerance->below.relative) ||
        (tolerance->above.bounded && !tolerance->above.relative)) {
        aft_problems_add(reading->keys.problems, FALSE, "tolerance", NULL,
                         "expected a share in %%, like 10 %%: cells have different units");
    }
}

/* @settings: "path=value". */
static void read_configuration(const AftReferenceReading *reading, guint index, GPtrArray *settings)
{
    const AftReading *keys = &reading->keys;
    g_autofree char *item = g_strdup_printf("configurations[%u]", index);
    if (aft_sheet_text(keys->sheet, item) == NULL) {
        return;
    }
    g_auto(AftReadKey) label = aft_reading_key(keys, item, "label");
    g_autofree char *scenario = aft_reading_needed(keys, item, "scenario", LONGEST_PATH,
                                                   "expected the path of the scenario to simulate");
    AftConfiguration *configuration = g_new0(AftConfiguration, 1);
    configuration->label =
        aft_reading_needed(keys, item, "label", LONGEST_NAME, "a configuration has a label");
    configuration->scenario = scenario != NULL ? aft_file_beside(keys->name, scenario) : NULL;
    g_ptr_array_add(settings, NULL);
    configuration->settings = g_strdupv((char **)settings->pdata);
    if (configuration->label != NULL &&
        aft_reference_configuration(reading->reference, configuration->label) != NULL) {
        AFT_REFUSE(keys, &label, NULL, "there is a configuration called %s already", label.text);
    }
    /* One without a label is an error; it is kept all the same, under a name nobody has. */
    configuration->label = configuration->label != NULL ? configuration->label : g_strdup("");
    g_ptr_array_add(reading->reference->configurations, configuration);
}

/* What is set in an item is written behind it, before the next. */
static void read_configurations(const AftReferenceReading *reading)
{
    const GPtrArray *entries = reading->keys.sheet->entries;
    guint next = 0;
    for (guint i = 0; i < aft_sheet_items(reading->keys.sheet, "configurations"); i++) {
        g_autoptr(GPtrArray) settings = g_ptr_array_new_with_free_func(g_free);
        g_autofree char *below = g_strdup_printf("configurations[%u" SETTINGS, i);
        g_autofree char *after = g_strdup_printf("configurations[%u]", i + 1);
        for (; next < entries->len; next++) {
            const AftSheetEntry *entry = g_ptr_array_index(entries, next);
            if (strcmp(entry->path, after) == 0) {
                break;
            }
            if (g_str_has_prefix(entry->path, below) && entry->text != NULL) {
                g_ptr_array_add(settings,
                                g_strconcat(entry->path + strlen(below), "=", entry->text, NULL));
            }
        }
        read_configuration(reading, i, settings);
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
static void read_fitted(const AftReferenceReading *reading)
{
    AftReference *reference = reading->reference;
    g_auto(AftReadKey) key = aft_reading_key(&reading->keys, "", "fitted");
    g_autofree char *text = aft_reading_line(&reading->keys, "", "fitted", LONGEST_TEXT);
    if (text == NULL) {
        return;
    }
    reference->fitted = g_strsplit(text, ",", -1);
    for (char **pattern = reference->fitted; *pattern != NULL; pattern++) {
        if (!mark_fitted(reference, g_strstrip(*pattern))) {
            AFT_REFUSE(&reading->keys, &key, NULL, "there is no cell \"%s\"", *pattern);
        }
    }
}

static void read_cells(const AftReferenceReading *reading)
{
    const AftSheet *sheet = reading->keys.sheet;
    g_auto(AftReadKey) cells = aft_reading_key(&reading->keys, "", "cells");
    guint n = aft_sheet_items(sheet, cells.path);
    if (n == 0 && (cells.text != NULL || !aft_sheet_has(sheet, cells.path))) {
        AFT_REFUSE(&reading->keys, &cells, NULL, "expected one cell or more");
    }
    for (guint i = 0; i < n; i++) {
        aft_reading_cell(reading, i);
    }
}

static void read_reference(AftReferenceReading *reading)
{
    AftReference *reference = reading->reference;
    aft_reading_head(&reading->keys, target.kind);
    char *name = aft_reading_line(&reading->keys, "", "name", LONGEST_NAME);
    char *source = aft_reading_line(&reading->keys, "", "source", LONGEST_TEXT);
    reference->name = name != NULL ? name : g_path_get_basename(reading->keys.name);
    reference->source = source != NULL ? source : g_strdup("");
    read_common_tolerance(reading);
    read_configurations(reading);
    read_cells(reading);
    read_fitted(reading);
}

static void fill(AftReference *reference, AftSource *source)
{
    AftSheet sheet;
    aft_sheet_init(&sheet, &form);
    if (aft_source_read(source, &target, &sheet)) {
        AftReferenceReading reading = {
            .keys = {&sheet, source->diagnostics.name, source->problems},
            .reference = reference,
        };
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
    return text != NULL && aft_loader_text_is_kind(text, bytes->len, kind);
}

gboolean aft_loader_text_is_kind(const char *text, gsize bytes, const char *kind)
{
    AftDiagnostics diagnostics;
    AftPlace place;
    if (bytes > AFT_LOADER_MOST_BYTES || !g_utf8_validate_len(text, bytes, NULL)) {
        return FALSE;
    }
    aft_diagnostics_init(&diagnostics, "", text, bytes);
    g_autofree char *found = aft_document_kind(&diagnostics, &place);
    aft_diagnostics_clear(&diagnostics);
    return g_strcmp0(found, kind) == 0;
}
