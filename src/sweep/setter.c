/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paths.h"

#include <aftershock/sweep/sweep.h>

#include <string.h>

static gboolean value_sets(const AftAxisValue *value, const char *full)
{
    for (char **setting = value->settings; *setting != NULL; setting++) {
        g_autofree char *path = g_strndup(*setting, strcspn(*setting, "="));
        g_autofree char *meant = aft_path_meant(path);
        if (g_str_equal(meant, full)) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean all_set(const GPtrArray *values, const char *full)
{
    gboolean all = values->len > 0;
    for (guint i = 0; all && i < values->len; i++) {
        all = value_sets(g_ptr_array_index(values, i), full);
    }
    return all;
}

/* Along a distribution it is the axis' own key that is set. */
static gboolean axis_sets(const AftAxis *axis, const char *full)
{
    g_autofree char *path = aft_path_meant(axis->path);
    return axis->values->len > 0 ? all_set(axis->values, full) : g_str_equal(path, full);
}

const char *aft_sweep_setter(const AftSweep *sweep, const char *path)
{
    g_autofree char *full = aft_path_meant(path);
    for (guint i = 0; i < sweep->axes->len; i++) {
        const AftAxis *axis = g_ptr_array_index(sweep->axes, i);
        if (axis_sets(axis, full)) {
            return axis->path;
        }
    }
    gboolean listed = sweep->design == AFT_DESIGN_LIST && all_set(sweep->points, full);
    return listed ? "points" : NULL;
}
