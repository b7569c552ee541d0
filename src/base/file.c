/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>
#include <aftershock/base/file.h>

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CANNOT_CREATE "cannot create"

enum { MOST_OF_NAME = 200 }; /* bytes, of 255 that there may be */

/* One file on its way to its place. */
typedef struct {
    char *target;
    char *written; /* the complete new file under a passing name; NULL: not there */
    char *aside;   /* where the old file waits; NULL: there was none */
    gboolean placed;
} Passage;

gboolean aft_file_failed(const char *path, const char *what, GError **error)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: %s: %s", path, what, g_strerror(errno));
    return FALSE;
}

gboolean aft_file_failed_by(const char *path, const char *what, const GError *cause, GError **error)
{
    const char *colon = g_strrstr(cause->message, ": "); /* before it, GLib quotes the path */
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: %s: %s", path, what,
                colon != NULL ? colon + 2 : cause->message);
    return FALSE;
}

gboolean aft_file_write_text(gconstpointer text, FILE *stream, GError **error G_GNUC_UNUSED)
{
    fwrite(text, 1, strlen(text), stream);
    return TRUE;
}

gboolean aft_file_write_bytes(gconstpointer bytes, FILE *stream, GError **error G_GNUC_UNUSED)
{
    gsize length;
    gconstpointer data = g_bytes_get_data((GBytes *)bytes, &length);
    fwrite(data, 1, length, stream);
    return TRUE;
}

/* Where @path leads by links of its folder and its own, be it there or not. Returns: (transfer
 * full). */
static char *resolve(const char *path)
{
    g_autofree char *directory = g_path_get_dirname(path);
    g_autofree char *name = g_path_get_basename(path);
    char *real = realpath(path, NULL);
    char *folder = real == NULL ? realpath(directory, NULL) : NULL;
    char *target = real != NULL     ? g_strdup(real)
                   : folder != NULL ? g_build_filename(folder, name, NULL)
                                    : g_strdup(path);
    free(real);
    free(folder);
    return target;
}

/* What there is at @path in the place of a file, for something else. Returns: (nullable). */
static const char *in_the_way(const char *path)
{
    struct stat it;
    if (stat(path, &it) != 0) {
        return lstat(path, &it) == 0 && S_ISLNK(it.st_mode) ? "a link that leads nowhere" : NULL;
    }
    return S_ISREG(it.st_mode) ? NULL : S_ISDIR(it.st_mode) ? "a directory" : "a device or a pipe";
}

/* Returns: (transfer full) (nullable): what is to be replaced by the file for @path. */
static char *target_of(const char *path, GError **error)
{
    const char *what = in_the_way(path);
    if (what != NULL) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: is %s, not a file", path, what);
        return NULL;
    }
    return resolve(path);
}

/* An empty file, called @path, from where on that is. Returns: (nullable): NULL with errno. */
static FILE *open_new(char *path)
{
    int fd = g_mkstemp_full(path, O_WRONLY | O_CLOEXEC, 0666);
    FILE *stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (fd >= 0 && stream == NULL) {
        int cause = errno;
        close(fd);
        g_unlink(path);
        errno = cause;
    }
    return stream;
}

/* Who may read and write the file that was there may do so with the new one. */
static void keep_mode(FILE *stream, const char *target)
{
    struct stat old;
    if (stat(target, &old) == 0) {
        fchmod(fileno(stream), old.st_mode & 0777); /* some file systems have no such thing */
    }
}

/* Returns: (nullable): an empty file beside @target, called @ret_path (transfer full) for now. */
static FILE *open_beside(const char *target, char **ret_path)
{
    g_autofree char *directory = g_path_get_dirname(target);
    g_autofree char *name = g_path_get_basename(target);
    g_autofree char *path = g_strdup_printf("%s/.%.*s.XXXXXX", directory, MOST_OF_NAME, name);
    FILE *stream = open_new(path);
    if (stream != NULL) {
        keep_mode(stream, target);
        *ret_path = g_steal_pointer(&path);
    }
    return stream;
}

/* Sees all that @stream was given on its disk. Returns: FALSE with errno. */
static gboolean settle(FILE *stream)
{
    return !ferror(stream) && fflush(stream) == 0 && fsync(fileno(stream)) == 0;
}

static gboolean write_beside(Passage *passage, const AftNewFile *file, GError **error)
{
    FILE *stream = open_beside(passage->target, &passage->written);
    if (stream == NULL) {
        return aft_file_failed(file->path, CANNOT_CREATE, error);
    }
    gboolean told = file->write(file->what, stream, error);
    gboolean settled = told && settle(stream);
    int cause = errno;
    if (!told && ferror(stream)) {
        g_prefix_error(error, "%s: ", file->path);
    }
    if (fclose(stream) != 0 && settled) {
        settled = FALSE;
        cause = errno;
    }
    errno = cause;
    return settled || (told && aft_file_failed(file->path, "cannot write", error));
}

static gboolean move_old_aside(Passage *passage, GError **error)
{
    g_autofree char *aside = g_strconcat(passage->written, ".old", NULL);
    if (g_rename(passage->target, aside) != 0) {
        return errno == ENOENT || aft_file_failed(passage->target, "cannot replace", error);
    }
    passage->aside = g_steal_pointer(&aside);
    return TRUE;
}

static gboolean place(Passage *passage, GError **error)
{
    if (g_rename(passage->written, passage->target) != 0) {
        return aft_file_failed(passage->target, "cannot rename into place", error);
    }
    g_clear_pointer(&passage->written, g_free);
    passage->placed = TRUE;
    return TRUE;
}

/* Sees the name of the file at @path on its disk. */
static void sync_name(const char *path)
{
    g_autofree char *directory = g_path_get_dirname(path);
    int fd = g_open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (fd >= 0) {
        fsync(fd); /* some file systems have no such thing, and lose nothing by it */
        close(fd);
    }
}

/* One alone takes the place of the old one at once. Of several, the first is away on disk before
 * the others come, and these are there before it is. */
static gboolean place_all(Passage *passages, guint n, GError **error)
{
    for (guint i = 0; n > 1 && i < n; i++) {
        if (!move_old_aside(&passages[i], error)) {
            return FALSE;
        }
        sync_name(passages[i].target);
    }
    for (guint i = n; i-- > 0;) {
        if (!place(&passages[i], error)) {
            return FALSE;
        }
        sync_name(passages[i].target);
    }
    return TRUE;
}

/* Of one place, only one can be taken. */
static gboolean is_taken(const Passage *passages, guint i, const char *path, GError **error)
{
    for (guint before = 0; before < i; before++) {
        if (g_str_equal(passages[before].target, passages[i].target)) {
            g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: is the place of two files", path);
            return TRUE;
        }
    }
    return FALSE;
}

/* Finds the target of the file at @path, the @i-th of the set. */
static gboolean claim(Passage *passages, guint i, const char *path, GError **error)
{
    passages[i].target = target_of(path, error);
    return passages[i].target != NULL && !is_taken(passages, i, path, error);
}

static gboolean write_set(Passage *passages, const AftNewFile *files, guint n, GError **error)
{
    for (guint i = 0; i < n; i++) {
        if (!claim(passages, i, files[i].path, error) ||
            !write_beside(&passages[i], &files[i], error)) {
            return FALSE;
        }
    }
    return place_all(passages, n, error);
}

/* Puts the old file back; @error, which is set, tells where it is if it cannot. */
static void put_back(Passage *passage, GError **error)
{
    if (passage->placed && passage->aside == NULL) {
        g_unlink(passage->target);
    }
    if (passage->aside != NULL && g_rename(passage->aside, passage->target) != 0) {
        g_prefix_error(error, "%s: what was there is now %s: ", passage->target, passage->aside);
    }
}

/* Leaves the old set when @done is FALSE, the new one otherwise, and nothing else. */
static void finish(Passage *passages, guint n, gboolean done, GError **error)
{
    for (guint i = n; i-- > 0;) {
        Passage *passage = &passages[i];
        if (passage->written != NULL) {
            g_unlink(passage->written);
        }
        if (!done) {
            put_back(passage, error);
        } else if (passage->aside != NULL) {
            g_unlink(passage->aside);
        }
    }
}

static void passages_free(Passage *passages, guint n)
{
    for (guint i = 0; i < n; i++) {
        g_free(passages[i].target);
        g_free(passages[i].written);
        g_free(passages[i].aside);
    }
    g_free(passages);
}

/* What would end the process comes when all files are in their places. Returns: the mask to go back
 * to. */
static sigset_t hold_signals(void)
{
    sigset_t held, before;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &held, &before);
    return before;
}

gboolean aft_files_place(const AftNewFile *files, guint n, GError **error)
{
    Passage *passages = g_new0(Passage, MAX(n, 1));
    sigset_t before = hold_signals();
    gboolean done = write_set(passages, files, n, error);
    finish(passages, n, done, error);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    passages_free(passages, n);
    return done;
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

static gboolean is_folder_writable(const char *directory, GError **error)
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
    return g_access(path, W_OK | X_OK) == 0 || aft_file_failed(path, "cannot write here", error);
}

/* Whether there may be another file beside @target, which @path leads to, maybe elsewhere. */
static gboolean may_create_beside(const char *target, const char *path, GError **error)
{
    g_autofree char *directory = g_path_get_dirname(target);
    return g_access(directory, W_OK | X_OK) == 0 || aft_file_failed(path, CANNOT_CREATE, error);
}

static gboolean may_place(Passage *passages, const char *directory, const char *const *names,
                          GError **error)
{
    gboolean fine = TRUE;
    for (guint i = 0; fine && names[i] != NULL; i++) {
        g_autofree char *path = g_build_filename(directory, names[i], NULL);
        fine =
            claim(passages, i, path, error) && may_create_beside(passages[i].target, path, error);
    }
    return fine;
}

gboolean aft_files_placeable(const char *directory, const char *const *names, GError **error)
{
    if (!is_folder_writable(directory, error)) {
        return FALSE;
    }
    if (!g_file_test(directory, G_FILE_TEST_IS_DIR)) {
        return TRUE; /* nothing is in the way in one that is yet to be made */
    }
    guint n = g_strv_length((char **)names);
    Passage *passages = g_new0(Passage, MAX(n, 1));
    gboolean fine = may_place(passages, directory, names, error);
    passages_free(passages, n);
    return fine;
}

static gboolean appear(const Passage *passage, GError **error)
{
    if (link(passage->written, passage->target) == 0) {
        return TRUE;
    }
    if (errno == EEXIST) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_CONFLICT, "%s is there already, and stays as it is",
                    passage->target);
        return FALSE;
    }
    return aft_file_failed(passage->target, CANNOT_CREATE, error);
}

gboolean aft_file_place_new(const char *path, const char *text, GError **error)
{
    const AftNewFile file = {path, aft_file_write_text, text};
    Passage *passage = g_new0(Passage, 1);
    passage->target = g_strdup(path);
    gboolean done = write_beside(passage, &file, error) && appear(passage, error);
    if (passage->written != NULL) {
        g_unlink(passage->written);
    }
    if (done) {
        sync_name(path);
    }
    passages_free(passage, 1);
    return done;
}

gboolean aft_file_place_text(const char *path, const char *text, GError **error)
{
    const AftNewFile file = {path, aft_file_write_text, text};
    return aft_files_place(&file, 1, error);
}
