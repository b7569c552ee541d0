/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load.h"

#include <aftershock/loader/schema.h>
#include <aftershock/scenario/keys.h>

#include <json-glib/json-glib.h>

#define DEFINITIONS "#/definitions/"

static JsonNode *schema_of(AftSchemaKind kind)
{
    g_autofree char *text = aft_loader_schema(kind);
    g_autoptr(GError) error = NULL;
    JsonNode *node = json_from_string(text, &error);
    assert_null(error);
    return node;
}

static JsonObject *definitions_of(JsonNode *schema)
{
    return json_object_get_object_member(json_node_get_object(schema), "definitions");
}

/* "workload[*].rate" as "scenario.workload:item.rate". */
static char *definition_name(const char *path)
{
    g_auto(GStrv) parts = g_strsplit(path, "[*]", -1);
    g_autofree char *joined = g_strjoinv(":item", parts);
    return g_strconcat("scenario.", joined, NULL);
}

static void every_key_has_a_definition_with_its_help(void **state)
{
    (void)state;
    g_autoptr(JsonNode) schema = schema_of(AFT_SCHEMA_SCENARIO);
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        g_autofree char *name = definition_name(keys[i].path);
        assert_true(json_object_has_member(definitions_of(schema), name));
        JsonObject *definition = json_object_get_object_member(definitions_of(schema), name);
        const char *help = json_object_get_string_member(definition, "description");
        assert_true(g_str_has_prefix(help, keys[i].help));
    }
}

/* Calls for each "$ref" in @node, however deep. */
static void check_references(JsonObject *definitions, JsonNode *node);

static void check_member(JsonObject *object, const char *name, JsonNode *node, gpointer data)
{
    (void)object;
    if (strcmp(name, "$ref") == 0) {
        const char *target = json_node_get_string(node);
        assert_true(g_str_has_prefix(target, DEFINITIONS));
        assert_true(json_object_has_member(data, target + strlen(DEFINITIONS)));
    } else {
        check_references(data, node);
    }
}

static void check_element(JsonArray *array, guint index, JsonNode *node, gpointer data)
{
    (void)array;
    (void)index;
    check_references(data, node);
}

static void check_references(JsonObject *definitions, JsonNode *node)
{
    if (JSON_NODE_HOLDS_OBJECT(node)) {
        json_object_foreach_member(json_node_get_object(node), check_member, definitions);
    } else if (JSON_NODE_HOLDS_ARRAY(node)) {
        json_array_foreach_element(json_node_get_array(node), check_element, definitions);
    }
}

static void every_reference_leads_somewhere(void **state)
{
    (void)state;
    for (AftSchemaKind kind = AFT_SCHEMA_SCENARIO; kind < AFT_SCHEMAS; kind++) {
        g_autoptr(JsonNode) schema = schema_of(kind);
        check_references(definitions_of(schema), schema);
    }
}

static void manuals_have_every_key(void **state)
{
    (void)state;
    g_autofree char *manual = aft_loader_manual(AFT_SCHEMA_SCENARIO);
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        g_auto(GStrv) parts = g_strsplit(keys[i].path, "[*]", -1);
        g_autofree char *path = g_strjoinv("[]", parts);
        g_autofree char *row = g_strdup_printf("\n| `%s` | ", path);
        assert_non_null(strstr(manual, row));
    }
    g_autofree char *sweeps = aft_loader_manual(AFT_SCHEMA_SWEEP);
    assert_non_null(strstr(sweeps, "| `replications.until.within` | share, above 0 %"));
}

static void kinds_are_found_by_name(void **state)
{
    (void)state;
    AftSchemaKind kind = AFT_SCHEMAS;
    assert_true(aft_schema_kind_find("reference", &kind));
    assert_int_equal(kind, AFT_SCHEMA_REFERENCE);
    assert_false(aft_schema_kind_find("cell", &kind));
    assert_string_equal(aft_schema_kind_name(AFT_SCHEMA_SWEEP), "sweep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_has_a_definition_with_its_help),
        cmocka_unit_test(every_reference_leads_somewhere),
        cmocka_unit_test(manuals_have_every_key),
        cmocka_unit_test(kinds_are_found_by_name),
    };
    return cmocka_run_group_tests_name("schemas", tests, NULL, NULL);
}
