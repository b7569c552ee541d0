/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schema_parts.h"

#include <aftershock/sweep/sweep.h>
#include <math.h>

/* Bounds beyond 63 bits are not told: json-glib writes 1e21 as "1e+21.0", which is no number. */
#define NO_BOUND (9e18)

void aft_schema_text(JsonBuilder *json, const char *name, const char *text)
{
    json_builder_set_member_name(json, name);
    json_builder_add_string_value(json, text);
}

void aft_schema_number(JsonBuilder *json, const char *name, double value)
{
    json_builder_set_member_name(json, name);
    if (value == floor(value) && fabs(value) <= NO_BOUND) {
        json_builder_add_int_value(json, (gint64)value);
    } else {
        json_builder_add_double_value(json, value);
    }
}

void aft_schema_object(JsonBuilder *json, const char *name)
{
    json_builder_set_member_name(json, name);
    json_builder_begin_object(json);
}

void aft_schema_list(JsonBuilder *json, const char *name)
{
    json_builder_set_member_name(json, name);
    json_builder_begin_array(json);
}

/* Returns: whether there are choices. */
static gboolean add_choices(JsonBuilder *json, const AftOutline *node, const AftKey *key)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; key->choices != NULL && key->choices[i] != NULL; i++) {
        g_ptr_array_add(names, (gpointer)key->choices[i]);
    }
    if (node->sheet != NULL && node->sheet->names != NULL) {
        node->sheet->names(names);
    }
    if (names->len > 0) {
        aft_schema_list(json, "enum");
        for (guint i = 0; i < names->len; i++) {
            json_builder_add_string_value(json, g_ptr_array_index(names, i));
        }
        json_builder_end_array(json);
    }
    return names->len > 0;
}

static void add_bounds(JsonBuilder *json, double minimum, double maximum, gboolean above)
{
    if (minimum > -NO_BOUND) {
        aft_schema_number(json, above ? "exclusiveMinimum" : "minimum", minimum);
    }
    if (maximum < NO_BOUND) {
        aft_schema_number(json, "maximum", maximum);
    }
}

static gboolean is_text(const AftKey *key)
{
    return key->type == AFT_KEY_TEXT || key->type == AFT_KEY_FILE;
}

/* YAML takes what looks like a number or a truth for one, in a name too. */
static void add_types(JsonBuilder *json, const AftKey *key, const AftSheetKey *row, gboolean plain)
{
    gboolean any = is_text(key) && (row == NULL || row->form == NULL);
    aft_schema_list(json, "type");
    json_builder_add_string_value(json, "string");
    if (any || plain) {
        json_builder_add_string_value(json, plain && aft_key_is_whole(key) ? "integer" : "number");
    }
    if (any) {
        json_builder_add_string_value(json, "boolean");
    }
    if (row != NULL && row->open) {
        json_builder_add_string_value(json, "null");
    }
    json_builder_end_array(json);
}

static void add_open_value(JsonBuilder *json, const AftKey *key, const AftSheetKey *row)
{
    double minimum, maximum;
    gboolean above;
    gboolean plain = aft_key_plain_range(key, &minimum, &maximum, &above);
    g_autofree char *usual = aft_key_pattern(key);
    g_autofree char *what = aft_key_describe(key);
    g_autofree char *message = g_strdup_printf("expected %s", what);
    add_types(json, key, row, plain);
    aft_schema_text(json, "pattern", row != NULL && row->form != NULL ? row->form : usual);
    aft_schema_text(json, "patternErrorMessage", message);
    if (plain) {
        add_bounds(json, minimum, maximum, above);
    }
}

void aft_schema_value(JsonBuilder *json, const AftOutline *node)
{
    const AftKey *key = node->key->type == AFT_KEY_BARE ? aft_key_meant(node->key) : node->key;
    if (!add_choices(json, node, key)) {
        add_open_value(json, key, node->sheet);
    }
}

const char *aft_schema_type_name(AftKeyType type)
{
    static const char *const names[] = {
        [AFT_KEY_COUNT] = "count", [AFT_KEY_INTEGER] = "integer", [AFT_KEY_NUMBER] = "number",
        [AFT_KEY_TIME] = "time",   [AFT_KEY_BYTES] = "bytes",     [AFT_KEY_BANDWIDTH] = "bandwidth",
        [AFT_KEY_RATE] = "rate",   [AFT_KEY_SHARE] = "share",
    };
    return (guint)type < G_N_ELEMENTS(names) ? names[type] : NULL;
}

/* One number of a distribution or range, as an object. What is outside of the key's range is taken
 * to its bound. */
static void add_parameter(JsonBuilder *json, AftKeyType type)
{
    gboolean whole = type == AFT_KEY_COUNT || type == AFT_KEY_INTEGER;
    const AftKey key = {.type = whole ? AFT_KEY_NUMBER : type,
                        .minimum = -NO_BOUND,
                        .maximum = NO_BOUND,
                        .bare_number = type == AFT_KEY_RATE};
    json_builder_begin_object(json);
    add_open_value(json, &key, NULL);
    json_builder_end_object(json);
}

/* Only a list can hold several. A second parameter of weibull is its shape. */
static void add_parameters(JsonBuilder *json, AftDistributionKind kind, AftKeyType type)
{
    guint n = aft_distribution_parameters(kind);
    json_builder_begin_object(json);
    aft_schema_text(json, "description", aft_distribution_help(kind));
    aft_schema_list(json, "anyOf");
    if (n == 1) {
        add_parameter(json, type);
    }
    json_builder_begin_object(json);
    aft_schema_text(json, "type", "array");
    aft_schema_number(json, "minItems", n);
    aft_schema_number(json, "maxItems", n);
    aft_schema_list(json, "items");
    for (guint i = 0; i < n; i++) {
        gboolean shape = kind == AFT_DISTRIBUTION_WEIBULL && i == 1;
        add_parameter(json, shape ? AFT_KEY_NUMBER : type);
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
    json_builder_end_array(json);
    json_builder_end_object(json);
}

static void add_distributions(JsonBuilder *json, AftKeyType type)
{
    json_builder_begin_object(json);
    aft_schema_text(json, "type", "object");
    aft_schema_number(json, "minProperties", 1);
    aft_schema_number(json, "maxProperties", 1);
    aft_schema_object(json, "properties");
    for (guint i = 0; i < AFT_DISTRIBUTIONS; i++) {
        json_builder_set_member_name(json, aft_distribution_name((AftDistributionKind)i));
        add_parameters(json, (AftDistributionKind)i, type);
    }
    json_builder_end_object(json);
    json_builder_set_member_name(json, "additionalProperties");
    json_builder_add_boolean_value(json, FALSE);
    json_builder_end_object(json);
}

/* Whole numbers need no step. */
static void add_range(JsonBuilder *json, AftKeyType type)
{
    static const char *const names[] = {"from", "to", "step"};
    gboolean whole = type == AFT_KEY_COUNT || type == AFT_KEY_INTEGER;
    json_builder_begin_object(json);
    aft_schema_text(json, "type", "object");
    aft_schema_object(json, "properties");
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        json_builder_set_member_name(json, names[i]);
        add_parameter(json, type);
    }
    json_builder_end_object(json);
    aft_schema_list(json, "required");
    for (guint i = 0; i < G_N_ELEMENTS(names) - (whole ? 1 : 0); i++) {
        json_builder_add_string_value(json, names[i]);
    }
    json_builder_end_array(json);
    json_builder_set_member_name(json, "additionalProperties");
    json_builder_add_boolean_value(json, FALSE);
    json_builder_end_object(json);
}

void aft_schema_spread(JsonBuilder *json, AftKeyType type)
{
    json_builder_begin_object(json);
    aft_schema_list(json, "anyOf");
    add_distributions(json, type);
    add_range(json, type);
    json_builder_end_array(json);
    json_builder_end_object(json);
}
