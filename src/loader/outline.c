/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "outline.h"

#include "forms.h"

#include <string.h>

static AftOutline *outline_new(const AftOutline *above, const char *name, const char *path)
{
    AftOutline *outline = g_new0(AftOutline, 1);
    outline->above = above;
    outline->name = g_strdup(name);
    outline->path = g_strdup(path);
    outline->below = g_ptr_array_new_with_free_func((GDestroyNotify)aft_outline_free);
    return outline;
}

void aft_outline_free(AftOutline *outline)
{
    if (outline == NULL) {
        return;
    }
    g_ptr_array_unref(outline->below);
    g_free(outline->name);
    g_free(outline->path);
    g_free(outline);
}

static AftOutline *child_of(const AftOutline *outline, const char *name)
{
    for (guint i = 0; i < outline->below->len; i++) {
        AftOutline *child = g_ptr_array_index(outline->below, i);
        if (strcmp(child->name, name) == 0) {
            return child;
        }
    }
    return NULL;
}

const AftOutline *aft_outline_child(const AftOutline *outline, const char *name)
{
    return child_of(outline, name);
}

const AftOutline *aft_outline_item(const AftOutline *outline)
{
    return child_of(outline, "[*]");
}

gboolean aft_outline_is_named(const AftOutline *outline)
{
    return *outline->name != '[' && *outline->name != '*';
}

/* The first name in @pattern, dots left behind. Returns: its length with the dot before it. */
static gsize first_name(const char *pattern, char **ret_name)
{
    gsize dot = *pattern == '.';
    const char *start = pattern + dot;
    gsize n = *start == '[' ? strcspn(start, "]") + 1 : strcspn(start, ".[");
    *ret_name = g_strndup(start, n);
    return dot + n;
}

/* The node of @pattern, with all that is on the way to it. */
static AftOutline *node_at(AftOutline *root, const char *pattern)
{
    AftOutline *node = root;
    for (const char *at = pattern; *at != '\0';) {
        g_autofree char *name = NULL;
        at += first_name(at, &name);
        AftOutline *child = child_of(node, name);
        if (child == NULL) {
            g_autofree char *path = g_strndup(pattern, (gsize)(at - pattern));
            child = outline_new(node, name, path);
            g_ptr_array_add(node->below, child);
        }
        node->shape |= *name == '[' && name[1] == '*' ? AFT_SHAPE_LIST : AFT_SHAPE_MAP;
        node = child;
    }
    return node;
}

/* What must be there in an item needs the maps that it is in. */
static void require(AftOutline *root, const char *path)
{
    AftOutline *node = node_at(root, path);
    node->required = TRUE;
    const char *dot = strrchr(path, '.');
    g_autofree char *above = g_strndup(path, dot != NULL ? (gsize)(dot - path) : 0);
    if (*above != '\0' && !g_str_has_suffix(above, "]") && !g_str_has_suffix(above, "*")) {
        require(root, above);
    }
}

/* How many items lists take, and which must be there. */
static void take_lists(AftOutline *root)
{
    for (AftListId id = AFT_LIST_NONE + 1; id < AFT_LISTS; id++) {
        const AftKeyList *list = aft_keys_list(id);
        if (!list->named) {
            g_autofree char *path = g_strndup(list->path, strlen(list->path) - strlen("[*]"));
            AftOutline *node = node_at(root, path);
            node->most = list->limit;
            node->required = node->required || list->needed != NULL;
        }
    }
}

static AftOutline *outline_of_scenario(void)
{
    AftOutline *root = outline_new(NULL, "", "");
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        AftOutline *node = node_at(root, keys[i].path);
        node->key = &keys[i];
        node->shape |= AFT_SHAPE_VALUE;
        if (keys[i].required) {
            require(root, keys[i].path);
        }
    }
    take_lists(root);
    return root;
}

static AftOutline *outline_of_form(const AftSheetForm *form)
{
    AftOutline *root = outline_new(NULL, "", "");
    for (guint i = 0; i < form->n_keys; i++) {
        const AftSheetKey *row = &form->keys[i];
        AftOutline *node = node_at(root, row->pattern);
        node->key = &row->value;
        node->sheet = row;
        node->shape = row->shape;
        node->most = row->most;
        node->required = row->value.required;
    }
    return root;
}

AftOutline *aft_outline_of(AftSchemaKind kind)
{
    return kind == AFT_SCHEMA_SCENARIO ? outline_of_scenario()
           : kind == AFT_SCHEMA_SWEEP  ? outline_of_form(aft_sweep_form())
                                       : outline_of_form(aft_reference_form());
}
