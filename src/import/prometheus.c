/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer to a query of Prometheus, of a range (a matrix) or of an instant (a vector). What it
 * counts in seconds, bytes and times a second are our base units. */
#include "cells.h"
#include "kinds.h"
#include "text.h"
#include "tree.h"

#include <aftershock/base/error.h>
#include <aftershock/result/metric.h>

#include <math.h>
#include <string.h>

enum { DIGITS = 12, TIME_DIGITS = 15 };

/* What is made of an answer. */
typedef struct {
    const char *path;
    const AftImportOptions *options;
    GPtrArray *remarks;
    AftCells *cells;
    GString *csv;
    double first_s; /* the time of the first sample; NaN before it */
} Reading;

/* What samples of a series come to. */
typedef struct {
    const char *where;
    const char *name;
    double sum;
    guint n, absent;
} Series;

static gboolean fail(const char *where, const char *expected, GError **error)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s: expected %s", where, expected);
    return FALSE;
}

/* "disk_reads{instance=a}"; a label that a caller gave goes before. Returns: (transfer full). */
static char *name_of(JsonObject *metric)
{
    GString *name = g_string_new(metric != NULL ? aft_tree_text(metric, "__name__") : NULL);
    g_autoptr(GList) labels = metric != NULL ? json_object_get_members(metric) : NULL;
    gboolean any = FALSE;
    for (GList *label = labels; label != NULL; label = label->next) {
        const char *value = aft_tree_text(metric, label->data);
        if (value != NULL && strcmp(label->data, "__name__") != 0) {
            g_string_append_printf(name, "%s%s=%s", any ? "," : "{", (const char *)label->data,
                                   value);
            any = TRUE;
        }
    }
    g_string_append(name, any ? "}" : "");
    g_string_append(name, name->len == 0 ? "series" : "");
    return g_string_free(name, FALSE);
}

static gboolean is_number(JsonNode *node)
{
    GType type =
        node != NULL && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_value_type(node) : G_TYPE_NONE;
    return type == G_TYPE_DOUBLE || type == G_TYPE_INT64;
}

/* "12.5" or "-3"; NaN of what is not finite. */
static gboolean read_value(const char *text, double *ret_value)
{
    gboolean negative = *text == '-';
    const char *bare = text + (negative || *text == '+' ? 1 : 0);
    *ret_value = NAN;
    if (g_ascii_strcasecmp(bare, "nan") == 0 || g_ascii_strcasecmp(bare, "inf") == 0) {
        return TRUE;
    }
    gboolean number = g_ascii_isdigit(*bare) && aft_text_parse(bare, FALSE, ret_value);
    *ret_value = negative ? -*ret_value : *ret_value;
    return number;
}

/* [1700000000.5, "12.5"]; a value that is not finite is none. */
static gboolean read_sample(JsonNode *node, const char *where, double *ret_s, double *ret_value,
                            GError **error)
{
    static const char expected[] = "a sample, [seconds, \"value\"]";
    JsonArray *sample = JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
    JsonNode *time = NULL, *value = NULL;
    if (sample != NULL && json_array_get_length(sample) == 2) {
        time = json_array_get_element(sample, 0);
        value = json_array_get_element(sample, 1);
    }
    if (!is_number(time) || !JSON_NODE_HOLDS_VALUE(value) ||
        json_node_get_value_type(value) != G_TYPE_STRING) {
        return fail(where, expected, error);
    }
    *ret_s = json_node_get_double(time);
    return (*ret_s >= 0.0 && isfinite(*ret_s) &&
            read_value(json_node_get_string(value), ret_value)) ||
           fail(where, expected, error);
}

static void append_sample(Reading *reading, const Series *series, double time_s, double value)
{
    aft_text_number(reading->csv, time_s - reading->first_s, TIME_DIGITS);
    g_string_append_c(reading->csv, ',');
    aft_text_cell(reading->csv, series->name);
    g_string_append_c(reading->csv, ',');
    if (!isnan(value)) {
        aft_text_number(reading->csv, value, DIGITS);
    }
    g_string_append_c(reading->csv, '\n');
}

static gboolean take_sample(Reading *reading, Series *series, JsonNode *node, GError **error)
{
    double time_s = 0.0, value = 0.0;
    if (!read_sample(node, series->where, &time_s, &value, error)) {
        return FALSE;
    }
    reading->first_s = isnan(reading->first_s) ? time_s : reading->first_s;
    if (reading->options->csv) {
        append_sample(reading, series, time_s, value);
    } else if (value < 0.0) {
        return fail(series->where, "samples of 0 or more", error);
    }
    series->sum += isnan(value) ? 0.0 : value;
    series->n += isnan(value) ? 0 : 1;
    series->absent += isnan(value) ? 1 : 0;
    return TRUE;
}

static gboolean take_samples(Reading *reading, Series *series, JsonObject *result, GError **error)
{
    JsonArray *values = NULL, *value = NULL;
    if (!aft_tree_array(result, series->where, "values", &values, error) ||
        !aft_tree_array(result, series->where, "value", &value, error)) {
        return FALSE;
    }
    if (values == NULL) {
        JsonNode *node = json_object_get_member(result, "value");
        return node != NULL ? take_sample(reading, series, node, error)
                            : fail(series->where, "values of a range or a value", error);
    }
    for (guint i = 0; i < json_array_get_length(values); i++) {
        if (!take_sample(reading, series, json_array_get_element(values, i), error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean add_mean(Reading *reading, const Series *series, gboolean alone, GError **error)
{
    const char *given = reading->options->label;
    g_autofree char *both =
        given != NULL && !alone ? g_strconcat(given, "-", series->name, NULL) : NULL;
    g_autofree char *label = aft_cells_label(reading->cells, both != NULL    ? both
                                                             : given != NULL ? given
                                                                             : series->name);
    g_autofree char *note = g_strdup_printf("mean of %u samples", series->n);
    if (series->absent > 0) {
        aft_text_remark(reading->remarks, "%s: %u samples of %s are no number: left out",
                        series->where, series->absent, series->name);
    }
    return series->n == 0 ||
           aft_cells_add(reading->cells, series->where, label, reading->options->metric,
                         series->sum / series->n, note, error);
}

static gboolean take_series(Reading *reading, JsonArray *results, guint index, GError **error)
{
    g_autofree char *where = g_strdup_printf("%s: data.result[%u]", reading->path, index);
    JsonObject *result = aft_tree_item(results, index), *metric = NULL;
    if (result == NULL) {
        return fail(where, "an object, {...}", error);
    }
    if (!aft_tree_object(result, where, "metric", &metric, error)) {
        return FALSE;
    }
    g_autofree char *name = name_of(metric);
    Series series = {.where = where, .name = name};
    if (!take_samples(reading, &series, result, error)) {
        return FALSE;
    }
    return reading->options->csv ||
           add_mean(reading, &series, json_array_get_length(results) == 1, error);
}

static gboolean read_answer(Reading *reading, JsonObject *top, GError **error)
{
    const char *status = aft_tree_text(top, "status");
    JsonObject *data = NULL;
    JsonArray *results = NULL;
    if (g_strcmp0(status, "success") != 0) {
        const char *why = aft_tree_text(top, "error");
        return aft_text_fail(error, reading->path, 0,
                             "expected \"status\": \"success\", got %s%s%s",
                             status != NULL ? status : "none", why != NULL ? ": " : "",
                             why != NULL ? why : "");
    }
    if (!aft_tree_object(top, reading->path, "data", &data, error) ||
        (data != NULL && !aft_tree_array(data, reading->path, "result", &results, error))) {
        return FALSE;
    }
    if (results == NULL || json_array_get_length(results) == 0) {
        return aft_text_fail(error, reading->path, 0, "has no series in data.result");
    }
    for (guint i = 0; i < json_array_get_length(results); i++) {
        if (!take_series(reading, results, i, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean check_metric(const AftImportOptions *options, GError **error)
{
    if (!options->csv && options->metric == NULL) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_CONFLICT,
                    "which figure are the series? --metric iops, say, of those that \"aftershock "
                    "list metrics\" tells, or --format csv for all samples");
        return FALSE;
    }
    return TRUE;
}

static gboolean read_file(Reading *reading, GError **error)
{
    g_autoptr(JsonNode) root = aft_tree_read(reading->path, error);
    JsonObject *top = root != NULL ? aft_tree_top(root, reading->path, error) : NULL;
    return top != NULL && read_answer(reading, top, error);
}

char *aft_import_prometheus(const char *const *files, const AftImportOptions *options,
                            GPtrArray *remarks, GError **error)
{
    g_autoptr(AftCells) cells = aft_cells_new(options);
    g_autoptr(GString) csv = g_string_new("time_s,series,value\n");
    Reading reading = {NULL, options, remarks, cells, csv, NAN};
    if (!check_metric(options, error)) {
        return NULL;
    }
    aft_cells_tool(cells, "Prometheus");
    for (guint i = 0; files[i] != NULL; i++) {
        reading.path = files[i];
        if (!read_file(&reading, error)) {
            return NULL;
        }
    }
    return options->csv ? g_string_free(g_steal_pointer(&csv), FALSE)
                        : aft_cells_write(cells, files, error);
}
