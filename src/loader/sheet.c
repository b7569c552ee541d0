/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sheet.h"

#include <aftershock/scenario/nearest.h>

#include <string.h>

enum { MOST_CONFIGURATIONS = 1000, MOST_CELLS = 10000 };

#define SETTINGS "configurations[*].set."

static const struct {
    const char *path;
    AftKeyShape shape;
} keys[] = {
    {"version", AFT_SHAPE_VALUE},
    {"kind", AFT_SHAPE_VALUE},
    {"name", AFT_SHAPE_VALUE},
    {"source", AFT_SHAPE_VALUE},
    {"fitted", AFT_SHAPE_VALUE},
    {"tolerance", AFT_SHAPE_VALUE | AFT_SHAPE_MAP},
    {"tolerance.below", AFT_SHAPE_VALUE},
    {"tolerance.above", AFT_SHAPE_VALUE},
    {"configurations", AFT_SHAPE_LIST | AFT_SHAPE_MAP},
    {"configurations[*]", AFT_SHAPE_MAP},
    {"configurations[*].label", AFT_SHAPE_VALUE},
    {"configurations[*].scenario", AFT_SHAPE_VALUE},
    {"configurations[*].set", AFT_SHAPE_MAP},
    {"cells", AFT_SHAPE_LIST | AFT_SHAPE_MAP},
    {"cells[*]", AFT_SHAPE_MAP},
    {"cells[*].label", AFT_SHAPE_VALUE},
    {"cells[*].over", AFT_SHAPE_VALUE},
    {"cells[*].phase", AFT_SHAPE_VALUE},
    {"cells[*].occurrence", AFT_SHAPE_VALUE},
    {"cells[*].metric", AFT_SHAPE_VALUE},
    {"cells[*].of", AFT_SHAPE_VALUE},
    {"cells[*].value", AFT_SHAPE_VALUE},
    {"cells[*].unit", AFT_SHAPE_VALUE},
    {"cells[*].mark", AFT_SHAPE_VALUE},
    {"cells[*].tolerance", AFT_SHAPE_VALUE | AFT_SHAPE_MAP},
    {"cells[*].tolerance.below", AFT_SHAPE_VALUE},
    {"cells[*].tolerance.above", AFT_SHAPE_VALUE},
    {"cells[*].source", AFT_SHAPE_VALUE},
    {"cells[*].note", AFT_SHAPE_VALUE},
};

/* @path in the table's words: "cells[*].unit". Returns: (transfer full); @ret_item is the index. */
static char *pattern_of(const char *path, guint *ret_item)
{
    const char *open = strchr(path, '['), *close = open != NULL ? strchr(open, ']') : NULL;
    *ret_item = 0;
    if (close == NULL) {
        return g_strdup(path);
    }
    *ret_item = (guint)g_ascii_strtoull(open + 1, NULL, 10);
    return g_strdup_printf("%.*s[*]%s", (int)(open - path), path, close + 1);
}

static AftKeyShape shape_of_pattern(const char *pattern)
{
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (strcmp(keys[i].path, pattern) == 0) {
            return keys[i].shape;
        }
    }
    return g_str_has_prefix(pattern, SETTINGS) ? AFT_SHAPE_VALUE : AFT_SHAPE_UNKNOWN;
}

static AftKeyShape shape_of(const char *path)
{
    guint item;
    g_autofree char *pattern = pattern_of(path, &item);
    return *path == '\0' ? AFT_SHAPE_MAP : shape_of_pattern(pattern);
}

/* The bytes of @path before its last name, the dot among them. */
static gsize length_above(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot == NULL ? 0 : (gsize)(dot - path) + 1;
}

/* The known key in the same map that is most like @path. Returns: (transfer full) (nullable). */
static char *suggest(const char *path, const char *pattern)
{
    const char *names[G_N_ELEMENTS(keys)];
    guint n = 0;
    gsize above = length_above(pattern);
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (length_above(keys[i].path) == above && strncmp(keys[i].path, pattern, above) == 0 &&
            !g_str_has_suffix(keys[i].path, "]")) {
            names[n++] = keys[i].path + above;
        }
    }
    const char *nearest = aft_nearest(pattern + above, names, n);
    return nearest == NULL ? NULL
                           : g_strdup_printf("%.*s%s", (int)length_above(path), path, nearest);
}

/* Whether the list that @path is in may have as many items; counts them. */
static gboolean count_item(AftSheet *sheet, const char *path, guint item, GPtrArray *problems)
{
    gboolean cell = g_str_has_prefix(path, "cells[");
    guint most = cell ? MOST_CELLS : MOST_CONFIGURATIONS;
    if (!cell && !g_str_has_prefix(path, "configurations[")) {
        return TRUE;
    }
    if (item >= most) {
        aft_problems_add(problems, FALSE, path, NULL, "expected at most %u items in the list",
                         most);
        return FALSE;
    }
    guint *n = cell ? &sheet->cells : &sheet->configurations;
    *n = MAX(*n, item + 1);
    return TRUE;
}

static const char *describe(AftKeyShape shape)
{
    return (shape & AFT_SHAPE_LIST) != 0  ? "a list of maps"
           : (shape & AFT_SHAPE_MAP) != 0 ? "a map of keys"
                                          : "one value";
}

static void keep(AftSheet *sheet, const char *path, char *text)
{
    g_hash_table_insert(sheet->texts, g_strdup(path), text);
}

static gboolean open_map(gpointer data, const char *path, gboolean list, GPtrArray *problems)
{
    guint item;
    g_autofree char *pattern = pattern_of(path, &item);
    AftKeyShape shape = shape_of_pattern(pattern);
    gboolean fits = (shape & (list ? AFT_SHAPE_LIST : AFT_SHAPE_MAP)) != 0;
    if (!fits) {
        aft_problems_add(problems, FALSE, path, NULL, "expected %s, got a %s", describe(shape),
                         list ? "list" : "map");
    }
    fits = fits && count_item(data, path, item, problems);
    keep(data, path, fits ? g_strdup("") : NULL);
    if (fits && !list && (shape & AFT_SHAPE_LIST) != 0) { /* a list of one, written as its item */
        g_autofree char *first = g_strconcat(path, "[0]", NULL);
        return open_map(data, first, FALSE, problems);
    }
    return fits;
}

static void keep_value(AftSheet *sheet, const char *path, const char *pattern, guint item,
                       const char *text)
{
    g_autofree char *trimmed = g_strstrip(g_strdup(text));
    if (g_str_has_prefix(pattern, SETTINGS)) {
        AftSheetSetting setting = {item,
                                   g_strconcat(pattern + strlen(SETTINGS), "=", trimmed, NULL)};
        g_array_append_val(sheet->settings, setting);
    }
    keep(sheet, path, g_steal_pointer(&trimmed));
}

static void set_value(gpointer data, const char *path, const char *text, GPtrArray *problems)
{
    guint item;
    g_autofree char *pattern = pattern_of(path, &item);
    AftKeyShape shape = shape_of_pattern(pattern);
    if (shape == AFT_SHAPE_UNKNOWN) {
        g_autofree char *meant = suggest(path, pattern);
        aft_problems_add(problems, FALSE, path, meant, "unknown key");
        if (meant != NULL && !aft_sheet_has(data, meant)) {
            keep(data, meant, NULL);
        }
    } else if ((shape & AFT_SHAPE_VALUE) == 0) {
        aft_problems_add(problems, FALSE, path, NULL, "expected %s, got \"%s\"", describe(shape),
                         text);
        keep(data, path, NULL);
        count_item(data, path, item, problems);
    } else {
        keep_value(data, path, pattern, item, text);
    }
}

static const AftDocumentTarget target = {"reference", shape_of, open_map, set_value};

const AftDocumentTarget *aft_sheet_target(void)
{
    return &target;
}

static void clear_setting(gpointer setting)
{
    g_free(((AftSheetSetting *)setting)->text);
}

void aft_sheet_init(AftSheet *sheet)
{
    *sheet = (AftSheet){.texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)};
    sheet->settings = g_array_new(FALSE, FALSE, sizeof(AftSheetSetting));
    g_array_set_clear_func(sheet->settings, clear_setting);
}

void aft_sheet_clear(AftSheet *sheet)
{
    g_clear_pointer(&sheet->texts, g_hash_table_unref);
    g_clear_pointer(&sheet->settings, g_array_unref);
}

gboolean aft_sheet_has(const AftSheet *sheet, const char *path)
{
    return g_hash_table_contains(sheet->texts, path);
}

const char *aft_sheet_text(const AftSheet *sheet, const char *path)
{
    return g_hash_table_lookup(sheet->texts, path);
}
