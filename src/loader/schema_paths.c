/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schema_parts.h"

#include <aftershock/sweep/sweep.h>
#include <string.h>

#define INDEX "\\[[0-9]{1,9}\\]"

/* A regular expression of the paths of @node: an index on the way may be left out, @last tells
 * whether that of an item at the end may be, too. Returns: (transfer full). */
static char *pattern_of(const AftOutline *node, gboolean last)
{
    GString *pattern = g_string_new("^");
    for (const char *at = node->path; *at != '\0'; at++) {
        if (*at == '[') {
            gboolean needed = at[3] == '\0' && !last;
            g_string_append(pattern, needed ? INDEX : "(?:" INDEX ")?");
            at += 2;
        } else if (*at == '*') {
            g_string_append(pattern, "[A-Za-z0-9_-]{1,64}");
        } else {
            g_string_append_printf(pattern, *at == '.' ? "\\." : "%c", *at);
        }
    }
    g_string_append_c(pattern, '$');
    return g_string_free(pattern, FALSE);
}

typedef void (*PathFunction)(const AftSchema *schema, const AftOutline *node);

static void refer(const AftSchema *schema, const AftOutline *node)
{
    AftSchema there = {.json = schema->json, .prefix = "scenario"};
    aft_schema_refer(&there, node->path);
}

static void refer_object(const AftSchema *schema, const AftOutline *node)
{
    json_builder_begin_object(schema->json);
    refer(schema, node);
    json_builder_end_object(schema->json);
}

/* What an axis at @node is: one value, several, or a distribution. */
static void add_axis(const AftSchema *schema, const AftOutline *node)
{
    if ((node->shape & AFT_SHAPE_LIST) != 0) {
        return;
    }
    JsonBuilder *json = schema->json;
    const char *type = node->key != NULL ? aft_schema_type_name(node->key->type) : NULL;
    g_autofree char *pattern = pattern_of(node, FALSE);
    aft_schema_object(json, pattern);
    aft_schema_list(json, "anyOf");
    refer_object(schema, node);
    json_builder_begin_object(json);
    aft_schema_text(json, "type", "array");
    aft_schema_number(json, "minItems", 1);
    aft_schema_number(json, "maxItems", AFT_SWEEP_MOST_VALUES);
    json_builder_set_member_name(json, "items");
    refer_object(schema, node);
    json_builder_end_object(json);
    if (type != NULL) {
        json_builder_begin_object(json);
        aft_schema_refer(schema, type);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
}

/* What a point of a list sets at @node. */
static void add_setting(const AftSchema *schema, const AftOutline *node)
{
    g_autofree char *pattern = pattern_of(node, FALSE);
    json_builder_set_member_name(schema->json, pattern);
    refer_object(schema, node);
}

/* The node of @key, that of a scenario. */
static const AftOutline *node_of_key(const AftOutline *bare, const AftKey *key)
{
    return aft_outline_child(bare, key->path + strlen(bare->path) + 1);
}

/* What a configuration sets at @node, in one value. */
static void add_one_value(const AftSchema *schema, const AftOutline *node)
{
    if (node->key == NULL) {
        return;
    }
    gboolean bare = node->key->type == AFT_KEY_BARE;
    g_autofree char *pattern = pattern_of(node, TRUE);
    json_builder_set_member_name(schema->json, pattern);
    refer_object(schema, bare ? node_of_key(node, aft_key_meant(node->key)) : node);
}

static void each_path(const AftSchema *schema, const AftOutline *node, PathFunction function)
{
    for (guint i = 0; i < node->below->len; i++) {
        const AftOutline *child = g_ptr_array_index(node->below, i);
        function(schema, child);
        each_path(schema, child, function);
    }
}

/* A point has a name beside what it sets. */
static void add_name(const AftSchema *schema)
{
    aft_schema_object(schema->json, "properties");
    json_builder_set_member_name(schema->json, "name");
    json_builder_begin_object(schema->json);
    aft_schema_refer(schema, "name");
    json_builder_end_object(schema->json);
    json_builder_end_object(schema->json);
}

void aft_schema_paths(const AftSchema *schema, const AftOutline *node)
{
    gboolean axes =
        node->above != NULL && *node->name != '[' && aft_outline_child(node, "[@]") != NULL;
    gboolean points = *node->name == '[';
    if (points) {
        add_name(schema);
    }
    if (axes) {
        aft_schema_number(schema->json, "maxProperties", AFT_SWEEP_MOST_AXES);
    }
    aft_schema_object(schema->json, "patternProperties");
    each_path(schema, schema->scenario, axes ? add_axis : points ? add_setting : add_one_value);
    json_builder_end_object(schema->json);
}
