/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>
#include <aftershock/result/csv.h>
#include <aftershock/result/files.h>
#include <aftershock/result/place.h>
#include <aftershock/result/summary.h>

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* The summary first: taken away first and put in place last, it seals the set. */
enum { SUMMARY, PHASES, TRACE, EVENTS, LATENCY, FILES };

static const char *const file_names[FILES + 1] = {"summary.json", "phases.csv", "trace.csv",
                                                  "events.csv", "latency.csv"};

static gboolean failed(GError **error, const char *path, const char *what)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: %s: %s", path, what, g_strerror(errno));
    return FALSE;
}

static gboolean is_directory_in_the_way(const char *directory, GError **error)
{
    for (guint i = 0; i < FILES; i++) {
        g_autofree char *target = g_build_filename(directory, file_names[i], NULL);
        if (g_file_test(target, G_FILE_TEST_IS_DIR)) {
            g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: is a directory, not a file", target);
            return TRUE;
        }
    }
    return FALSE;
}

/* Returns: (transfer full): @directory, or the nearest above it that is there, be it a link that
 * leads nowhere. */
static char *nearest_there(const char *directory)
{
    char *path = g_canonicalize_filename(directory, NULL);
    while (!g_file_test(path, G_FILE_TEST_EXISTS | G_FILE_TEST_IS_SYMLINK)) { /* the root is */
        g_autofree char *child = path;
        path = g_path_get_dirname(child);
    }
    return path;
}

gboolean aft_result_writable(const char *directory, GError **error)
{
    if (*directory == '\0') {
        g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "results need a directory with a name");
        return FALSE;
    }
    g_autofree char *path = nearest_there(directory);
    if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
        gboolean link = !g_file_test(path, G_FILE_TEST_EXISTS);
        g_set_error(error, AFT_ERROR, AFT_ERROR_FILE,
                    "%s: results need a directory, and %s is a %s", directory, path,
                    link ? "link that leads nowhere" : "file");
        return FALSE;
    }
    if (g_access(path, W_OK | X_OK) != 0) {
        return failed(error, path, "cannot write here");
    }
    return !is_directory_in_the_way(directory, error);
}

const char *const *aft_result_file_names(void)
{
    return file_names;
}

gboolean aft_result_write(const AftResult *result, const char *directory, GError **error)
{
    gboolean existed = g_file_test(directory, G_FILE_TEST_IS_DIR);
    if (!aft_result_writable(directory, error)) {
        return FALSE;
    }
    if (g_mkdir_with_parents(directory, 0777) != 0) {
        return failed(error, directory, "cannot make the directory");
    }
    g_autofree char *summary = aft_summary_format(result);
    AftNewFile files[FILES] = {
        [SUMMARY] = {.data = summary, .length = strlen(summary)},
        [PHASES] = {.table = aft_phase_table(), .rows = result->phases},
        [TRACE] = {.table = aft_trace_table(), .rows = result->trace},
        [EVENTS] = {.table = aft_event_table(), .rows = result->timeline},
        [LATENCY] = {.table = aft_latency_table(), .rows = result->latency},
    };
    char *paths[FILES];
    for (guint i = 0; i < FILES; i++) {
        paths[i] = g_build_filename(directory, file_names[i], NULL);
        files[i].path = paths[i];
    }
    gboolean done = aft_place_files(files, FILES, error);
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
        g_set_error_literal(error, AFT_ERROR, AFT_ERROR_FILE, file_error->message);
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
