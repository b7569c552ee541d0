/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tree.h"

#include "text.h"

#include <aftershock/base/error.h>

#include <math.h>
#include <string.h>

#define OUTSIDE "{}[]:,.+-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ \t\r\n\""

/* A look over a document that keeps nothing but how deep it is. */
typedef struct {
    const char *path;
    const char *start; /* of the text */
    char *at;
    guint depth;
    guint values; /* no fewer than there are: commas and brackets that open */
} Scan;

static gboolean fail_at(const Scan *scan, AftError code, GError **error, const char *message)
{
    guint64 line = 1, column = 1;
    for (const char *c = scan->start; c < scan->at; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    g_set_error(error, AFT_ERROR, (gint)code, "%s:%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ": %s",
                scan->path, line, column, message);
    return FALSE;
}

/* From the opening quote to the closing one. */
static gboolean skip_string(Scan *scan, GError **error)
{
    char *at = scan->at + 1;
    while (*at != '"' && *at != '\0') {
        at += *at == '\\' && at[1] != '\0' ? 2 : 1;
    }
    if (*at == '\0') {
        return fail_at(scan, AFT_ERROR_SYNTAX, error, "a quote is opened and never closed");
    }
    scan->at = at;
    return TRUE;
}

static gboolean step(Scan *scan, GError **error)
{
    char c = *scan->at;
    if (c == '"') {
        return skip_string(scan, error);
    }
    if (strchr(OUTSIDE, c) == NULL) {
        return fail_at(scan, AFT_ERROR_SYNTAX, error, "expected JSON, got another character");
    }
    scan->depth += c == '{' || c == '[' ? 1 : 0;
    scan->depth -= c == '}' || c == ']' ? 1 : 0;
    scan->values += c == ',' || c == '{' || c == '[' ? 1 : 0;
    if (scan->depth > AFT_TREE_DEEPEST) {
        return fail_at(scan, AFT_ERROR_LIMIT, error, "expected brackets at most 64 deep");
    }
    return scan->values < AFT_TREE_MOST_VALUES ||
           fail_at(scan, AFT_ERROR_LIMIT, error, "expected at most 1,000,000 values");
}

/* From an opening bracket to behind the one that closes it. */
static gboolean skip_document(Scan *scan, GError **error)
{
    scan->depth = 0;
    do {
        if (*scan->at == '\0') {
            return fail_at(scan, AFT_ERROR_SYNTAX, error,
                           "the text ends where brackets are still open: is it cut off?");
        }
        if (!step(scan, error)) {
            return FALSE;
        }
        scan->at++;
    } while (scan->depth > 0);
    return TRUE;
}

/* The first bracket that opens a line from @at on, which begins one. (nullable) */
static char *find_document(char *at)
{
    while (at != NULL) {
        at += strspn(at, " \t\r\n");
        if (*at == '{' || (*at == '[' && strchr("[{]\"0123456789-\n\r \t", at[1]) != NULL)) {
            return at;
        }
        at = strchr(at, '\n');
    }
    return NULL;
}

static void blank(char *from, const char *to)
{
    for (; from < to; from++) {
        *from = *from == '\n' ? '\n' : ' ';
    }
}

/* Leaves only the last document in @text, at its place. */
static gboolean isolate(Scan *scan, char *text, GError **error)
{
    char *begin = find_document(text), *end = text, *last = begin;
    if (begin == NULL) {
        return fail_at(scan, AFT_ERROR_SYNTAX, error, "expected JSON, found no { to begin with");
    }
    while (begin != NULL) {
        scan->at = last = begin;
        if (!skip_document(scan, error)) {
            return FALSE;
        }
        end = scan->at;
        begin = strchr(end, '\n') != NULL ? find_document(strchr(end, '\n')) : NULL;
    }
    blank(text, last);
    *end = '\0';
    return TRUE;
}

JsonNode *aft_tree_parse(const char *path, char *text, GError **error)
{
    Scan scan = {.path = path, .start = text, .at = text};
    if (!isolate(&scan, text, error)) {
        return NULL;
    }
    if (!g_utf8_validate(text, -1, NULL)) {
        aft_text_fail(error, path, 0, "is not UTF-8 text");
        return NULL;
    }
    g_autoptr(JsonParser) parser = json_parser_new();
    g_autoptr(GError) problem = NULL;
    if (!json_parser_load_from_data(parser, text, -1, &problem)) {
        /* "<data>:3:14: Parse error: ..." */
        const char *place =
            g_str_has_prefix(problem->message, "<data>") ? problem->message + 6 : "";
        g_autofree char *clean =
            aft_text_clean(*place == ':' ? place : problem->message, AFT_TEXT_LONGEST_LINE);
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s%s%s", path, *place == ':' ? "" : ": ",
                    clean);
        return NULL;
    }
    return json_parser_steal_root(parser);
}

JsonNode *aft_tree_read(const char *path, GError **error)
{
    g_autofree char *text = aft_text_read(path, error);
    return text != NULL ? aft_tree_parse(path, text, error) : NULL;
}

JsonObject *aft_tree_top(JsonNode *root, const char *path, GError **error)
{
    if (!JSON_NODE_HOLDS_OBJECT(root)) {
        aft_text_fail(error, path, 0, "expected an object, {...}");
        return NULL;
    }
    return json_node_get_object(root);
}

/* Returns: (transfer none) (nullable): no member, or null. */
static JsonNode *member(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);
    return node != NULL && !JSON_NODE_HOLDS_NULL(node) ? node : NULL;
}

static gboolean fail_member(const char *where, const char *name, const char *expected,
                            GError **error)
{
    g_autofree char *clean = aft_text_clean(name, AFT_TEXT_LONGEST_NAME);
    g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s.%s: expected %s", where, clean, expected);
    return FALSE;
}

gboolean aft_tree_object(JsonObject *object, const char *where, const char *name,
                         JsonObject **ret_member, GError **error)
{
    JsonNode *node = member(object, name);
    if (node != NULL && !JSON_NODE_HOLDS_OBJECT(node)) {
        return fail_member(where, name, "an object, {...}", error);
    }
    *ret_member = node != NULL ? json_node_get_object(node) : NULL;
    return TRUE;
}

gboolean aft_tree_array(JsonObject *object, const char *where, const char *name,
                        JsonArray **ret_member, GError **error)
{
    JsonNode *node = member(object, name);
    if (node != NULL && !JSON_NODE_HOLDS_ARRAY(node)) {
        return fail_member(where, name, "an array, [...]", error);
    }
    *ret_member = node != NULL ? json_node_get_array(node) : NULL;
    return TRUE;
}

gboolean aft_tree_number(JsonObject *object, const char *where, const char *name, double *ret_value,
                         GError **error)
{
    JsonNode *node = member(object, name);
    if (node == NULL) {
        *ret_value = NAN;
        return TRUE;
    }
    GType type = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_value_type(node) : G_TYPE_NONE;
    double value = type == G_TYPE_DOUBLE  ? json_node_get_double(node)
                   : type == G_TYPE_INT64 ? (double)json_node_get_int(node)
                                          : (double)NAN;
    if (!(value >= 0.0 && isfinite(value))) {
        return fail_member(where, name, "a number of 0 or more", error);
    }
    *ret_value = value;
    return TRUE;
}

const char *aft_tree_text(JsonObject *object, const char *name)
{
    JsonNode *node = member(object, name);
    gboolean text = node != NULL && JSON_NODE_HOLDS_VALUE(node) &&
                    json_node_get_value_type(node) == G_TYPE_STRING;
    return text ? json_node_get_string(node) : NULL;
}

JsonObject *aft_tree_item(JsonArray *array, guint index)
{
    JsonNode *node = json_array_get_element(array, index);
    return JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}
