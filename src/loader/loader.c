/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file.h"
#include "source.h"

#include <aftershock/loader/loader.h>

#include <string.h>

/* What a scenario needs to be a target. */
typedef struct {
    AftScenario *scenario;
    const char *name; /* of the text */
} Reading;

static gboolean open_key(gpointer data, const char *path, gboolean list, GPtrArray *problems)
{
    return aft_scenario_open(((Reading *)data)->scenario, path, list, problems);
}

/* Paths of files count from the folder of the file that they are written in. Returns: (transfer
 * full). */
static char *meant(const Reading *reading, const char *path, const char *text)
{
    AftKeyMatch match;
    gboolean file = aft_keys_find(path, &match) && match.key->type == AFT_KEY_FILE;
    return file ? aft_file_beside(reading->name, text) : g_strdup(text);
}

static void set_key(gpointer data, const char *path, const char *text, GPtrArray *problems)
{
    const Reading *reading = data;
    g_autofree char *value = meant(reading, path, text);
    aft_scenario_set(reading->scenario, path, value, problems);
}

static const AftDocumentTarget target = {"scenario", aft_keys_shape, open_key, set_key};

/* @path with every index that may be left out. */
static char *full_path(const char *path)
{
    AftKeyMatch match;
    return aft_keys_find(path, &match) ? aft_keys_path(match.key->path, match.step)
                                       : g_strdup(path);
}

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
    Reading reading = {scenario, source->diagnostics.name};
    gboolean complete = aft_source_read(source, &target, &reading);
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
    if (!aft_source_init(&source, name, text, bytes, full_path, error)) {
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
