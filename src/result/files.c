/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>
#include <aftershock/result/csv.h>
#include <aftershock/result/files.h>
#include <aftershock/result/summary.h>

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* The summary first: taken away first and put in place last, it seals the set. */
enum { SUMMARY, PHASES, TRACE, EVENTS, FILES };

static const char *const file_names[FILES] = {"summary.json", "phases.csv", "trace.csv",
                                              "events.csv"};

enum { CHUNK = 1 << 18 }; /* bytes of a table that are written at a time */

/* One file on its way into the directory. */
typedef struct {
    const AftTable *table; /* (nullable): its rows make the file */
    const GArray *rows;
    char *text; /* without a table */
    char *target;
    char *written; /* the complete new file under a passing name; NULL: not there */
    char *aside;   /* where the old file waits; NULL: there was none */
    gboolean placed;
} Passage;

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

static gboolean write_all(int fd, const char *data, gsize length)
{
    while (length > 0) {
        gssize n = write(fd, data, length);
        if (n < 0 && errno != EINTR) {
            return FALSE;
        }
        data += MAX(n, 0);
        length -= (gsize)MAX(n, 0);
    }
    return TRUE;
}

/* A trace may be far longer than there should be memory for its text. */
static gboolean write_rows(int fd, const AftTable *table, const GArray *rows)
{
    g_autoptr(GString) chunk = g_string_sized_new(CHUNK);
    gboolean fine = TRUE;
    aft_csv_append_names(chunk, table);
    for (guint r = 0; fine && r < rows->len; r++) {
        aft_csv_append_row(chunk, table, rows->data + (gsize)r * table->row_bytes);
        if (chunk->len >= CHUNK) {
            fine = write_all(fd, chunk->str, chunk->len);
            g_string_truncate(chunk, 0);
        }
    }
    return fine && write_all(fd, chunk->str, chunk->len);
}

static gboolean write_contents(int fd, const Passage *passage)
{
    gboolean fine = passage->table != NULL ? write_rows(fd, passage->table, passage->rows)
                                           : write_all(fd, passage->text, strlen(passage->text));
    return fine && fsync(fd) == 0;
}

static char *passing_name(const char *target)
{
    g_autofree char *directory = g_path_get_dirname(target);
    g_autofree char *name = g_path_get_basename(target);
    return g_strdup_printf("%s/.%s.XXXXXX", directory, name);
}

static gboolean write_aside(Passage *passage, GError **error)
{
    g_autofree char *path = passing_name(passage->target);
    int fd = g_mkstemp_full(path, O_WRONLY | O_CLOEXEC, 0666);
    if (fd < 0) {
        return failed(error, passage->target, "cannot create");
    }
    passage->written = g_steal_pointer(&path);
    gboolean complete = write_contents(fd, passage);
    int write_errno = errno;
    close(fd);
    errno = write_errno;
    return complete || failed(error, passage->target, "cannot write");
}

static gboolean move_old_aside(Passage *passage, GError **error)
{
    if (!g_file_test(passage->target, G_FILE_TEST_EXISTS | G_FILE_TEST_IS_SYMLINK)) {
        return TRUE;
    }
    g_autofree char *aside = g_strconcat(passage->written, ".old", NULL);
    if (g_rename(passage->target, aside) != 0) {
        return failed(error, passage->target, "cannot replace");
    }
    passage->aside = g_steal_pointer(&aside);
    return TRUE;
}

static gboolean place(Passage *passage, GError **error)
{
    if (g_rename(passage->written, passage->target) != 0) {
        return failed(error, passage->target, "cannot rename into place");
    }
    g_clear_pointer(&passage->written, g_free);
    passage->placed = TRUE;
    return TRUE;
}

static gboolean place_all(Passage *passages, GError **error)
{
    for (guint i = 0; i < FILES; i++) {
        if (!move_old_aside(&passages[i], error)) {
            return FALSE;
        }
    }
    for (guint i = FILES; i-- > 0;) {
        if (!place(&passages[i], error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Leaves the old set when @done is FALSE, the new one otherwise, and nothing else. */
static void finish(Passage *passages, gboolean done)
{
    for (guint i = FILES; i-- > 0;) {
        Passage *passage = &passages[i];
        if (passage->written != NULL) {
            g_unlink(passage->written);
        }
        if (!done && passage->placed) {
            g_unlink(passage->target);
        }
        if (passage->aside != NULL && done) {
            g_unlink(passage->aside);
        } else if (passage->aside != NULL) {
            g_rename(passage->aside, passage->target);
        }
        g_free(passage->written);
        g_free(passage->aside);
        g_free(passage->target);
        g_free(passage->text);
    }
}

static gboolean write_set(Passage *passages, GError **error)
{
    for (guint i = 0; i < FILES; i++) {
        if (!write_aside(&passages[i], error)) {
            return FALSE;
        }
    }
    return place_all(passages, error);
}

static void sync_directory(const char *directory)
{
    int fd = g_open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (fd >= 0) {
        fsync(fd); /* the names; some file systems have no such thing, and lose nothing by it */
        close(fd);
    }
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
    Passage passages[FILES] = {
        [SUMMARY] = {.text = aft_summary_format(result)},
        [PHASES] = {.table = aft_phase_table(), .rows = result->phases},
        [TRACE] = {.table = aft_trace_table(), .rows = result->trace},
        [EVENTS] = {.table = aft_event_table(), .rows = result->timeline},
    };
    for (guint i = 0; i < FILES; i++) {
        passages[i].target = g_build_filename(directory, file_names[i], NULL);
    }
    gboolean done = write_set(passages, error);
    finish(passages, done);
    sync_directory(directory);
    if (!done && !existed) {
        g_rmdir(directory);
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
