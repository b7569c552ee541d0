/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line.h"

#include <aftershock/base/file.h>
#include <aftershock/sweep/tables.h>

typedef struct {
    FILE *out;
    GString *line;
} Writer;

static gboolean write_row(const AftReplication *row, gpointer data, GError **error)
{
    const Writer *writer = data;
    const AftTable *table = aft_replication_table();
    aft_line_count(writer->line, row->point);
    aft_line_count(writer->line, row->replication);
    for (guint i = 0; i < table->n_columns; i++) {
        const AftColumn *column = &table->columns[i];
        gboolean none = column->kind == AFT_CELL_TEXT &&
                        G_STRUCT_MEMBER(const char *, row, column->offset) == NULL;
        g_autofree char *text = none ? g_strdup("") : aft_column_format(column, row);
        aft_line_text(writer->line, text);
    }
    return aft_line_end(writer->line, writer->out, error);
}

gboolean aft_tables_replications(AftStore *store, FILE *out, GError **error)
{
    g_autoptr(GString) line = g_string_new("point,replication");
    Writer writer = {out, line};
    const AftTable *table = aft_replication_table();
    for (guint i = 0; i < table->n_columns; i++) {
        aft_line_text(line, table->columns[i].name);
    }
    return aft_line_end(line, out, error) &&
           aft_store_each(store, G_MAXUINT, write_row, &writer, error);
}

typedef enum { POINTS, REPLICATIONS, RANKING, INDICES, FILES } File;

static const char *const names[FILES] = {"points.csv", "replications.csv", "ranking.csv",
                                         "indices.csv"};

/* A table of a store. */
typedef struct {
    File file;
    AftStore *store;
    const GPtrArray *ranking;
} Contents;

/* An AftFileWriter. */
static gboolean write_table(gconstpointer what, FILE *out, GError **error)
{
    const Contents *contents = what;
    switch (contents->file) {
    case POINTS:
        return aft_tables_points(contents->store, out, error);
    case REPLICATIONS:
        return aft_tables_replications(contents->store, out, error);
    case RANKING:
        return aft_tables_ranking(contents->store, contents->ranking, out, error);
    default:
        return aft_tables_indices(contents->store, out, error);
    }
}

gboolean aft_tables_write(AftStore *store, const GPtrArray *ranking, const char *directory,
                          GError **error)
{
    gboolean sobol = g_str_equal(aft_store_identity(store)->design, "sobol");
    guint n = sobol ? FILES : INDICES;
    Contents contents[FILES];
    AftNewFile files[FILES];
    char *paths[FILES];
    for (File file = 0; file < n; file++) {
        paths[file] = g_build_filename(directory, names[file], NULL);
        contents[file] = (Contents){file, store, ranking};
        files[file] = (AftNewFile){paths[file], write_table, &contents[file]};
    }
    gboolean fine = aft_files_place(files, n, error);
    for (File file = 0; file < n; file++) {
        g_free(paths[file]);
    }
    return fine;
}
