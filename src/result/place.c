/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>
#include <aftershock/result/place.h>

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

enum { CHUNK = 1 << 18 }; /* bytes of a table that are written at a time */

/* One file on its way to its place. */
typedef struct {
    const char *target;
    char *written; /* the complete new file under a passing name; NULL: not there */
    char *aside;   /* where the old file waits; NULL: there was none */
    gboolean placed;
} Passage;

static gboolean failed(GError **error, const char *path, const char *what)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: %s: %s", path, what, g_strerror(errno));
    return FALSE;
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

static char *passing_name(const char *target)
{
    g_autofree char *directory = g_path_get_dirname(target);
    g_autofree char *name = g_path_get_basename(target);
    return g_strdup_printf("%s/.%s.XXXXXX", directory, name);
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

static gboolean write_contents(int fd, const AftNewFile *file)
{
    gboolean fine = file->table != NULL ? write_rows(fd, file->table, file->rows)
                                        : write_all(fd, file->data, file->length);
    return fine && fsync(fd) == 0;
}

static gboolean write_aside(Passage *passage, const AftNewFile *file, GError **error)
{
    g_autofree char *path = passing_name(passage->target);
    int fd = g_mkstemp_full(path, O_WRONLY | O_CLOEXEC, 0666);
    if (fd < 0) {
        return failed(error, passage->target, "cannot create");
    }
    passage->written = g_steal_pointer(&path);
    gboolean complete = write_contents(fd, file);
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

/* One alone takes the place of the old one at once. */
static gboolean place_all(Passage *passages, guint n, GError **error)
{
    for (guint i = 0; n > 1 && i < n; i++) {
        if (!move_old_aside(&passages[i], error)) {
            return FALSE;
        }
    }
    for (guint i = n; i-- > 0;) {
        if (!place(&passages[i], error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Leaves the old set when @done is FALSE, the new one otherwise, and nothing else. */
static void finish(Passage *passages, guint n, gboolean done)
{
    for (guint i = n; i-- > 0;) {
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
    }
}

/* A device or a folder in the place of a file is there for something else. */
static gboolean is_free(const char *path, GError **error)
{
    if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: is %s, not a file", path,
                    g_file_test(path, G_FILE_TEST_IS_DIR) ? "a directory" : "a device or a pipe");
        return FALSE;
    }
    return TRUE;
}

static gboolean write_set(Passage *passages, const AftNewFile *files, guint n, GError **error)
{
    for (guint i = 0; i < n; i++) {
        if (!is_free(files[i].path, error) || !write_aside(&passages[i], &files[i], error)) {
            return FALSE;
        }
    }
    return place_all(passages, n, error);
}

static void sync_directory(const char *path)
{
    g_autofree char *directory = g_path_get_dirname(path);
    int fd = g_open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (fd >= 0) {
        fsync(fd); /* the names; some file systems have no such thing, and lose nothing by it */
        close(fd);
    }
}

gboolean aft_place_files(const AftNewFile *files, guint n, GError **error)
{
    g_autofree Passage *passages = g_new0(Passage, MAX(n, 1));
    for (guint i = 0; i < n; i++) {
        passages[i].target = files[i].path;
    }
    gboolean done = write_set(passages, files, n, error);
    finish(passages, n, done);
    for (guint i = 0; i < n; i++) {
        sync_directory(files[i].path);
    }
    return done;
}
