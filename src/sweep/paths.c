/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paths.h"

#include <aftershock/scenario/keys.h>

#include <string.h>

char *aft_path_meant(const char *path)
{
    AftKeyMatch match;
    return aft_keys_find(path, &match) ? aft_keys_path(match.key->path, match.step)
                                       : g_strdup(path);
}

static gboolean holds_number(const AftKey *key)
{
    return key->type >= AFT_KEY_COUNT && key->type <= AFT_KEY_SHARE;
}

char *aft_setting_meant(const char *setting)
{
    const char *equals = strchr(setting, '=');
    g_assert(equals != NULL);
    g_autofree char *path = g_strndup(setting, (gsize)(equals - setting));
    g_autofree char *full = aft_path_meant(path);
    g_autofree char *text = g_strstrip(g_strdup(equals + 1));
    AftKeyMatch match;
    double value;
    if (aft_keys_find(path, &match) && holds_number(match.key) &&
        (aft_units_parse(aft_key_unit(match.key), text, &value, NULL) ||
         (match.key->bare_number && aft_units_parse(AFT_UNIT_COUNT, text, &value, NULL)))) {
        return g_strdup_printf("%s=%a", full, value);
    }
    return g_strdup_printf("%s=%s", full, text);
}
