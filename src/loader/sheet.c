/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sheet.h"

#include <aftershock/scenario/nearest.h>

#include <string.h>

gsize aft_sheet_bracket(const char *text)
{
    gsize depth = 0, n = 0;
    do {
        depth += text[n] == '[';
        depth -= text[n] == ']';
        n++;
    } while (depth > 0 && text[n] != '\0');
    return n;
}

/* Whether "[...]" at @text is an index. */
static gboolean is_index(const char *text)
{
    gsize n = strspn(text + 1, "0123456789");
    return n > 0 && text[n + 1] == ']';
}

/* @path in a form's words: "cells[*].unit". Returns: (transfer full). */
static char *pattern_of(const char *path)
{
    GString *pattern = g_string_new(NULL);
    while (*path != '\0') {
        gsize n = strcspn(path, "[");
        g_string_append_len(pattern, path, (gssize)n);
        path += n;
        if (*path == '[') {
            g_string_append(pattern, is_index(path) ? "[*]" : "[@]");
            path += aft_sheet_bracket(path);
        }
    }
    return g_string_free(pattern, FALSE);
}

static gboolean fits(const char *pattern, const AftSheetKey *key)
{
    gsize n = strlen(key->pattern);
    return g_str_has_suffix(key->pattern, "**") ? strncmp(pattern, key->pattern, n - 2) == 0
                                                : strcmp(pattern, key->pattern) == 0;
}

/* Returns: (nullable). */
static const AftSheetKey *key_of(const AftSheetForm *form, const char *pattern)
{
    for (guint i = 0; i < form->n_keys; i++) {
        if (fits(pattern, &form->keys[i])) {
            return &form->keys[i];
        }
    }
    return NULL;
}

static AftKeyShape shape_of_pattern(const AftSheetForm *form, const char *pattern)
{
    const AftSheetKey *key = key_of(form, pattern);
    return key != NULL ? key->shape : AFT_SHAPE_UNKNOWN;
}

const AftSheetKey *aft_sheet_key(const AftSheetForm *form, const char *path)
{
    g_autofree char *pattern = pattern_of(path);
    return key_of(form, pattern);
}

AftKeyShape aft_sheet_shape(const AftSheetForm *form, const char *path)
{
    g_autofree char *pattern = pattern_of(path);
    return *path == '\0' ? AFT_SHAPE_MAP : shape_of_pattern(form, pattern);
}

gboolean aft_sheet_holds_paths(const AftSheetForm *form, const char *path)
{
    g_autofree char *pattern = pattern_of(path);
    g_autofree char *below = g_strconcat(pattern, "[@]", NULL);
    for (guint i = 0; i < form->n_keys; i++) {
        if (strcmp(form->keys[i].pattern, below) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The bytes of @path before its last name, the dot among them. */
static gsize length_above(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot == NULL ? 0 : (gsize)(dot - path) + 1;
}

/* The known key in the same map that is most like @path. Returns: (transfer full) (nullable). */
static char *suggest(const AftSheetForm *form, const char *path, const char *pattern)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    gsize above = length_above(pattern);
    for (guint i = 0; i < form->n_keys; i++) {
        const char *known = form->keys[i].pattern;
        if (length_above(known) == above && strncmp(known, pattern, above) == 0 &&
            !g_str_has_suffix(known, "]")) {
            g_ptr_array_add(names, (gpointer)(known + above));
        }
    }
    const char *nearest =
        aft_nearest(pattern + above, (const char *const *)names->pdata, names->len);
    return nearest == NULL ? NULL
                           : g_strdup_printf("%.*s%s", (int)length_above(path), path, nearest);
}

/* Whether the list that @path is an item of, if it is one, may have as many; counts them. */
static gboolean count_item(AftSheet *sheet, const char *path, GPtrArray *problems)
{
    const char *open = strrchr(path, '[');
    if (open == NULL || !g_str_has_suffix(path, "]") || !is_index(open)) {
        return TRUE;
    }
    g_autofree char *list = g_strndup(path, (gsize)(open - path));
    g_autofree char *pattern = pattern_of(list);
    const AftSheetKey *key = key_of(sheet->form, pattern);
    guint item = (guint)g_ascii_strtoull(open + 1, NULL, 10);
    if (key != NULL && key->most > 0 && item >= key->most) {
        aft_problems_add(problems, FALSE, path, NULL, "expected at most %u items in the list",
                         key->most);
        return FALSE;
    }
    guint n = MAX(aft_sheet_items(sheet, list), item + 1);
    g_hash_table_insert(sheet->items, g_steal_pointer(&list), GUINT_TO_POINTER(n));
    return TRUE;
}

static const char *describe(AftKeyShape shape)
{
    return (shape & AFT_SHAPE_LIST) != 0  ? "a list of maps"
           : (shape & AFT_SHAPE_MAP) != 0 ? "a map of keys"
                                          : "one value";
}

/* Takes @text. */
static void keep(AftSheet *sheet, const char *path, char *text, gboolean map)
{
    AftSheetEntry *entry = g_hash_table_lookup(sheet->by_path, path);
    if (entry == NULL) {
        entry = g_new0(AftSheetEntry, 1);
        entry->path = g_strdup(path);
        g_ptr_array_add(sheet->entries, entry);
        g_hash_table_insert(sheet->by_path, entry->path, entry);
    }
    g_free(entry->text);
    entry->text = text;
    entry->map = map;
}

gboolean aft_sheet_open(gpointer sheet, const char *path, gboolean list, GPtrArray *problems)
{
    AftKeyShape shape = aft_sheet_shape(((AftSheet *)sheet)->form, path);
    gboolean may = (shape & (list ? AFT_SHAPE_LIST : AFT_SHAPE_MAP)) != 0;
    if (!may) {
        aft_problems_add(problems, FALSE, path, NULL, "expected %s, got a %s", describe(shape),
                         list ? "list" : "map");
    }
    may = may && count_item(sheet, path, problems);
    keep(sheet, path, may ? g_strdup("") : NULL, TRUE);
    if (may && !list && (shape & AFT_SHAPE_LIST) != 0) { /* a list of one, written as its item */
        g_autofree char *first = g_strconcat(path, "[0]", NULL);
        return aft_sheet_open(sheet, first, FALSE, problems);
    }
    return may;
}

void aft_sheet_set(gpointer data, const char *path, const char *text, GPtrArray *problems)
{
    AftSheet *sheet = data;
    g_autofree char *pattern = pattern_of(path);
    AftKeyShape shape = shape_of_pattern(sheet->form, pattern);
    if (shape == AFT_SHAPE_UNKNOWN) {
        g_autofree char *meant = suggest(sheet->form, path, pattern);
        aft_problems_add(problems, FALSE, path, meant, "unknown key");
        if (meant != NULL && !aft_sheet_has(sheet, meant)) {
            keep(sheet, meant, NULL, FALSE);
        }
    } else if ((shape & AFT_SHAPE_VALUE) == 0) {
        aft_problems_add(problems, FALSE, path, NULL, "expected %s, got \"%s\"", describe(shape),
                         text);
        keep(sheet, path, NULL, FALSE);
        count_item(sheet, path, problems);
    } else if (count_item(sheet, path, problems)) {
        keep(sheet, path, g_strstrip(g_strdup(text)), FALSE);
    }
}

static void entry_free(gpointer data)
{
    AftSheetEntry *entry = data;
    g_free(entry->path);
    g_free(entry->text);
    g_free(entry);
}

void aft_sheet_init(AftSheet *sheet, const AftSheetForm *form)
{
    *sheet = (AftSheet){.form = form};
    sheet->by_path = g_hash_table_new(g_str_hash, g_str_equal);
    sheet->entries = g_ptr_array_new_with_free_func(entry_free);
    sheet->items = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void aft_sheet_clear(AftSheet *sheet)
{
    g_clear_pointer(&sheet->by_path, g_hash_table_unref);
    g_clear_pointer(&sheet->entries, g_ptr_array_unref);
    g_clear_pointer(&sheet->items, g_hash_table_unref);
}

gboolean aft_sheet_has(const AftSheet *sheet, const char *path)
{
    return g_hash_table_contains(sheet->by_path, path);
}

const char *aft_sheet_text(const AftSheet *sheet, const char *path)
{
    const AftSheetEntry *entry = g_hash_table_lookup(sheet->by_path, path);
    return entry != NULL ? entry->text : NULL;
}

guint aft_sheet_items(const AftSheet *sheet, const char *path)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(sheet->items, path));
}
