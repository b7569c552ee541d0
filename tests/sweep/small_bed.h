/* SPDX-License-Identifier: GPL-3.0-or-later */
/* small_bed.h - scenarios of a few hundred I/Os a second for tests, made anew from settings by any
 * thread. */
#pragma once

#include "test.h"

#include <aftershock/scenario/scenario.h>

/** What `make` is called with. */
typedef struct {
    const char *const *settings; /* "path=value", NULL-terminated */
} Bed;

static inline void set_each(AftScenario *scenario, const char *const *settings, GPtrArray *problems)
{
    for (guint i = 0; settings[i] != NULL; i++) {
        const char *equals = strchr(settings[i], '=');
        g_autofree char *path = g_strndup(settings[i], (gsize)(equals - settings[i]));
        aft_scenario_set(scenario, path, equals + 1, problems);
    }
}

/** @base, then @more, resolved. Returns: (transfer full) (nullable): NULL with AFT_ERROR_RANGE. */
static inline AftScenario *bed_make(const char *const *base, const char *const *more,
                                    GError **error)
{
    g_autoptr(GPtrArray) problems = aft_problems_new();
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    set_each(scenario, base, problems);
    set_each(scenario, more, problems);
    if (!aft_scenario_resolve(scenario, problems)) {
        const AftProblem *problem = g_ptr_array_index(problems, 0);
        g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE, "%s: %s", problem->path, problem->message);
        return NULL;
    }
    return g_steal_pointer(&scenario);
}
