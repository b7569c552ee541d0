/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>
#include <aftershock/base/file.h>
#include <aftershock/result/csv.h>
#include <aftershock/result/files.h>
#include <aftershock/result/summary.h>

#include <glib/gstdio.h>
#include <string.h>

/* The summary first: taken away first and put in place last, it seals the set. */
enum { SUMMARY, PHASES, TRACE, EVENTS, LATENCY, FILES };

static const char *const file_names[FILES + 1] = {"summary.json", "phases.csv", "trace.csv",
                                                  "events.csv", "latency.csv"};

/* A table with its rows. */
typedef struct {
    const AftTable *table;
    const GArray *rows;
} Contents;

gboolean aft_result_writable(const char *directory, GError **error)
{
    return aft_files_placeable(directory, file_names, error);
}

const char *const *aft_result_file_names(void)
{
    return file_names;
}

/* An AftFileWriter. A trace may be far longer than there should be memory for its text. */
static gboolean write_rows(gconstpointer what, FILE *stream, GError **error G_GNUC_UNUSED)
{
    const Contents *contents = what;
    g_autoptr(GString) line = g_string_new(NULL);
    aft_csv_append_names(line, contents->table);
    fwrite(line->str, 1, line->len, stream);
    for (guint r = 0; r < contents->rows->len && !ferror(stream); r++) {
        g_string_truncate(line, 0);
        aft_csv_append_row(line, contents->table,
                           contents->rows->data + (gsize)r * contents->table->row_bytes);
        fwrite(line->str, 1, line->len, stream);
    }
    return TRUE;
}

gboolean aft_result_write(const AftResult *result, const char *directory, GError **error)
{
    gboolean existed = g_file_test(directory, G_FILE_TEST_IS_DIR);
    if (!aft_result_writable(directory, error)) {
        return FALSE;
    }
    if (g_mkdir_with_parents(directory, 0777) != 0) {
        return aft_file_failed(directory, "cannot make the directory", error);
    }
    g_autofree char *summary = aft_summary_format(result);
    const Contents contents[FILES] = {
        [PHASES] = {aft_phase_table(), result->phases},
        [TRACE] = {aft_trace_table(), result->trace},
        [EVENTS] = {aft_event_table(), result->timeline},
        [LATENCY] = {aft_latency_table(), result->latency},
    };
    AftNewFile files[FILES];
    char *paths[FILES];
    for (guint i = 0; i < FILES; i++) {
        paths[i] = g_build_filename(directory, file_names[i], NULL);
        files[i] = (AftNewFile){paths[i], write_rows, &contents[i]};
    }
    files[SUMMARY] = (AftNewFile){paths[SUMMARY], aft_file_write_text, summary};
    gboolean done = aft_files_place(files, FILES, error);
    if (!done && !existed) {
        g_rmdir(directory);
    }
    for (guint i = 0; i < FILES; i++) {
        g_free(paths[i]);
    }
    return done;
}

/* Returns: (transfer full) (nullable): the text of a file without zero bytes. */
static char *load(const char *path, GError **error)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) file_error = NULL;
    gsize length = 0;
    if (!g_file_get_contents(path, &text, &length, &file_error)) {
        aft_file_failed_by(path, "cannot read", file_error, error);
        return NULL;
    }
    if (strlen(text) != length) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s: is not text: it has a zero byte",
                    path);
        return NULL;
    }
    return g_steal_pointer(&text);
}

static gboolean read_file(AftResult *result, guint file, const char *directory, GError **error)
{
    g_autofree char *path = g_build_filename(directory, file_names[file], NULL);
    if (file == LATENCY && !g_file_test(path, G_FILE_TEST_EXISTS)) {
        return TRUE; /* results from before there were any are whole without */
    }
    g_autofree char *text = load(path, error);
    if (text == NULL) {
        return FALSE;
    }
    switch (file) {
    case SUMMARY:
        return aft_summary_parse(result, text, path, error);
    case PHASES:
        return aft_csv_parse(aft_phase_table(), text, path, result->phases, error);
    case TRACE:
        return aft_csv_parse(aft_trace_table(), text, path, result->trace, error);
    case LATENCY:
        return aft_csv_parse(aft_latency_table(), text, path, result->latency, error);
    default:
        return aft_csv_parse(aft_event_table(), text, path, result->timeline, error);
    }
}

AftResult *aft_result_read(const char *directory, GError **error)
{
    g_autoptr(AftResult) result = aft_result_new();
    for (guint file = 0; file < FILES; file++) {
        if (!read_file(result, file, directory, error)) {
            return NULL;
        }
    }
    return g_steal_pointer(&result);
}
