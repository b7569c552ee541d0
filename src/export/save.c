/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kinds.h"

#include <aftershock/base/error.h>

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LONGEST_PREFIX = 100 }; /* characters of a label in the name of a file */

/* A file on its way to its place. */
typedef struct {
    char *target;
    char *passing; /* where it is until it is complete; NULL: nowhere */
} Draft;

static gboolean failed(const char *path, const char *what, GError **error)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: %s: %s", path, what, g_strerror(errno));
    return FALSE;
}

/* @label as the beginning of a name that no shell and no script of a tool takes for more than that.
 * Returns: (transfer full). */
static char *prefix_of(const char *label)
{
    GString *prefix = g_string_new(NULL);
    for (const char *c = label; c != NULL && *c != '\0' && prefix->len < LONGEST_PREFIX; c++) {
        gboolean plain = g_ascii_isalnum(*c) || (prefix->len > 0 && (*c == '-' || *c == '.'));
        g_string_append_c(prefix, plain ? *c : '_');
    }
    g_string_append(prefix, prefix->len == 0 ? "aftershock" : "");
    return g_string_free(prefix, FALSE);
}

/* Returns: (transfer full). */
static char *target_of(const AftExportKind *kind, const AftExport *export, guint file,
                       const char *path)
{
    if (kind->n_files == 1) {
        return g_strdup(path);
    }
    g_autofree char *prefix = kind->labelled ? prefix_of(export->result->label) : g_strdup("");
    g_autofree char *name = g_strconcat(prefix, kind->files[file].name, NULL);
    return g_build_filename(path, name, NULL);
}

/* Follows links in @target to what they lead to, which has to be a file or nothing yet. */
static gboolean resolve(char **target, GError **error)
{
    char *real = realpath(*target, NULL);
    if (real == NULL) {
        return TRUE;
    }
    g_free(*target);
    *target = g_strdup(real);
    free(real);
    if (!g_file_test(*target, G_FILE_TEST_IS_REGULAR)) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: is not a regular file", *target);
        return FALSE;
    }
    return TRUE;
}

/* Sees the file on its disk, under its passing name. */
static gboolean fill(FILE *stream, const AftExportFile *file, const AftExport *export)
{
    AftOut out = aft_out(stream);
    file->write(export, &out);
    return aft_out_end(&out) && fsync(fileno(stream)) == 0;
}

static gboolean write_draft(Draft *draft, const AftExportFile *file, const AftExport *export,
                            GError **error)
{
    g_autofree char *directory = g_path_get_dirname(draft->target);
    g_autofree char *name = g_path_get_basename(draft->target);
    g_autofree char *passing = g_strdup_printf("%s/.%s.XXXXXX", directory, name);
    int fd = g_mkstemp_full(passing, O_WRONLY | O_CLOEXEC, 0666);
    if (fd < 0) {
        return failed(draft->target, "cannot create", error);
    }
    draft->passing = g_steal_pointer(&passing);
    FILE *stream = fdopen(fd, "w");
    if (stream == NULL) {
        failed(draft->target, "cannot create", error);
        close(fd);
        return FALSE;
    }
    gboolean complete = fill(stream, file, export);
    int failure = errno;
    if (fclose(stream) != 0 && complete) {
        complete = FALSE;
        failure = errno;
    }
    errno = failure;
    return complete || failed(draft->target, "cannot write", error);
}

static gboolean write_drafts(const AftExportKind *kind, const AftExport *export, const char *path,
                             Draft *drafts, GError **error)
{
    for (guint i = 0; i < kind->n_files; i++) {
        drafts[i].target = target_of(kind, export, i, path);
        if (!resolve(&drafts[i].target, error) ||
            !write_draft(&drafts[i], &kind->files[i], export, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean place_drafts(Draft *drafts, guint n, GError **error)
{
    for (guint i = 0; i < n; i++) {
        if (g_rename(drafts[i].passing, drafts[i].target) != 0) {
            return failed(drafts[i].target, "cannot rename into place", error);
        }
        g_clear_pointer(&drafts[i].passing, g_free);
    }
    return TRUE;
}

static void clear_drafts(Draft *drafts, guint n)
{
    for (guint i = 0; i < n; i++) {
        if (drafts[i].passing != NULL) {
            g_unlink(drafts[i].passing);
        }
        g_free(drafts[i].passing);
        g_free(drafts[i].target);
    }
}

gboolean aft_export_save(const AftExportKind *kind, const AftExport *export, const char *path,
                         GError **error)
{
    gboolean folder = kind->n_files > 1;
    gboolean existed = g_file_test(path, G_FILE_TEST_EXISTS);
    if (folder && g_mkdir_with_parents(path, 0777) != 0) {
        return failed(path, "cannot make the folder", error);
    }
    g_autofree Draft *drafts = g_new0(Draft, kind->n_files);
    gboolean done = write_drafts(kind, export, path, drafts, error) &&
                    place_drafts(drafts, kind->n_files, error);
    clear_drafts(drafts, kind->n_files);
    if (folder && !done && !existed) {
        g_rmdir(path);
    }
    return done;
}
