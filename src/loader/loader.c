/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file.h"
#include "scenario_target.h"
#include "source.h"

#include <aftershock/loader/loader.h>

#include <string.h>

static void set_override(AftScenario *scenario, AftSource *source, const char *override)
{
    AftPlace place = {0, 0, override};
    const char *equals = strchr(override, '=');
    if (equals == NULL || equals == override) {
        aft_diagnostics_error(&source->diagnostics, &place, "expected path=value, like run.seed=2");
        return;
    }
    g_autofree char *path = g_strstrip(g_strndup(override, (gsize)(equals - override)));
    aft_scenario_set(scenario, path, equals + 1, source->problems);
    for (guint i = 0; i < source->problems->len; i++) {
        aft_diagnostics_add(&source->diagnostics, &place, g_ptr_array_index(source->problems, i));
    }
    g_ptr_array_set_size(source->problems, 0);
    aft_places_replace(source->places, path, override);
}

static void fill(AftScenario *scenario, AftSource *source, const char *const *overrides)
{
    AftScenarioReading reading = {scenario, source->diagnostics.name};
    gboolean complete = aft_source_read(source, &aft_scenario_target, &reading);
    for (guint i = 0; overrides != NULL && overrides[i] != NULL; i++) {
        set_override(scenario, source, overrides[i]);
    }
    if (complete) {
        aft_scenario_resolve(scenario, source->problems);
        aft_source_tell(source);
    }
}

AftScenario *aft_loader_load_text(const char *name, const char *text, gsize bytes,
                                  const char *const *overrides, GPtrArray *messages, GError **error)
{
    AftSource source;
    if (!aft_source_init(&source, name, text, bytes, aft_scenario_full_path, error)) {
        return NULL;
    }
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    fill(scenario, &source, overrides);
    return aft_source_finish(&source, messages, error) ? g_steal_pointer(&scenario) : NULL;
}

AftScenario *aft_loader_load_file(const char *path, const char *const *overrides,
                                  GPtrArray *messages, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    const char *text = aft_file_read(path, bytes, error);
    return text != NULL ? aft_loader_load_text(path, text, bytes->len, overrides, messages, error)
                        : NULL;
}
