/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file.h"
#include "reading.h"
#include "source.h"

#include <aftershock/loader/reference.h>
#include <math.h>
#include <string.h>

/* Of all cells, whatever they measure: a share. */
static void read_common_tolerance(AftReading *reading)
{
    aft_reading_tolerance(reading, "", AFT_UNIT_SHARE, &reading->tolerance);
    const AftTolerance *tolerance = &reading->tolerance;
    if ((tolerance->below.bounded && !tolerance->below.relative) ||
        (tolerance->above.bounded && !tolerance->above.relative)) {
        aft_problems_add(reading->problems, FALSE, "tolerance", NULL,
                         "expected a share in %%, like 10 %%: cells have different units");
    }
}

static void read_version(const AftReading *reading)
{
    g_auto(AftReadKey) key = aft_reading_key(reading, "", "version");
    aft_reading_demand(reading, &key, "expected version: 1");
    if (key.text != NULL && strcmp(key.text, "1") != 0) {
        AFT_REFUSE(reading, &key, NULL, "expected 1, got %s", key.text);
    }
    g_auto(AftReadKey) kind = aft_reading_key(reading, "", "kind");
    if (kind.text != NULL && strcmp(kind.text, "reference") != 0) {
        AFT_REFUSE(reading, &kind, NULL, "expected reference, got \"%s\"", kind.text);
    }
}

static void read_configuration(const AftReading *reading, guint index, GPtrArray *settings)
{
    g_autofree char *item = g_strdup_printf("configurations[%u]", index);
    if (aft_sheet_text(reading->sheet, item) == NULL) {
        return;
    }
    g_auto(AftReadKey) label = aft_reading_key(reading, item, "label");
    g_autofree char *scenario = aft_reading_needed(reading, item, "scenario", LONGEST_PATH,
                                                   "expected the path of the scenario to simulate");
    AftConfiguration *configuration = g_new0(AftConfiguration, 1);
    configuration->label =
        aft_reading_needed(reading, item, "label", LONGEST_NAME, "a configuration has a label");
    configuration->scenario = scenario != NULL ? aft_file_beside(reading->name, scenario) : NULL;
    g_ptr_array_add(settings, NULL);
    configuration->settings = g_strdupv((char **)settings->pdata);
    if (configuration->label != NULL &&
        aft_reference_configuration(reading->reference, configuration->label) != NULL) {
        AFT_REFUSE(reading, &label, NULL, "there is a configuration called %s already", label.text);
    }
    /* One without a label is an error; it is kept all the same, under a name nobody has. */
    configuration->label = configuration->label != NULL ? configuration->label : g_strdup("");
    g_ptr_array_add(reading->reference->configurations, configuration);
}

/* Settings come in the order of the file, and so do the items. */
static void read_configurations(const AftReading *reading)
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
static void read_fitted(const AftReading *reading)
{
    AftReference *reference = reading->reference;
    g_auto(AftReadKey) key = aft_reading_key(reading, "", "fitted");
    g_autofree char *text = aft_reading_line(reading, "", "fitted", LONGEST_TEXT);
    if (text == NULL) {
        return;
    }
    reference->fitted = g_strsplit(text, ",", -1);
    for (char **pattern = reference->fitted; *pattern != NULL; pattern++) {
        if (!mark_fitted(reference, g_strstrip(*pattern))) {
            AFT_REFUSE(reading, &key, NULL, "there is no cell \"%s\"", *pattern);
        }
    }
}

static void read_cells(const AftReading *reading)
{
    g_auto(AftReadKey) cells = aft_reading_key(reading, "", "cells");
    if (reading->sheet->cells == 0 &&
        (cells.text != NULL || !aft_sheet_has(reading->sheet, cells.path))) {
        AFT_REFUSE(reading, &cells, NULL, "expected one cell or more");
    }
    for (guint i = 0; i < reading->sheet->cells; i++) {
        aft_reading_cell(reading, i);
    }
}

static void read_reference(AftReading *reading)
{
    AftReference *reference = reading->reference;
    read_version(reading);
    char *name = aft_reading_line(reading, "", "name", LONGEST_NAME);
    char *source = aft_reading_line(reading, "", "source", LONGEST_TEXT);
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
        AftReading reading = {.sheet = &sheet,
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
