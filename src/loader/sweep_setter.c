/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario_target.h"
#include "sweep_reading.h"

#include <aftershock/loader/sweep.h>

#include <string.h>

static gboolean setting_sets(const char *setting, const char *full)
{
    g_autofree char *path = g_strndup(setting, strcspn(setting, "="));
    g_autofree char *meant = aft_scenario_full_path(path);
    return aft_sweep_takes_away(meant, full);
}

static gboolean value_sets(const AftAxisValue *value, const char *full)
{
    gboolean sets = FALSE;
    for (char **setting = value->settings; !sets && *setting != NULL; setting++) {
        sets = setting_sets(*setting, full);
    }
    return sets;
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
    return axis->values->len > 0 ? all_set(axis->values, full) : setting_sets(axis->path, full);
}

const char *aft_loader_sweep_setter(const AftSweep *sweep, const char *path)
{
    g_autofree char *full = aft_scenario_full_path(path);
    for (guint i = 0; i < sweep->axes->len; i++) {
        const AftAxis *axis = g_ptr_array_index(sweep->axes, i);
        if (axis_sets(axis, full)) {
            return axis->path;
        }
    }
    gboolean listed = sweep->design == AFT_DESIGN_LIST && all_set(sweep->points, full);
    return listed                                                         ? "points"
           : sweep->seeded && g_str_equal(full, "run.seed")               ? "seed"
           : sweep->fidelity != NULL && g_str_equal(full, "run.fidelity") ? "fidelity"
                                                                          : NULL;
}
