/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file.h"
#include "scenario_target.h"
#include "sweep_reading.h"

#include <string.h>

#define AXES "axes["

void aft_sweep_tell(const AftSweepReading *reading, const AftPlace *place, GPtrArray *problems)
{
    for (guint i = 0; i < problems->len; i++) {
        aft_diagnostics_add(&reading->source->diagnostics, place, g_ptr_array_index(problems, i));
    }
    g_ptr_array_set_size(problems, 0);
}

void aft_sweep_refuse(const AftSweepReading *reading, const AftPlace *place, const char *path,
                      const char *suggestion, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autoptr(GPtrArray) problems = aft_problems_new();
    aft_problems_add(problems, FALSE, path, suggestion, "%s", message);
    aft_sweep_tell(reading, place, problems);
}

const AftPlace *aft_sweep_place(const AftSweepReading *reading, const char *path)
{
    return aft_places_find(reading->source->places, path);
}

const char *aft_sweep_name_below(const AftSweepItem *item, const AftSheetEntry *entry)
{
    const char *tail = entry->path + strlen(item->entry->path);
    return *tail == '.' && strpbrk(tail + 1, ".[") == NULL ? tail + 1 : NULL;
}

/* Whether @entry is what its value is called, not one of its keys. */
static gboolean is_label(const AftSweepItem *item, const AftSheetEntry *entry)
{
    return g_strcmp0(aft_sweep_name_below(item, entry), "name") == 0;
}

/* Whether numbers are written with a plus between: those of a stripe. */
static gboolean counts_members(const AftSweepItem *item, const AftSheetEntry *entry)
{
    static const char *const names[] = {"data", "local", "parity", NULL};
    const char *name = aft_sweep_name_below(item, entry);
    return name != NULL && g_strv_contains(names, name);
}

char *aft_sweep_item_text(const AftSweepItem *item)
{
    GString *text = g_string_new(item->entry->map ? "" : item->entry->text);
    gboolean members = FALSE;
    for (guint i = 0; i < item->below->len; i++) {
        const AftSheetEntry *entry = g_ptr_array_index(item->below, i);
        if (entry->text == NULL || entry->map) {
            continue;
        }
        if (is_label(item, entry)) {
            g_string_assign(text, entry->text);
            break;
        }
        gboolean member = counts_members(item, entry);
        const char *between = text->len == 0 ? "" : member && members ? "+" : " ";
        g_string_append_printf(text, "%s%s", between, entry->text);
        members = member;
    }
    return g_string_free(text, FALSE);
}

const char *aft_sweep_main_key(const char *path)
{
    AftKeyMatch match;
    gboolean bare = aft_keys_find(path, &match) && match.key->type == AFT_KEY_BARE;
    return bare && match.key->choices[1] == NULL ? match.key->choices[0] : NULL;
}

static char *setting_of(const AftSweepReading *reading, const char *path, const char *text)
{
    AftKeyMatch match;
    gboolean file = aft_keys_find(path, &match) && match.key->type == AFT_KEY_FILE;
    g_autofree char *meant = file ? aft_file_beside(reading->keys.name, text) : g_strdup(text);
    return g_strconcat(path, "=", meant, NULL);
}

/* Tries what @entry sets at @path, and adds it to @settings. */
static void add_setting(const AftSweepReading *reading, const AftSheetEntry *entry,
                        const char *path, GPtrArray *settings)
{
    const AftPlace *place = aft_keys_shape(path) == AFT_SHAPE_UNKNOWN
                                ? aft_places_key(reading->source->places, entry->path)
                                : aft_sweep_place(reading, entry->path);
    if (entry->text != NULL && aft_sweep_try(reading, place, path, entry->text)) {
        g_ptr_array_add(settings, setting_of(reading, path, entry->text));
    }
}

/* The path of the map around @path, if @path is its main key. Returns: (transfer full)
 * (nullable). */
static char *map_of_main_key(const char *path)
{
    const char *dot = strrchr(path, '.');
    g_autofree char *map = g_strndup(path, dot != NULL ? (gsize)(dot - path) : 0);
    const char *first = aft_sweep_main_key(map);
    return first != NULL && strcmp(dot + 1, first) == 0 ? g_steal_pointer(&map) : NULL;
}

/* Adds what the map @item at @path sets: main keys, or all others. */
static void add_settings(const AftSweepReading *reading, const AftSweepItem *item, const char *path,
                         gboolean main, GPtrArray *settings)
{
    for (guint i = 0; i < item->below->len; i++) {
        const AftSheetEntry *entry = g_ptr_array_index(item->below, i);
        g_autofree char *full = g_strconcat(path, entry->path + strlen(item->entry->path), NULL);
        g_autofree char *map = map_of_main_key(full);
        if (!entry->map && !is_label(item, entry) && main == (map != NULL)) {
            add_setting(reading, entry, map != NULL ? map : full, settings);
        }
    }
}

/* Main keys come first, each for the whole of its map: they forget what it held before. */
void aft_sweep_read_settings(const AftSweepReading *reading, const AftSweepItem *item,
                             const char *path, AftAxisValue *value)
{
    GPtrArray *settings = g_ptr_array_new();
    for (char **setting = value->settings; *setting != NULL; setting++) {
        g_ptr_array_add(settings, *setting);
    }
    if (!item->entry->map) {
        add_setting(reading, item->entry, path, settings);
    }
    add_settings(reading, item, path, TRUE, settings);
    add_settings(reading, item, path, FALSE, settings);
    g_ptr_array_add(settings, NULL);
    g_free(value->settings);
    value->settings = (char **)g_ptr_array_free(settings, FALSE);
}

/* Whether an axis can have that path; says so if not, at its key. */
static gboolean check_path(const AftSweepReading *reading, const char *where, const char *path)
{
    const AftPlace *place = aft_places_key(reading->source->places, where);
    AftKeyShape shape = aft_keys_shape(path);
    g_autofree char *full = aft_scenario_full_path(path);
    if (shape == AFT_SHAPE_UNKNOWN) {
        g_autofree char *meant = aft_keys_suggest(path);
        aft_sweep_refuse(reading, place, path, meant, "unknown key");
    } else if ((shape & AFT_SHAPE_LIST) != 0) {
        aft_sweep_refuse(reading, place, path, NULL, "expected one item of the list, like %s[0]",
                         path);
    } else if (strcmp(full, "run.seed") == 0) {
        aft_sweep_refuse(reading, place, path, NULL, AFT_SWEEP_SEEDS);
    } else if (!g_hash_table_add(reading->paths, g_steal_pointer(&full))) {
        aft_sweep_refuse(reading, place, path, NULL, "is an axis already");
    } else {
        return TRUE;
    }
    return FALSE;
}

static void item_free(gpointer data)
{
    AftSweepItem *item = data;
    g_ptr_array_unref(item->below);
    g_free(item);
}

static void add_item(GPtrArray *items, const AftSheetEntry *entry)
{
    AftSweepItem *item = g_new(AftSweepItem, 1);
    *item = (AftSweepItem){entry, g_ptr_array_new()};
    g_ptr_array_add(items, item);
}

/* The values of the axis at entry @at: what comes behind it on the sheet, as far as it is below
 * it. Returns: (transfer full). */
static GPtrArray *items_of_axis(const AftSheet *sheet, guint at)
{
    GPtrArray *items = g_ptr_array_new_with_free_func(item_free);
    const AftSheetEntry *axis = g_ptr_array_index(sheet->entries, at);
    gsize n = strlen(axis->path);
    if (!axis->map) {
        add_item(items, axis);
    }
    for (guint i = at + 1; i < sheet->entries->len; i++) {
        const AftSheetEntry *entry = g_ptr_array_index(sheet->entries, i);
        if (strncmp(entry->path, axis->path, n) != 0 || entry->path[n] != '[') {
            break;
        }
        if (entry->path[n + aft_sheet_bracket(entry->path + n)] == '\0') {
            add_item(items, entry);
        } else if (items->len > 0) {
            g_ptr_array_add(((AftSweepItem *)items->pdata[items->len - 1])->below, (gpointer)entry);
        }
    }
    return items;
}

static void read_values(const AftSweepReading *reading, const GPtrArray *items, AftAxis *axis)
{
    g_autoptr(GHashTable) texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < items->len; i++) {
        const AftSweepItem *item = g_ptr_array_index(items, i);
        const AftPlace *place = aft_sweep_place(reading, item->entry->path);
        if (item->entry->text == NULL) {
            continue;
        }
        if (aft_sweep_is_number(item)) {
            aft_sweep_refuse(reading, place, axis->path, NULL,
                             "a distribution or a range is all that an axis has");
            continue;
        }
        g_autofree char *text = aft_sweep_item_text(item);
        AftAxisValue *value = aft_axis_value_new(text);
        g_ptr_array_add(axis->values, value);
        aft_sweep_read_settings(reading, item, axis->path, value);
        if (!g_hash_table_add(texts, g_steal_pointer(&text))) {
            aft_sweep_refuse(reading, place, axis->path, NULL,
                             "there is a value \"%s\" already; give maps a name", value->text);
        }
    }
}

/* One number cannot be a map of keys, so that there is something wrong with its distribution. */
static gboolean is_or_should_be_number(const AftSweepItem *item, const char *path)
{
    return aft_sweep_is_number(item) ||
           (item->below->len > 0 && (aft_keys_shape(path) & AFT_SHAPE_MAP) == 0);
}

static void read_axis(AftSweepReading *reading, guint at)
{
    const AftSheetEntry *entry = g_ptr_array_index(reading->keys.sheet->entries, at);
    gsize n = strlen(AXES);
    g_autofree char *path = g_strndup(entry->path + n, strlen(entry->path) - n - 1);
    g_autoptr(GPtrArray) items = items_of_axis(reading->keys.sheet, at);
    if (!check_path(reading, entry->path, path) || entry->text == NULL) {
        return;
    }
    AftAxis *axis = aft_axis_new(path);
    g_ptr_array_add(reading->sweep->axes, axis);
    if (items->len == 0) {
        aft_sweep_refuse(reading, aft_sweep_place(reading, entry->path), path, NULL,
                         "expected one value or more");
    } else if (items->len == 1 && is_or_should_be_number(items->pdata[0], path)) {
        aft_sweep_read_number(reading, items->pdata[0], axis);
    } else {
        read_values(reading, items, axis);
    }
}

/* Whether @path is that of an axis, not of what is in one. */
static gboolean is_axis(const char *path)
{
    gsize before = strlen(AXES) - 1;
    return g_str_has_prefix(path, AXES) && path[before + aft_sheet_bracket(path + before)] == '\0';
}

void aft_sweep_read_axes(AftSweepReading *reading)
{
    const GPtrArray *entries = reading->keys.sheet->entries;
    guint n = 0;
    for (guint i = 0; i < entries->len; i++) {
        const AftSheetEntry *entry = g_ptr_array_index(entries, i);
        if (is_axis(entry->path) && ++n <= AFT_SWEEP_MOST_AXES) {
            read_axis(reading, i);
        }
    }
    if (n > AFT_SWEEP_MOST_AXES) {
        aft_problems_add(reading->keys.problems, FALSE, "axes", NULL,
                         "expected at most %d axes, got %u", AFT_SWEEP_MOST_AXES, n);
    }
}
