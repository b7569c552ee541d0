/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schema_parts.h"

#include <aftershock/loader/schema.h>
#include <aftershock/scenario/devices.h>
#include <string.h>

static const char *const kinds[AFT_SCHEMAS] = {
    [AFT_SCHEMA_SCENARIO] = "scenario",
    [AFT_SCHEMA_SWEEP] = "sweep",
    [AFT_SCHEMA_REFERENCE] = "reference",
};

const char *aft_schema_kind_name(AftSchemaKind kind)
{
    return kinds[kind];
}

gboolean aft_schema_kind_find(const char *name, AftSchemaKind *ret_kind)
{
    for (guint i = 0; i < AFT_SCHEMAS; i++) {
        if (strcmp(kinds[i], name) == 0) {
            *ret_kind = (AftSchemaKind)i;
            return TRUE;
        }
    }
    return FALSE;
}

/* Brackets have no place in a reference: "workload[*].rate" is "workload:item.rate". */
static char *definition_name(const AftSchema *schema, const char *path)
{
    g_auto(GStrv) parts = g_strsplit(path, "[*]", -1);
    g_autofree char *joined = g_strjoinv(":item", parts);
    return g_strconcat(schema->prefix, ".", joined, NULL);
}

void aft_schema_refer(const AftSchema *schema, const char *path)
{
    g_autofree char *name = definition_name(schema, path);
    g_autofree char *reference = g_strconcat("#/definitions/", name, NULL);
    aft_schema_text(schema->json, "$ref", reference);
}

static void add_truth(JsonBuilder *json, const char *name, gboolean value)
{
    json_builder_set_member_name(json, name);
    json_builder_add_boolean_value(json, value);
}

static void add_property(const AftSchema *schema, const char *name, const char *path)
{
    aft_schema_object(schema->json, name);
    aft_schema_refer(schema, path);
    json_builder_end_object(schema->json);
}

/* Names below a map of settings may be joined by dots: "data.protection". */
static void add_joined(const AftSchema *schema, const AftOutline *node, gsize above)
{
    for (guint i = 0; i < node->below->len; i++) {
        const AftOutline *child = g_ptr_array_index(node->below, i);
        add_property(schema, child->path + above, child->path);
        add_joined(schema, child, above);
    }
}

/* Whether names are joined in @node: document.c takes them so from a map of settings on. */
static gboolean joins_names(const AftOutline *node)
{
    return node != NULL && (strcmp(node->name, "set") == 0 || joins_names(node->above));
}

static void add_properties(const AftSchema *schema, const AftOutline *node)
{
    aft_schema_object(schema->json, "properties");
    if (joins_names(node)) {
        add_joined(schema, node, strlen(node->path) + 1);
    } else {
        for (guint i = 0; i < node->below->len; i++) {
            const AftOutline *child = g_ptr_array_index(node->below, i);
            if (aft_outline_is_named(child)) {
                add_property(schema, child->name, child->path);
            }
        }
    }
    if (schema->partial && aft_outline_child(node, "name") == NULL) {
        aft_schema_object(schema->json, "name");
        aft_schema_text(schema->json, "description", "What tables call this value.");
        json_builder_end_object(schema->json);
    }
    json_builder_end_object(schema->json);
}

static void add_required(const AftSchema *schema, const AftOutline *node)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < node->below->len; i++) {
        const AftOutline *child = g_ptr_array_index(node->below, i);
        if (child->required && !schema->partial) {
            g_ptr_array_add(names, child->name);
        }
    }
    if (names->len > 0) {
        aft_schema_list(schema->json, "required");
        for (guint i = 0; i < names->len; i++) {
            json_builder_add_string_value(schema->json, g_ptr_array_index(names, i));
        }
        json_builder_end_array(schema->json);
    }
}

/* Whether nothing may stand for the map or list @node: not for an item, nor where there may be one
 * value, which nothing is not. */
static gboolean may_be_nothing(const AftOutline *node)
{
    return node->above != NULL && aft_outline_is_named(node) &&
           (node->shape & AFT_SHAPE_VALUE) == 0;
}

static void add_type(JsonBuilder *json, const char *type, gboolean nothing)
{
    aft_schema_list(json, "type");
    json_builder_add_string_value(json, type);
    if (nothing) {
        json_builder_add_string_value(json, "null");
    }
    json_builder_end_array(json);
}

/* A device that the program knows has all that a new one must be told. */
static void add_known_devices(const AftSchema *schema, const AftOutline *any)
{
    guint n = 0;
    const AftBuiltinDevice *devices = aft_devices_builtin(&n);
    AftSchema partial = *schema;
    partial.partial = TRUE;
    aft_schema_object(schema->json, "properties");
    for (guint i = 0; i < n; i++) {
        aft_schema_object(schema->json, devices[i].profile.name);
        aft_schema_text(schema->json, "description", devices[i].help);
        add_type(schema->json, "object", FALSE);
        add_properties(&partial, any);
        add_truth(schema->json, "additionalProperties", FALSE);
        json_builder_end_object(schema->json);
    }
    json_builder_end_object(schema->json);
}

static void add_any_name(const AftSchema *schema, const AftOutline *any)
{
    add_known_devices(schema, any);
    aft_schema_object(schema->json, "propertyNames");
    aft_schema_text(schema->json, "pattern", "^[A-Za-z0-9_-]{1,64}$");
    json_builder_end_object(schema->json);
    aft_schema_object(schema->json, "additionalProperties");
    aft_schema_refer(schema, any->path);
    json_builder_end_object(schema->json);
}

static void add_map(const AftSchema *schema, const AftOutline *node)
{
    const AftOutline *any = aft_outline_child(node, "*");
    gboolean paths =
        aft_outline_child(node, "[@]") != NULL || aft_outline_child(node, "**") != NULL;
    add_type(schema->json, "object", may_be_nothing(node));
    if (any != NULL) {
        add_any_name(schema, any);
        return;
    }
    if (paths) {
        aft_schema_paths(schema, node);
    } else {
        add_properties(schema, node);
        add_required(schema, node);
    }
    add_truth(schema->json, "additionalProperties", FALSE);
}

static void add_list(const AftSchema *schema, const AftOutline *node)
{
    add_type(schema->json, "array", may_be_nothing(node));
    if (node->most > 0) {
        aft_schema_number(schema->json, "maxItems", node->most);
    }
    aft_schema_object(schema->json, "items");
    aft_schema_refer(schema, aft_outline_item(node)->path);
    json_builder_end_object(schema->json);
}

static void add_one_value(const AftSchema *schema, const AftOutline *node)
{
    aft_schema_value(schema->json, node);
}

static void refer(const AftSchema *schema, const AftOutline *node)
{
    aft_schema_refer(schema, node->path);
}

/* One way to write something. */
typedef struct {
    void (*add)(const AftSchema *schema, const AftOutline *node);
    const AftOutline *node;
} Form;

enum { MOST_FORMS = 3 };

/* The ways to write @node: as its first item, if it is a list. Returns: how many. */
static guint forms_of(const AftOutline *node, Form *forms)
{
    const AftOutline *item = aft_outline_item(node);
    guint n = 0;
    if ((node->shape & AFT_SHAPE_VALUE) != 0) {
        forms[n++] = (Form){add_one_value, node};
    }
    if (item != NULL) {
        forms[n++] = (Form){add_list, node};
    }
    if (item != NULL && n < MOST_FORMS && (item->shape & AFT_SHAPE_VALUE) != 0) {
        forms[n++] = (Form){add_one_value, item};
    }
    if (item != NULL && (item->shape & AFT_SHAPE_MAP) != 0) {
        forms[n++] = (Form){refer, item};
    } else if ((node->shape & AFT_SHAPE_MAP) != 0) {
        forms[n++] = (Form){add_map, node};
    }
    return n;
}

/* What a number with a unit may be is told in words. */
static char *description_of(const AftKey *key)
{
    double minimum, maximum;
    gboolean above, numbers = aft_key_plain_range(key, &minimum, &maximum, &above);
    g_autofree char *range =
        (numbers && maximum > 0.0) || key->maximum == 0.0 ? NULL : aft_key_range(key);
    return range == NULL ? g_strdup(key->help) : g_strdup_printf("%s (%s)", key->help, range);
}

static void add_default(JsonBuilder *json, const AftKey *key)
{
    const char *text = key->fallback;
    char *end = NULL;
    double number = g_ascii_strtod(text, &end);
    if (*end == '\0' && aft_schema_type_name(key->type) != NULL) {
        aft_schema_number(json, "default", number);
    } else {
        aft_schema_text(json, "default", text);
    }
}

static void add_words(JsonBuilder *json, const AftOutline *node)
{
    const AftOutline *item = aft_outline_item(node);
    const AftKey *key = node->key != NULL || item == NULL ? node->key : item->key;
    if (key != NULL && key->help != NULL) {
        g_autofree char *text = description_of(key);
        aft_schema_text(json, "description", text);
    }
    if (key != NULL && key->fallback != NULL) {
        add_default(json, key);
    }
}

static void add_forms(const AftSchema *schema, const AftOutline *node)
{
    Form forms[MOST_FORMS + 1];
    guint n = forms_of(node, forms);
    if (n == 1) {
        forms[0].add(schema, forms[0].node);
        return;
    }
    aft_schema_list(schema->json, "anyOf");
    for (guint i = 0; i < n; i++) {
        json_builder_begin_object(schema->json);
        forms[i].add(schema, forms[i].node);
        json_builder_end_object(schema->json);
    }
    json_builder_end_array(schema->json);
}

/* Definitions of all that is in @node. What comes behind a path is told where paths are. */
static void add_definitions(const AftSchema *schema, const AftOutline *node)
{
    for (guint i = 0; i < node->below->len; i++) {
        const AftOutline *child = g_ptr_array_index(node->below, i);
        if (strcmp(child->name, "[@]") == 0 || strcmp(child->name, "**") == 0) {
            continue;
        }
        g_autofree char *name = definition_name(schema, child->path);
        aft_schema_object(schema->json, name);
        add_words(schema->json, child);
        add_forms(schema, child);
        json_builder_end_object(schema->json);
        add_definitions(schema, child);
    }
}

static void add_spreads(const AftSchema *schema)
{
    for (guint type = AFT_KEY_COUNT; type <= AFT_KEY_SHARE; type++) {
        g_autofree char *name = definition_name(schema, aft_schema_type_name((AftKeyType)type));
        json_builder_set_member_name(schema->json, name);
        aft_schema_spread(schema->json, (AftKeyType)type);
    }
}

static void add_root(const AftSchema *schema, const AftOutline *root)
{
    g_autofree char *title = g_strdup_printf("Aftershock %s", schema->prefix);
    json_builder_begin_object(schema->json);
    aft_schema_text(schema->json, "$schema", "http://json-schema.org/draft-07/schema#");
    aft_schema_text(schema->json, "title", title);
    add_map(schema, root);
    aft_schema_object(schema->json, "definitions");
    add_definitions(schema, root);
    if (schema->scenario != NULL) {
        AftSchema within = {.json = schema->json, .prefix = "scenario", .partial = TRUE};
        add_definitions(&within, schema->scenario);
        add_spreads(schema);
    }
    json_builder_end_object(schema->json);
    json_builder_end_object(schema->json);
}

static char *written(JsonBuilder *json)
{
    g_autoptr(JsonNode) node = json_builder_get_root(json);
    g_autoptr(JsonGenerator) generator = json_generator_new();
    json_generator_set_root(generator, node);
    json_generator_set_pretty(generator, TRUE);
    json_generator_set_indent(generator, 1);
    g_autofree char *text = json_generator_to_data(generator, NULL);
    return g_strconcat(text, "\n", NULL);
}

char *aft_loader_schema(AftSchemaKind kind)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    g_autoptr(AftOutline) root = aft_outline_of(kind);
    g_autoptr(AftOutline) scenario = aft_outline_of(AFT_SCHEMA_SCENARIO);
    AftSchema schema = {.json = json,
                        .prefix = kinds[kind],
                        .scenario = kind == AFT_SCHEMA_SCENARIO ? NULL : scenario};
    add_root(&schema, root);
    return written(json);
}
