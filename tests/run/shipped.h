/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shipped.h - the scenarios that come with the program, for tests of what their comments promise.
 * Intervals are of 99.9 %: of dozens of figures, some would be out of a 95 % interval. */
#pragma once

#include "experiment.h"

#include <aftershock/loader/loader.h>

/** The scenario @name, "01-one-disk.yaml", with the settings @changes ("path=value",
 *  NULL-terminated; nullable) as on the command line. Returns: (transfer full): resolved. */
static inline AftScenario *load_shipped(const char *name, const char *const *changes)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) settings = g_ptr_array_new();
    g_autofree char *path = g_build_filename(SCENARIOS, name, NULL);
    g_ptr_array_add(settings, (gpointer) "run.confidence=99.9 %");
    for (guint i = 0; changes != NULL && changes[i] != NULL; i++) {
        g_ptr_array_add(settings, (gpointer)changes[i]);
    }
    g_ptr_array_add(settings, NULL);
    AftScenario *scenario =
        aft_loader_load_file(path, (const char *const *)settings->pdata, messages, &error);
    if (scenario == NULL) {
        fail_msg("%s", error->message);
    }
    assert_int_equal(messages->len, 0); /* no warning either */
    return scenario;
}

/** Returns: (transfer full). */
static inline AftResult *run_shipped(const char *name, const char *const *changes)
{
    g_autoptr(AftScenario) scenario = load_shipped(name, changes);
    return run_scenario(scenario);
}

/** The only phase of @result, which is steady. */
static inline const AftPhaseRow *steady_state(const AftResult *result)
{
    assert_phases(result, "steady");
    return phase_row(result, 0);
}
