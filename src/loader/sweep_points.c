/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario_target.h"
#include "sweep_reading.h"

#include <string.h>

#define NAME "name"

/* Of @item, "points[3]": the path in the brackets of @entry, "points[3][cluster.nodes]".
 * Returns: (transfer full) (nullable): NULL: it is deeper, or elsewhere. */
static char *path_in(const char *item, const AftSheetEntry *entry)
{
    gsize n = strlen(item);
    if (strncmp(entry->path, item, n) != 0 || entry->path[n] != '[') {
        return NULL;
    }
    gsize length = aft_sheet_bracket(entry->path + n);
    return entry->path[n + length] == '\0' ? g_strndup(entry->path + n + 1, length - 2) : NULL;
}

/* What of the sheet is below entry @at. Returns: (transfer full). */
static GPtrArray *entries_below(const AftSheet *sheet, guint at)
{
    const AftSheetEntry *above = g_ptr_array_index(sheet->entries, at);
    GPtrArray *below = g_ptr_array_new();
    for (guint i = at + 1; i < sheet->entries->len; i++) {
        const AftSheetEntry *entry = g_ptr_array_index(sheet->entries, i);
        if (!g_str_has_prefix(entry->path, above->path)) {
            break;
        }
        g_ptr_array_add(below, (gpointer)entry);
    }
    return below;
}

static gboolean check_path(const AftSweepReading *reading, const AftSheetEntry *entry,
                           const char *path)
{
    const AftPlace *place = aft_places_key(reading->source->places, entry->path);
    g_autofree char *full = aft_scenario_full_path(path);
    if (aft_keys_shape(path) == AFT_SHAPE_UNKNOWN) {
        g_autofree char *meant = aft_keys_suggest(path);
        aft_sweep_refuse(reading, place, path, meant, "unknown key");
        return FALSE;
    }
    if (g_hash_table_contains(reading->paths, full)) {
        aft_sweep_refuse(reading, place, path, NULL, "is an axis already");
        return FALSE;
    }
    return TRUE;
}

/* Adds the entry at @at, of a point, to @point. */
static void read_entry(const AftSweepReading *reading, guint at, const char *path,
                       AftAxisValue *point, GString *text)
{
    const AftSheet *sheet = reading->keys.sheet;
    const AftSheetEntry *entry = g_ptr_array_index(sheet->entries, at);
    if (entry->text == NULL || !check_path(reading, entry, path)) {
        return;
    }
    g_autoptr(GPtrArray) below = entries_below(sheet, at);
    AftSweepItem item = {entry, below};
    g_autofree char *label = aft_sweep_item_text(&item);
    aft_sweep_read_settings(reading, &item, path, point);
    g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", label);
}

static void name_point(const AftSweepReading *reading, const char *item, AftAxisValue *point,
                       const char *text, GHashTable *names)
{
    g_autofree char *key = g_strdup_printf("%s[" NAME "]", item);
    const char *name = aft_sheet_text(reading->keys.sheet, key);
    g_free(point->text);
    point->text = g_strdup(name != NULL ? name : text);
    if (!g_hash_table_add(names, g_strdup(point->text))) {
        aft_sweep_refuse(reading, aft_sweep_place(reading, name != NULL ? key : item), item, NULL,
                         "there is a point called \"%s\" already", point->text);
    }
}

/* Reads the point at entry @at, "points[3]". */
static void read_point(const AftSweepReading *reading, guint at, GHashTable *names)
{
    const GPtrArray *entries = reading->keys.sheet->entries;
    const char *item = ((const AftSheetEntry *)g_ptr_array_index(entries, at))->path;
    g_autoptr(GString) text = g_string_new(NULL);
    AftAxisValue *point = aft_axis_value_new("");
    g_ptr_array_add(reading->sweep->points, point);
    for (guint i = at + 1; i < entries->len; i++) {
        const AftSheetEntry *entry = g_ptr_array_index(entries, i);
        if (!g_str_has_prefix(entry->path, item)) {
            break;
        }
        g_autofree char *path = path_in(item, entry);
        if (path != NULL && strcmp(path, NAME) != 0) {
            read_entry(reading, i, path, point, text);
        }
    }
    name_point(reading, item, point, text->str, names);
}

static gboolean is_point(const AftSheetEntry *entry)
{
    gsize before = strlen("points");
    return g_str_has_prefix(entry->path, "points[") &&
           entry->path[before + aft_sheet_bracket(entry->path + before)] == '\0';
}

static void read_list(const AftSweepReading *reading, const AftReadKey *key)
{
    const GPtrArray *entries = reading->keys.sheet->entries;
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < entries->len; i++) {
        const AftSheetEntry *entry = g_ptr_array_index(entries, i);
        if (is_point(entry)) {
            read_point(reading, i, names);
        }
    }
    if (reading->sweep->points->len == 0) {
        AFT_REFUSE(&reading->keys, key, NULL, "design list has a list of points");
    }
    for (guint i = 0; i < reading->sweep->axes->len; i++) {
        const AftAxis *axis = g_ptr_array_index(reading->sweep->axes, i);
        if (axis->values->len > 1) {
            g_autofree char *where = g_strdup_printf("axes[%s]", axis->path);
            aft_sweep_refuse(reading, aft_sweep_place(reading, where), axis->path, NULL,
                             "beside a list of points an axis has one value, or a distribution");
        }
    }
}

void aft_sweep_read_points(AftSweepReading *reading)
{
    AftSweep *sweep = reading->sweep;
    g_auto(AftReadKey) key = aft_reading_key(&reading->keys, "", "points");
    gboolean list = aft_sheet_items(reading->keys.sheet, key.path) > 0;
    if (sweep->design == AFT_DESIGN_LIST) {
        read_list(reading, &key);
    } else if (sweep->design == AFT_DESIGN_GRID) {
        if (key.text != NULL) {
            AFT_REFUSE(&reading->keys, &key, NULL,
                       "a grid has the points that its axes make; of design %s",
                       list ? "list" : "latin-hypercube or sobol");
        }
    } else if (list) {
        AFT_REFUSE(&reading->keys, &key, NULL,
                   "expected how many points, like 256; of design list");
    } else {
        aft_reading_demand(&reading->keys, &key, "expected how many points, like 256");
        aft_reading_count(&reading->keys, &key, &sweep->n_points);
        if (sweep->axes->len == 0 && !aft_sheet_has(reading->keys.sheet, "axes")) {
            AFT_REFUSE(&reading->keys, &key, NULL, "points lie along axes, and there are none");
        }
    }
}
