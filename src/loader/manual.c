/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "forms.h"
#include "outline.h"

#include <aftershock/loader/schema.h>
#include <string.h>

static const char *type_name(AftKeyType type)
{
    static const char *const names[] = {
        [AFT_KEY_TEXT] = "text",          [AFT_KEY_FILE] = "path of a file",
        [AFT_KEY_COUNT] = "whole number", [AFT_KEY_INTEGER] = "whole number",
        [AFT_KEY_NUMBER] = "number",      [AFT_KEY_TIME] = "time",
        [AFT_KEY_BYTES] = "size",         [AFT_KEY_BANDWIDTH] = "bandwidth",
        [AFT_KEY_RATE] = "rate",          [AFT_KEY_SHARE] = "share",
    };
    return (guint)type < G_N_ELEMENTS(names) ? names[type] : NULL;
}

/* "`off`, `on`". */
static void append_choices(GString *text, const AftOutline *node)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; node->key->choices != NULL && node->key->choices[i] != NULL; i++) {
        g_ptr_array_add(names, (gpointer)node->key->choices[i]);
    }
    if (node->sheet != NULL && node->sheet->names != NULL) {
        node->sheet->names(names);
    }
    for (guint i = 0; i < names->len; i++) {
        g_string_append_printf(text, "%s`%s`", i == 0 ? "" : ", ", (char *)names->pdata[i]);
    }
}

static void append_number(GString *text, const AftKey *key)
{
    g_autofree char *range = aft_key_range(key);
    g_autofree char *what = aft_key_describe(key);
    const char *name = type_name(key->type);
    g_string_append(text, name != NULL ? name : what);
    if (range != NULL) {
        g_string_append_printf(text, ", %s", range);
    }
    if (key->word != NULL) {
        g_string_append_printf(text, "; or `%s`", key->word);
    }
}

/* What one value of @node can be. */
static void append_value(GString *text, const AftOutline *node)
{
    const AftKey *key = node->key;
    if (key->type == AFT_KEY_BARE) {
        g_autofree char *names = g_strjoinv("` and `", (char **)(gsize)key->choices);
        g_string_append_printf(text, "map, or one value, of `%s`", names);
    } else if (key->type == AFT_KEY_WORD || key->type == AFT_KEY_CHOICE) {
        append_choices(text, node);
    } else {
        append_number(text, key);
    }
}

/* @path, where "[]" is a list. Returns: (transfer full). */
static char *shown(const char *path)
{
    g_auto(GStrv) parts = g_strsplit(path, "[*]", -1);
    return g_strjoinv("[]", parts);
}

static void append_row(GString *text, const AftOutline *node)
{
    g_autofree char *path = shown(node->path);
    const AftKey *key = node->key;
    g_string_append_printf(text, "| `%s` | ", path);
    if ((node->shape & AFT_SHAPE_VALUE) != 0) {
        append_value(text, node);
    } else {
        g_string_append(text, (node->shape & AFT_SHAPE_LIST) != 0 ? "list" : "map");
    }
    const char *open = key->fallback != NULL ? "`" : "";
    g_string_append_printf(text, " | %s%s%s | %s |\n", open,
                           key->fallback != NULL ? key->fallback
                           : node->required      ? "needed"
                                                 : "",
                           open, key->help);
}

static void append_rows(GString *text, const AftOutline *node)
{
    if (node->key != NULL && node->key->help != NULL) {
        append_row(text, node);
    }
    for (guint i = 0; i < node->below->len; i++) {
        append_rows(text, g_ptr_array_index(node->below, i));
    }
}

static void append_head(GString *text)
{
    g_string_append(text, "| key | value | default | |\n|---|---|---|---|\n");
}

static void append_section(GString *text, const AftOutline *node)
{
    g_string_append_printf(text, "\n## %s\n\n", node->name);
    if (aft_outline_item(node) != NULL) {
        g_string_append_printf(text, "A list of at most %u items%s. One alone needs no list.\n\n",
                               node->most, node->required ? ", at least one" : "");
    }
    append_head(text);
    append_rows(text, node);
}

/* Values that are in no section come first. */
static void append_values(GString *text, const AftOutline *root)
{
    g_string_append(text, "\n## The file\n\n");
    append_head(text);
    for (guint i = 0; i < root->below->len; i++) {
        const AftOutline *child = g_ptr_array_index(root->below, i);
        if (child->below->len == 0) {
            append_row(text, child);
        }
    }
}

static void append_units(GString *text)
{
    for (AftKeyType type = AFT_KEY_INTEGER; type <= AFT_KEY_SHARE; type++) {
        const AftKey key = {.type = type};
        g_string_append_printf(text, "| %s | %s |\n", type_name(type),
                               aft_units_describe(aft_key_unit(&key)));
    }
}

static void append_preface(GString *text, AftSchemaKind kind)
{
    const char *name = aft_schema_kind_name(kind);
    g_string_append_printf(
        text,
        "<!-- SPDX-License-Identifier: GPL-3.0-or-later -->\n"
        "<!-- Made by aftershock schema --format markdown %s: edit the tables of keys instead. "
        "-->\n"
        "# Keys of a %s\n"
        "\n"
        "All keys that a file of `kind: %s` can have, from the tables that it is read by.\n"
        "`[]` stands for a list, whose only item needs no list around it, and `*` for a name of "
        "your\n"
        "own. Numbers that have a unit are written with it; only 0 needs none.\n"
        "\n"
        "| value | |\n"
        "|---|---|\n",
        name, name, name);
    append_units(text);
    g_string_append_printf(
        text,
        "\n"
        "Editors tell the same as you type: put this at the top of a file, with the path or URL "
        "of\n"
        "`schema/%s.json` (installed in `share/aftershock/schema`; `aftershock schema %s` "
        "prints it).\n"
        "The first line is for the YAML language server (VS Code, Vim, Emacs, Helix, Kate), the\n"
        "second for JetBrains' editors.\n"
        "\n"
        "    # yaml-language-server: $schema=%s.json\n"
        "    # $schema: %s.json\n"
        "\n"
        "Shipped files name `../schema`, which is right in a checkout, where the schemas are "
        "kept,\n"
        "and once installed. A schema cannot tell what keys mean for one another, nor ranges of\n"
        "numbers that have a unit: `aftershock check` tells everything.\n",
        name, name, name, name);
}

char *aft_loader_manual(AftSchemaKind kind)
{
    g_autoptr(AftOutline) root = aft_outline_of(kind);
    GString *text = g_string_new(NULL);
    append_preface(text, kind);
    append_values(text, root);
    for (guint i = 0; i < root->below->len; i++) {
        const AftOutline *child = g_ptr_array_index(root->below, i);
        if (child->below->len > 0) {
            append_section(text, child);
        }
    }
    return g_string_free(text, FALSE);
}
