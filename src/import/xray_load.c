/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "xray_load.h"

#include "job_file.h"
#include "text.h"
#include "xray_nodes.h"

#include <aftershock/scenario/nearest.h>

#include <math.h>
#include <string.h>

enum { MOST_MACHINES = 100000 };

void aft_xray_load_free(AftXrayLoad *load)
{
    g_free(load->name);
    g_free(load);
}

static gboolean fail_name(const AftXrayFile *file, const AftYaml *at, const char *section,
                          const char *name, GPtrArray *names, GError **error)
{
    const char *meant = aft_nearest(name, (const char *const *)names->pdata, names->len);
    return aft_xray_fail(file, at, error, "there is no \"%s\" in %s%s%s%s", name, section,
                         meant != NULL ? "; did you mean " : "", meant != NULL ? meant : "",
                         meant != NULL ? "?" : "");
}

/* What the list @section, of maps of one key, says of @name. Returns: (transfer none) (nullable):
 * NULL with the error at @at. */
static const AftYaml *find_named(const AftXrayFile *file, const AftYaml *at, const char *section,
                                 const char *name, GError **error)
{
    const AftYaml *list = aft_yaml_member(file->top, section);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; list != NULL && list->kind == AFT_YAML_LIST && i < list->items->len; i++) {
        const AftYaml *item = g_ptr_array_index(list->items, i);
        for (guint k = 0; item->kind == AFT_YAML_MAP && k < item->keys->len; k++) {
            const AftYaml *key = g_ptr_array_index(item->keys, k);
            if (strcmp(key->text, name) == 0) {
                return g_ptr_array_index(item->items, k);
            }
            g_ptr_array_add(names, key->text);
        }
    }
    fail_name(file, at, section, name, names, error);
    return NULL;
}

static gboolean need_text(const AftXrayFile *file, const AftYaml *map, const char *key,
                          char **ret_text, GError **error)
{
    return aft_xray_text(file, map, key, ret_text, error) &&
           (*ret_text != NULL || aft_xray_fail(file, map, error, "expected a %s", key));
}

/* The nodes that @group is on. @ret_on (nullable): "0,2", NULL: all. */
static gboolean read_nodes(const AftXrayFile *file, const AftYaml *group, guint n_nodes,
                           guint *ret_n, char **ret_on, GError **error)
{
    g_autofree char *text = NULL;
    gboolean chosen[AFT_XRAY_MOST_NODES];
    if (!aft_xray_text(file, group, "nodes", &text, error)) {
        return FALSE;
    }
    g_autofree char *problem = aft_xray_nodes(text != NULL ? text : "all", n_nodes, chosen);
    if (problem != NULL) {
        return aft_xray_fail(file, aft_yaml_member(group, "nodes"), error, "nodes: %s", problem);
    }
    GString *on = g_string_new(NULL);
    *ret_n = 0;
    for (guint i = 0; i < n_nodes; i++) {
        if (chosen[i]) {
            g_string_append_printf(on, "%s%u", *ret_n > 0 ? "," : "", i);
            (*ret_n)++;
        }
    }
    *ret_on = g_string_free(on, *ret_n == n_nodes);
    return *ret_n > 0 || aft_xray_fail(file, group, error, "nodes: are none of %u", n_nodes);
}

static gboolean read_group(const AftXrayFile *file, const AftYaml *group, guint n_nodes,
                           guint *ret_machines, char **ret_on, GError **error)
{
    double each = NAN, all = NAN;
    guint n = 0;
    if (!aft_xray_number(file, group, "count_per_node", MOST_MACHINES, &each, error) ||
        !aft_xray_number(file, group, "count_per_cluster", MOST_MACHINES, &all, error) ||
        !read_nodes(file, group, n_nodes, &n, ret_on, error)) {
        return FALSE;
    }
    double machines = !isnan(all) ? all : each * n;
    if (!(machines >= 1.0 && machines == floor(machines))) {
        return aft_xray_fail(file, group, error,
                             "expected a whole count_per_node, or count_per_cluster, of 1 or more");
    }
    *ret_machines = (guint)machines;
    return TRUE;
}

/* No name leads out of the folder; links in it may. Returns: (transfer full) (nullable). */
static char *job_path(const AftXrayFile *file, const AftYaml *definition, const char *folder,
                      GError **error)
{
    g_autofree char *name = NULL;
    if (!need_text(file, definition, "config_file", &name, error)) {
        return NULL;
    }
    g_auto(GStrv) parts = g_strsplit(name, "/", -1);
    if (*name == '/' || g_strv_contains((const char *const *)parts, "..")) {
        aft_xray_fail(file, aft_yaml_member(definition, "config_file"), error,
                      "config_file: expected a file in the folder, got \"%s\"", name);
        return NULL;
    }
    return g_build_filename(folder, name, NULL);
}

/* How many sections, as they are named apart when there are several. */
static gboolean count_section(const AftJobSection *section G_GNUC_UNUSED, gpointer data,
                              GError **error G_GNUC_UNUSED)
{
    ++*(guint *)data;
    return TRUE;
}

static gboolean add_jobs(AftXrayLoad *load, const char *path, guint machines, const char *on,
                         AftFioJobs *jobs, GError **error)
{
    guint sections = 0;
    if (!aft_job_file_read(path, count_section, &sections, error)) {
        return FALSE;
    }
    AftFioUse use = {load->name, sections > 1, on, machines};
    load->first = jobs->ordered->len;
    gboolean fine = aft_fio_jobs_add(jobs, path, &use, error);
    load->n = jobs->ordered->len - load->first;
    load->runtime_s = jobs->runtime_s;
    return fine;
}

AftXrayLoad *aft_xray_load_new(const AftXrayFile *file, const AftYaml *at, const char *name,
                               const char *folder, guint n_nodes, AftFioJobs *jobs, GError **error)
{
    g_autofree char *group_name = NULL, *on = NULL, *path = NULL;
    guint machines = 0;
    const AftYaml *definition = find_named(file, at, "workloads", name, error);
    if (definition == NULL || !need_text(file, definition, "vm_group", &group_name, error)) {
        return NULL;
    }
    const AftYaml *group = find_named(file, definition, "vms", group_name, error);
    if (group == NULL || !read_group(file, group, n_nodes, &machines, &on, error) ||
        (path = job_path(file, definition, folder, error)) == NULL) {
        return NULL;
    }
    AftXrayLoad *load = g_new0(AftXrayLoad, 1);
    load->name = g_strdup(name);
    aft_text_comment(jobs->yaml, 2, "%s: %u machines of group %s", name, machines, group_name);
    if (!add_jobs(load, path, machines, on, jobs, error)) {
        g_clear_pointer(&load, aft_xray_load_free);
    }
    return load;
}
