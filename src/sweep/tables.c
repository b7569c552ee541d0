/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line.h"

#include <aftershock/base/error.h>
#include <aftershock/sweep/tables.h>

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

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

static gboolean write_table(File file, AftStore *store, const GPtrArray *ranking, FILE *out,
                            GError **error)
{
    switch (file) {
    case POINTS:
        return aft_tables_points(store, out, error);
    case REPLICATIONS:
        return aft_tables_replications(store, out, error);
    case RANKING:
        return aft_tables_ranking(store, ranking, out, error);
    default:
        return aft_tables_indices(store, out, error);
    }
}

static gboolean failed(const char *path, GError **error)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: cannot write: %s", path, g_strerror(errno));
    return FALSE;
}

/* Sees @out, whole, on the disk as @path. */
static gboolean seal(FILE *out, const char *passing, const char *path, GError **error)
{
    gboolean fine = fflush(out) == 0 && fsync(fileno(out)) == 0;
    fine = fclose(out) == 0 && fine;
    return (fine && g_rename(passing, path) == 0) || failed(path, error);
}

static gboolean write_file(File file, AftStore *store, const GPtrArray *ranking,
                           const char *directory, GError **error)
{
    g_autofree char *path = g_build_filename(directory, names[file], NULL);
    g_autofree char *passing = g_strdup_printf("%s/.%s.part", directory, names[file]);
    FILE *out = g_fopen(passing, "we");
    if (out == NULL) {
        return failed(path, error);
    }
    gboolean fine = write_table(file, store, ranking, out, error);
    if (fine) {
        fine = seal(out, passing, path, error);
    } else {
        fclose(out);
    }
    if (!fine) {
        g_unlink(passing);
    }
    return fine;
}

gboolean aft_tables_write(AftStore *store, const GPtrArray *ranking, const char *directory,
                          GError **error)
{
    gboolean fine = TRUE;
    gboolean sobol = g_str_equal(aft_store_identity(store)->design, "sobol");
    for (File file = 0; fine && file < (sobol ? FILES : INDICES); file++) {
        fine = write_file(file, store, ranking, directory, error);
    }
    return fine;
}
