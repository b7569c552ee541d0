/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario_target.h"

#include "file.h"

static gboolean open_key(gpointer data, const char *path, gboolean list, GPtrArray *problems)
{
    return aft_scenario_open(((AftScenarioReading *)data)->scenario, path, list, problems);
}

/* Paths of files count from the folder of the file that they are written in. Returns: (transfer
 * full). */
static char *meant(const AftScenarioReading *reading, const char *path, const char *text)
{
    AftKeyMatch match;
    gboolean file = aft_keys_find(path, &match) && match.key->type == AFT_KEY_FILE;
    return file ? aft_file_beside(reading->name, text) : g_strdup(text);
}

static void set_key(gpointer data, const char *path, const char *text, GPtrArray *problems)
{
    const AftScenarioReading *reading = data;
    g_autofree char *value = meant(reading, path, text);
    aft_scenario_set(reading->scenario, path, value, problems);
}

const AftDocumentTarget aft_scenario_target = {"scenario", aft_keys_shape, open_key, set_key, NULL};

char *aft_scenario_full_path(const char *path)
{
    AftKeyMatch match;
    return aft_keys_find(path, &match) ? aft_keys_path(match.key->path, match.step)
                                       : g_strdup(path);
}
