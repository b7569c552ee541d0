/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rows.h"

#include <math.h>
#include <string.h>

/* JSON-GLib writes 1e-08 as 1e-08.0, which is not JSON. The next number has a point. */
static double with_point(double value)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_dtostr(digits, sizeof digits, value);
    gboolean bare = strchr(digits, 'e') != NULL && strchr(digits, '.') == NULL;
    return bare ? nextafter(value, (double)INFINITY) : value;
}

static void add_cell(JsonBuilder *json, const AftColumn *column, gconstpointer row)
{
    json_builder_set_member_name(json, column->name);
    if (column->kind == AFT_CELL_YES) {
        json_builder_add_boolean_value(json, G_STRUCT_MEMBER(gboolean, row, column->offset));
        return;
    }
    if (column->kind == AFT_CELL_COUNT) {
        json_builder_add_int_value(json, (gint64)G_STRUCT_MEMBER(guint64, row, column->offset));
        return;
    }
    g_autofree char *text = aft_column_format(column, row);
    if (*text == '\0') {
        json_builder_add_null_value(json);
    } else if (column->kind == AFT_CELL_TEXT || column->kind == AFT_CELL_PHASE) {
        json_builder_add_string_value(json, text);
    } else {
        json_builder_add_double_value(json, with_point(g_ascii_strtod(text, NULL)));
    }
}

void aft_rows_add_json(JsonBuilder *json, const char *name, const AftTable *table,
                       const GArray *rows)
{
    json_builder_set_member_name(json, name);
    json_builder_begin_array(json);
    for (guint r = 0; r < rows->len; r++) {
        json_builder_begin_object(json);
        for (guint c = 0; c < table->n_columns; c++) {
            add_cell(json, &table->columns[c], rows->data + r * table->row_bytes);
        }
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

void aft_rows_add_text(JsonBuilder *json, const char *name, const char *text)
{
    json_builder_set_member_name(json, name);
    json_builder_add_string_value(json, text);
}

void aft_rows_add_number(JsonBuilder *json, const char *name, double value)
{
    json_builder_set_member_name(json, name);
    if (isfinite(value)) {
        json_builder_add_double_value(json, with_point(value));
    } else {
        json_builder_add_null_value(json);
    }
}

char *aft_rows_json_text(JsonBuilder *json)
{
    g_autoptr(JsonGenerator) generator = json_generator_new();
    JsonNode *root = json_builder_get_root(json);
    json_generator_set_root(generator, root);
    json_generator_set_pretty(generator, TRUE);
    g_autofree char *text = json_generator_to_data(generator, NULL);
    json_node_unref(root);
    g_object_unref(json);
    return g_strconcat(text, "\n", NULL);
}

GArray *aft_rows_new(const AftTable *table, GDestroyNotify clear)
{
    GArray *rows = g_array_new(FALSE, FALSE, (guint)table->row_bytes);
    g_array_set_clear_func(rows, clear);
    return rows;
}
