/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of X-Ray, whose engine is curie: test.yml, and job files of fio beside it. */
#include "kinds.h"
#include "text.h"
#include "xray_nodes.h"
#include "xray_walk.h"

#include <aftershock/base/error.h>

#include <string.h>

enum { NODES = 4 /* unless told otherwise */ };

/* The file that a folder's scenario is in. Returns: (transfer full). */
static char *file_of(const char *path)
{
    static const char *const names[] = {"test.yml", "test.yaml"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *file = g_build_filename(path, names[i], NULL);
        if (g_file_test(file, G_FILE_TEST_EXISTS)) {
            return g_steal_pointer(&file);
        }
    }
    return g_file_test(path, G_FILE_TEST_IS_DIR) ? g_build_filename(path, names[0], NULL)
                                                 : g_strdup(path);
}

/* "X (Y)", from name and display_name. */
static gboolean append_title(const AftXrayFile *file, GString *yaml, GError **error)
{
    g_autofree char *name = NULL, *shown = NULL;
    if (!aft_xray_text(file, file->top, "name", &name, error) ||
        !aft_xray_text(file, file->top, "display_name", &shown, error)) {
        return FALSE;
    }
    if (name == NULL) {
        return aft_xray_fail(file, file->top, error, "expected a name: is this a test of X-Ray?");
    }
    aft_text_comment(yaml, 0, "From X-Ray, %s: put this into a scenario.",
                     shown != NULL ? shown : name);
    return TRUE;
}

/* The variables, whose values by default were taken. */
static void append_variables(const AftXrayFile *file, GString *yaml)
{
    const AftYaml *variables = aft_yaml_member(file->top, "vars");
    for (guint i = 0; variables != NULL && variables->keys != NULL && i < variables->keys->len;
         i++) {
        const AftYaml *key = g_ptr_array_index(variables->keys, i);
        const AftYaml *value = aft_yaml_member(g_ptr_array_index(variables->items, i), "default");
        if (value != NULL && value->kind == AFT_YAML_VALUE && !aft_xray_has_template(value->text)) {
            aft_text_comment(yaml, 0, "%s is %s, as by default", key->text, value->text);
        }
    }
}

static gboolean convert(const AftXrayFile *file, const char *folder, guint n_nodes, GString *yaml,
                        GPtrArray *remarks, GError **error)
{
    g_autoptr(GString) workloads = g_string_new(NULL);
    g_autoptr(AftFioJobs) jobs = aft_fio_jobs_new(workloads, remarks);
    g_autoptr(AftXrayWalk) walk = aft_xray_walk_new(file, folder, n_nodes, jobs);
    if (!append_title(file, yaml, error)) {
        return FALSE;
    }
    append_variables(file, yaml);
    aft_text_comment(yaml, 0, "The cluster is not told there; machines and steps are for %u nodes.",
                     n_nodes);
    aft_xray_walk_leave_out(walk, "presteps", "are before the run");
    aft_xray_walk_leave_out(walk, "setup", "is before the run");
    if (!aft_xray_walk_run(walk, error)) {
        return FALSE;
    }
    aft_xray_walk_leave_out(walk, "teardown", "is after the run");
    g_string_append_printf(yaml, "%s%s", workloads->len > 0 ? "workload:\n" : "", workloads->str);
    aft_xray_walk_write(walk, yaml);
    return TRUE;
}

char *aft_import_xray(const char *const *files, const AftImportOptions *options, GPtrArray *remarks,
                      GError **error)
{
    char *path = file_of(files[0]);
    g_autofree char *folder = g_path_get_dirname(path);
    g_autoptr(GString) yaml = g_string_new(NULL);
    g_auto(AftXrayFile) file = {0};
    guint n_nodes = options->nodes > 0 ? options->nodes : NODES;
    if (n_nodes > AFT_XRAY_MOST_NODES) {
        g_free(path);
        g_set_error(error, AFT_ERROR, AFT_ERROR_CONFLICT, "expected at most %d nodes",
                    AFT_XRAY_MOST_NODES);
        return NULL;
    }
    if (!aft_xray_file_read(&file, path, error) ||
        !convert(&file, folder, n_nodes, yaml, remarks, error)) {
        return NULL;
    }
    if (options->nodes == 0) {
        aft_text_remark(remarks, "%s: taken to be for %u nodes; --nodes says how many there are",
                        file.path, n_nodes);
    }
    return g_string_free(g_steal_pointer(&yaml), FALSE);
}
