/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>
#include <aftershock/result/columns.h>
#include <aftershock/result/summary.h>

#include <json-glib/json-glib.h>
#include <string.h>

#define VALUE(kind, name, member)                                        \
    {                                                                    \
        name, AFT_CELL_##kind, G_STRUCT_OFFSET(AftResult, member), FALSE \
    }

static const AftColumn head[] = {
    VALUE(TEXT, "scenario", scenario),
    VALUE(TEXT, "label", label),
    VALUE(TEXT, "scenario_sha256", scenario_sha256),
    VALUE(COUNT, "seed", seed),
    VALUE(TEXT, "version", version),
    VALUE(TEXT, "fidelity", fidelity),
    VALUE(YES, "interrupted", interrupted),
    VALUE(MEASURE, "confidence", confidence),
    VALUE(MEASURE, "precision", precision),
    VALUE(COUNT, "simulated_ios", simulated_ios),
    VALUE(SECONDS, "simulated_s", simulated_s),
    VALUE(COUNT, "events", events),
    VALUE(TEXT, "requirement", requirement),
    VALUE(SECONDS, "missed_s", missed_s),
};

static const AftColumn required[] = {
    VALUE(MEASURE, "iops", required_iops),
    VALUE(MEASURE, "read_ms", required_read_ms),
    VALUE(MEASURE, "write_ms", required_write_ms),
};

static const AftColumn space[] = {
    VALUE(WHOLE, "logical_bytes", space.logical_bytes),
    VALUE(WHOLE, "protected_bytes", space.protected_bytes),
    VALUE(WHOLE, "stored_bytes", space.stored_bytes),
    VALUE(WHOLE, "saved_bytes", space.saved_bytes),
    VALUE(WHOLE, "raw_bytes", space.raw_bytes),
};

static const AftColumn loss[] = {
    VALUE(WHOLE, "lost_pgs", loss.lost_pgs),
    VALUE(WHOLE, "lost_bytes", loss.lost_bytes),
    VALUE(SECONDS, "first_s", loss.first_s),
};

static const AftColumn undone[] = {
    VALUE(COUNT, "refused", undone[AFT_UNDONE_REFUSED]),
    VALUE(COUNT, "skipped", undone[AFT_UNDONE_SKIPPED]),
    VALUE(COUNT, "unfinished", undone[AFT_UNDONE_UNFINISHED]),
};

static const AftColumn shed[] = {
    VALUE(COUNT, "lost_data_ios", shed_lost_ios),
};

/* A group of members; NULL: they belong to the summary itself. */
static const struct {
    const char *name;
    const AftColumn *members;
    guint n_members;
    gboolean new; /* files from before it was there may lack it */
} groups[] = {
    {NULL, head, G_N_ELEMENTS(head), FALSE},
    {"required", required, G_N_ELEMENTS(required), FALSE},
    {"space", space, G_N_ELEMENTS(space), FALSE},
    {"loss", loss, G_N_ELEMENTS(loss), FALSE},
    {"undone", undone, G_N_ELEMENTS(undone), TRUE},
    {"shed", shed, G_N_ELEMENTS(shed), TRUE},
};

static char *quoted(const char *text)
{
    g_autoptr(JsonNode) node = json_node_init_string(json_node_alloc(), text);
    return json_to_string(node, FALSE);
}

static char *member_text(const AftColumn *column, gconstpointer row)
{
    g_autofree char *text = aft_column_format(column, row);
    if (column->kind == AFT_CELL_TEXT || column->kind == AFT_CELL_PHASE) {
        return quoted(text);
    }
    return g_strdup(*text == '\0' ? "null" : text);
}

/* The members, each after @before, with commas between them. */
static void append_members(GString *json, const AftColumn *members, guint n_members,
                           gconstpointer row, const char *before)
{
    for (guint i = 0; i < n_members; i++) {
        g_autofree char *text = member_text(&members[i], row);
        g_string_append_printf(json, "%s%s\"%s\": %s", i > 0 ? "," : "", before, members[i].name,
                               text);
    }
}

static void append_phases(GString *json, const GArray *phases)
{
    const AftTable *table = aft_phase_table();
    g_string_append(json, ",\n  \"phases\": [");
    for (guint i = 0; i < phases->len; i++) {
        g_string_append(json, i > 0 ? ",\n    {" : "\n    {");
        append_members(json, table->columns, table->n_columns,
                       &g_array_index(phases, AftPhaseRow, i), "\n      ");
        g_string_append(json, "\n    }");
    }
    g_string_append(json, phases->len > 0 ? "\n  ]" : "]");
}

char *aft_summary_format(const AftResult *result)
{
    GString *json = g_string_new("{");
    for (guint i = 0; i < G_N_ELEMENTS(groups); i++) {
        if (groups[i].name == NULL) {
            append_members(json, groups[i].members, groups[i].n_members, result, "\n  ");
            continue;
        }
        g_string_append_printf(json, ",\n  \"%s\": {", groups[i].name);
        append_members(json, groups[i].members, groups[i].n_members, result, "\n    ");
        g_string_append(json, "\n  }");
    }
    append_phases(json, result->phases);
    g_string_append(json, "\n}\n");
    return g_string_free(json, FALSE);
}

/* What a cell would say; NULL when @node is no plain value. */
static char *node_text(JsonNode *node)
{
    if (JSON_NODE_HOLDS_NULL(node)) {
        return g_strdup("");
    }
    if (!JSON_NODE_HOLDS_VALUE(node)) {
        return NULL;
    }
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    switch (json_node_get_value_type(node)) {
    case G_TYPE_STRING:
        return json_node_dup_string(node);
    case G_TYPE_BOOLEAN:
        return g_strdup(json_node_get_boolean(node) ? "true" : "false");
    case G_TYPE_INT64:
        return g_strdup_printf("%" G_GINT64_FORMAT, json_node_get_int(node));
    default:
        return g_strdup(g_ascii_dtostr(digits, sizeof(digits), json_node_get_double(node)));
    }
}

static gboolean read_member(const AftColumn *column, gpointer row, JsonObject *object,
                            GError **error)
{
    JsonNode *node = json_object_get_member(object, column->name);
    g_autofree char *text = node != NULL ? node_text(node) : NULL;
    if (text == NULL) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s: expected a value, got %s",
                    column->name, node != NULL ? "a list or an object" : "none");
        return FALSE;
    }
    return aft_column_parse(column, row, text, error);
}

static gboolean read_members(const AftColumn *members, guint n_members, gpointer row,
                             JsonObject *object, GError **error)
{
    for (guint i = 0; i < n_members; i++) {
        if (!read_member(&members[i], row, object, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* The object called @name in @object; NULL after setting @error. */
static JsonObject *find_group(JsonObject *object, const char *name, GError **error)
{
    JsonNode *node = json_object_get_member(object, name);
    if (node == NULL || !JSON_NODE_HOLDS_OBJECT(node)) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s: expected an object", name);
        return NULL;
    }
    return json_node_get_object(node);
}

static gboolean read_groups(AftResult *result, JsonObject *object, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(groups); i++) {
        const char *name = groups[i].name;
        if (groups[i].new && !json_object_has_member(object, name)) {
            continue;
        }
        JsonObject *group = name != NULL ? find_group(object, name, error) : object;
        if (group == NULL) {
            return FALSE;
        }
        if (!read_members(groups[i].members, groups[i].n_members, result, group, error)) {
            if (name != NULL) {
                g_prefix_error(error, "%s.", name);
            }
            return FALSE;
        }
    }
    return TRUE;
}

/* json-glib says "<data>:LINE:COLUMN: Parse error: ...". */
static void set_parse_error(GError **error, const char *name, const char *message)
{
    const char *place =
        g_str_has_prefix(message, "<data>:") ? message + strlen("<data>:") : message;
    g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s:%s", name, place);
}

gboolean aft_summary_parse(AftResult *result, const char *text, const char *name, GError **error)
{
    g_autoptr(JsonParser) parser = json_parser_new_immutable();
    g_autoptr(GError) parse_error = NULL;
    if (!json_parser_load_from_data(parser, text, -1, &parse_error)) {
        set_parse_error(error, name, parse_error->message);
        return FALSE;
    }
    JsonNode *root = json_parser_get_root(parser);
    if (root == NULL || !JSON_NODE_HOLDS_OBJECT(root)) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s: expected an object", name);
        return FALSE;
    }
    if (!read_groups(result, json_node_get_object(root), error)) {
        g_prefix_error(error, "%s: ", name);
        return FALSE;
    }
    return TRUE;
}
