/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.h - files for tests of imports, and what must be true of what comes out. */
#pragma once

#include "test.h"

#include <aftershock/import/import.h>
#include <aftershock/loader/loader.h>
#include <aftershock/loader/reference.h>

#include <glib/gstdio.h>

/** What a scenario needs beside the part that was imported. */
#define BED                                                                          \
    "version: 1\n"                                                                   \
    "cluster: {nodes: 4, node: {disk_groups: {capacity: {device: %s, count: 4}}}}\n" \
    "data: {logical: 1 TB, protection: rf2}\n"

static inline AftImportOptions usual(void)
{
    return (AftImportOptions){.phase = AFT_PHASE_STEADY};
}

/** Imports the files at @paths (NULL-terminated). @ret_remarks (nullable) is (transfer full): a
 *  line each. Returns: (transfer full) (nullable). */
static inline char *import_files(const char *kind, const char *const *paths,
                                 const AftImportOptions *options, char **ret_remarks,
                                 GError **error)
{
    g_autoptr(GPtrArray) remarks = g_ptr_array_new_with_free_func(g_free);
    assert_non_null(aft_import_find(kind));
    char *text = aft_import(aft_import_find(kind), paths, options, remarks, error);
    if (ret_remarks != NULL) {
        g_ptr_array_add(remarks, NULL);
        *ret_remarks = g_strjoinv("\n", (char **)remarks->pdata);
    }
    return text;
}

/** The same of a file that is shipped with the tests. */
static inline char *import_file(const char *kind, const char *name, const AftImportOptions *options,
                                char **ret_remarks)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = g_build_filename(FILES, name, NULL);
    const char *paths[] = {path, NULL};
    char *text = import_files(kind, paths, options, ret_remarks, &error);
    if (error != NULL) {
        print_error("%s\n", error->message);
    }
    assert_non_null(text);
    return text;
}

/** The same of a text of @length bytes, as a file of its own; its folder is not in messages. */
static inline char *import_bytes(const char *kind, const char *data, gssize length,
                                 const AftImportOptions *options, GError **error)
{
    g_autofree char *folder = g_dir_make_tmp("aft-import-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "f", NULL);
    const char *paths[] = {path, NULL};
    assert_true(g_file_set_contents(path, data, length, NULL));
    char *text = import_files(kind, paths, options, NULL, error);
    g_unlink(path);
    g_rmdir(folder);
    return text;
}

/** Holds that @text cannot be imported, with @code and @part of a message. */
static inline void assert_refused(const char *kind, const char *text, int code_of_error,
                                  const char *part)
{
    g_autoptr(GError) error = NULL;
    AftImportOptions options = usual();
    g_autofree char *out = import_bytes(kind, text, -1, &options, &error);
    assert_null(out);
    assert_error(error, code_of_error, part);
}

/** Reads @yaml as the loader does. Returns: (transfer full): never NULL. */
static inline AftReference *reference_of(const char *yaml)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    AftReference *reference =
        aft_loader_load_reference_text("r.yaml", yaml, strlen(yaml), messages, &error);
    for (guint i = 0; i < messages->len; i++) {
        print_error("%s\n", (const char *)messages->pdata[i]);
    }
    assert_non_null(reference);
    assert_int_equal(messages->len, 0);
    return reference;
}

/** The value of a cell, in base units; NaN: there is none. */
static inline double cell_of(const AftReference *reference, const char *label, const char *metric)
{
    for (guint i = 0; i < reference->cells->len; i++) {
        const AftReferenceCell *cell = g_ptr_array_index(reference->cells, i);
        if (g_str_equal(cell->label, label) && g_str_equal(cell->metric->name, metric)) {
            return cell->value;
        }
    }
    return (double)NAN;
}

/** Reads a scenario with @part in it and nodes of @device. Returns: (transfer full): never NULL. */
static inline AftScenario *scenario_with(const char *part, const char *device)
{
    g_autofree char *bed = g_strdup_printf(BED, device);
    g_autofree char *yaml = g_strconcat(bed, part, NULL);
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    AftScenario *scenario =
        aft_loader_load_text("s.yaml", yaml, strlen(yaml), NULL, messages, &error);
    for (guint i = 0; i < messages->len; i++) {
        print_error("%s\n", (const char *)messages->pdata[i]);
    }
    assert_non_null(scenario);
    assert_int_equal(messages->len, 0);
    return scenario;
}
