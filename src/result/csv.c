/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>
#include <aftershock/result/csv.h>

#include <string.h>

void aft_csv_append(GString *csv, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        g_string_append(csv, text);
        return;
    }
    g_string_append_c(csv, '"');
    for (const char *c = text; *c != '\0'; c++) {
        g_string_append(csv, *c == '"' ? "\"" : "");
        g_string_append_c(csv, *c);
    }
    g_string_append_c(csv, '"');
}

void aft_csv_append_names(GString *csv, const AftTable *table)
{
    for (guint c = 0; c < table->n_columns; c++) {
        g_string_append_printf(csv, "%s%s", c > 0 ? "," : "", table->columns[c].name);
    }
    g_string_append_c(csv, '\n');
}

void aft_csv_append_row(GString *csv, const AftTable *table, gconstpointer row)
{
    for (guint c = 0; c < table->n_columns; c++) {
        g_autofree char *text = aft_column_format(&table->columns[c], row);
        g_string_append(csv, c > 0 ? "," : "");
        aft_csv_append(csv, text);
    }
    g_string_append_c(csv, '\n');
}

char *aft_csv_format(const AftTable *table, const GArray *rows)
{
    g_assert(g_array_get_element_size((GArray *)rows) == table->row_bytes);
    GString *csv = g_string_new(NULL);
    aft_csv_append_names(csv, table);
    for (guint r = 0; r < rows->len; r++) {
        aft_csv_append_row(csv, table, rows->data + (gsize)r * table->row_bytes);
    }
    return g_string_free(csv, FALSE);
}

/* Where reading stands. */
typedef struct {
    const char *name;
    const char *at;
    guint line;        /* of @at */
    guint record_line; /* where the record last read began */
} Reader;

G_GNUC_PRINTF(3, 4)
static gboolean broken(const Reader *reader, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s:%u: %s", reader->name, reader->record_line,
                message);
    return FALSE;
}

static gboolean at_line_end(const char *at)
{
    return *at == '\0' || *at == '\n' || (at[0] == '\r' && at[1] == '\n');
}

/* From after the opening quote to after the closing one. */
static gboolean read_quoted(Reader *reader, GString *cell, GError **error)
{
    while (reader->at[0] != '"' || reader->at[1] == '"') {
        if (*reader->at == '\0') {
            return broken(reader, error, "a quote is opened and never closed");
        }
        reader->line += *reader->at == '\n';
        reader->at += *reader->at == '"'; /* two stand for one */
        g_string_append_c(cell, *reader->at++);
    }
    reader->at++;
    if (*reader->at != ',' && !at_line_end(reader->at)) {
        return broken(reader, error, "text follows a closing quote");
    }
    return TRUE;
}

static gboolean read_cell(Reader *reader, GString *cell, GError **error)
{
    if (*reader->at == '"') {
        reader->at++;
        return read_quoted(reader, cell, error);
    }
    while (*reader->at != ',' && !at_line_end(reader->at)) {
        g_string_append_c(cell, *reader->at++);
    }
    return TRUE;
}

/* Replaces @cells by those of the next line. */
static gboolean read_record(Reader *reader, GPtrArray *cells, GError **error)
{
    g_ptr_array_set_size(cells, 0);
    reader->record_line = reader->line;
    for (;;) {
        g_autoptr(GString) cell = g_string_new(NULL);
        if (!read_cell(reader, cell, error)) {
            return FALSE;
        }
        g_ptr_array_add(cells, g_strdup(cell->str));
        if (*reader->at != ',') {
            break;
        }
        reader->at++;
    }
    reader->at += *reader->at == '\r';
    reader->line += *reader->at == '\n';
    reader->at += *reader->at == '\n';
    return TRUE;
}

/* Which cell of a line is @name; -1: none is. Returns: FALSE with @error when several are. */
static gboolean find_column(const Reader *reader, const GPtrArray *names, const char *name,
                            gint *ret_place, GError **error)
{
    gint found = -1;
    for (guint i = 0; i < names->len; i++) {
        if (!g_str_equal(g_ptr_array_index(names, i), name)) {
            continue;
        }
        if (found >= 0) {
            return broken(reader, error, "there are two columns named %s", name);
        }
        found = (gint)i;
    }
    *ret_place = found;
    return TRUE;
}

static gboolean find_columns(const Reader *reader, const AftTable *table, const GPtrArray *names,
                             gint *places, GError **error)
{
    for (guint c = 0; c < table->n_columns; c++) {
        const AftColumn *column = &table->columns[c];
        if (!find_column(reader, names, column->name, &places[c], error)) {
            return FALSE;
        }
        if (places[c] < 0 && !column->new) {
            return broken(reader, error, "there is no column named %s", column->name);
        }
    }
    return TRUE;
}

static gboolean parse_row(const Reader *reader, const AftTable *table, const gint *places,
                          const GPtrArray *cells, gpointer row, GError **error)
{
    for (guint c = 0; c < table->n_columns; c++) {
        if (places[c] < 0) {
            continue;
        }
        const char *text = g_ptr_array_index(cells, (guint)places[c]);
        if (!aft_column_parse(&table->columns[c], row, text, error)) {
            g_prefix_error(error, "%s:%u: ", reader->name, reader->record_line);
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean append_row(const Reader *reader, const AftTable *table, const gint *places,
                           const GPtrArray *cells, GArray *rows, GError **error)
{
    g_autofree void *row = g_malloc(table->row_bytes);
    aft_table_init_row(table, row);
    if (!parse_row(reader, table, places, cells, row, error)) {
        aft_table_clear_row(table, row);
        return FALSE;
    }
    g_array_append_vals(rows, row, 1); /* its texts are the array's now */
    return TRUE;
}

gboolean aft_csv_parse(const AftTable *table, const char *text, const char *name, GArray *rows,
                       GError **error)
{
    g_assert(g_array_get_element_size(rows) == table->row_bytes);
    Reader reader = {.name = name, .at = text, .line = 1};
    g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
    g_autofree gint *places = g_new(gint, table->n_columns);
    if (!read_record(&reader, cells, error) ||
        !find_columns(&reader, table, cells, places, error)) {
        return FALSE;
    }
    guint width = cells->len;
    while (*reader.at != '\0') {
        if (!read_record(&reader, cells, error)) {
            return FALSE;
        }
        if (cells->len != width) {
            return broken(&reader, error, "expected %u cells, got %u", width, cells->len);
        }
        if (!append_row(&reader, table, places, cells, rows, error)) {
            return FALSE;
        }
    }
    return TRUE;
}
