/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kinds.h"

#include <aftershock/base/file.h>

#include <glib/gstdio.h>

enum { LONGEST_PREFIX = 100 }; /* characters of a label in the name of a file */

/* What a writer of files is handed. */
typedef struct {
    const AftExportFile *file;
    const AftExport *export;
} Draft;

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

/* An AftFileWriter. */
static gboolean write_draft(gconstpointer what, FILE *stream, GError **error G_GNUC_UNUSED)
{
    const Draft *draft = what;
    AftOut out = aft_out(stream);
    draft->file->write(draft->export, &out);
    aft_out_end(&out); /* leaves errno, which is what is asked for */
    return TRUE;
}

static gboolean save_all(const AftExportKind *kind, const AftExport *export, const char *path,
                         GError **error)
{
    g_autofree AftNewFile *files = g_new(AftNewFile, kind->n_files);
    g_autofree Draft *drafts = g_new(Draft, kind->n_files);
    g_autoptr(GPtrArray) targets = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < kind->n_files; i++) {
        char *target = target_of(kind, export, i, path);
        g_ptr_array_add(targets, target);
        drafts[i] = (Draft){&kind->files[i], export};
        files[i] = (AftNewFile){target, write_draft, &drafts[i]};
    }
    return aft_files_place(files, kind->n_files, error);
}

gboolean aft_export_save(const AftExportKind *kind, const AftExport *export, const char *path,
                         GError **error)
{
    gboolean folder = kind->n_files > 1;
    gboolean existed = g_file_test(path, G_FILE_TEST_EXISTS);
    if (folder && g_mkdir_with_parents(path, 0777) != 0) {
        return aft_file_failed(path, "cannot make the folder", error);
    }
    gboolean done = save_all(kind, export, path, error);
    if (folder && !done && !existed) {
        g_rmdir(path);
    }
    return done;
}
