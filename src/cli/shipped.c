/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shipped.h"

#include <string.h>

static const struct {
    const char *folder; /* below that of scenarios */
    const char *suffix;
} kinds[] = {
    [AFT_SHIPPED_SCENARIO] = {"", ".yaml"},
    [AFT_SHIPPED_REFERENCE] = {"published", ".yaml"},
    [AFT_SHIPPED_SWEEP] = {"sweeps", ".yaml"},
    [AFT_SHIPPED_TEMPLATE] = {"templates", ".yaml.in"},
};

/* Returns: (transfer full) (nullable): the folder named beside the program. */
static char *folder_of_build_tree(const char *beside)
{
    g_autofree char *note = g_build_filename(beside, "scenarios.path", NULL);
    g_autofree char *folder = NULL;
    if (!g_file_get_contents(note, &folder, NULL, NULL)) {
        return NULL;
    }
    return g_strdup(g_strstrip(folder));
}

/* Returns: (transfer full): where the scenarios should be. */
static char *scenario_folder(void)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *beside = g_path_get_dirname(program != NULL ? program : "");
    g_autofree char *built = folder_of_build_tree(beside);
    if (built != NULL) {
        return g_steal_pointer(&built);
    }
    g_autofree char *moved =
        g_build_filename(beside, "..", "share", "aftershock", "scenarios", NULL);
    if (g_file_test(moved, G_FILE_TEST_IS_DIR)) {
        return g_canonicalize_filename(moved, NULL);
    }
    return g_build_filename(AFT_DATA_FOLDER, "scenarios", NULL);
}

static char *folder_of(AftShipped kind)
{
    g_autofree char *scenarios = scenario_folder();
    return *kinds[kind].folder == '\0' ? g_steal_pointer(&scenarios)
                                       : g_build_filename(scenarios, kinds[kind].folder, NULL);
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

GPtrArray *aft_shipped_names(AftShipped kind)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *folder = folder_of(kind);
    g_autoptr(GDir) directory = g_dir_open(folder, 0, NULL);
    const char *file;
    while (directory != NULL && (file = g_dir_read_name(directory)) != NULL) {
        if (g_str_has_suffix(file, kinds[kind].suffix) && *file != '.') {
            g_ptr_array_add(names, g_strndup(file, strlen(file) - strlen(kinds[kind].suffix)));
        }
    }
    g_ptr_array_sort(names, compare_names);
    return names;
}

char *aft_shipped_path(AftShipped kind, const char *name)
{
    g_autofree char *folder = folder_of(kind);
    g_autofree char *file = g_strconcat(name, kinds[kind].suffix, NULL);
    g_autofree char *path = g_build_filename(folder, file, NULL);
    if (strchr(name, G_DIR_SEPARATOR) != NULL || !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        return NULL;
    }
    return g_steal_pointer(&path);
}
