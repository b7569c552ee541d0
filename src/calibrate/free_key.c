/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "free_key.h"

#include <aftershock/base/error.h>
#include <aftershock/scenario/keys.h>

#include <math.h>
#include <string.h>

#define WIDE 4.0  /* times more or less that a key may become, unless it is said */
#define EDGE 1e-3 /* of the way between bounds: as near as one may come on the line */

/* Counts are whole numbers: their steps would be none, or too wide. */
static gboolean is_number(const AftKey *key)
{
    return key->type == AFT_KEY_NUMBER || key->type == AFT_KEY_TIME || key->type == AFT_KEY_BYTES ||
           key->type == AFT_KEY_BANDWIDTH || key->type == AFT_KEY_RATE ||
           key->type == AFT_KEY_SHARE;
}

static gboolean refuse(GError **error, gint code, const char *path, const char *why)
{
    g_set_error(error, AFT_ERROR, code, "%s: %s", path, why);
    return FALSE;
}

static const AftKey *find_number(const char *path, GError **error)
{
    AftKeyMatch match;
    if (!aft_keys_find(path, &match)) {
        g_autofree char *meant = aft_keys_suggest(path);
        g_autofree char *why = meant != NULL
                                   ? g_strdup_printf("unknown key; did you mean %s?", meant)
                                   : g_strdup("unknown key");
        refuse(error, AFT_ERROR_UNKNOWN, path, why);
        return NULL;
    }
    if (!is_number(match.key)) {
        gboolean count = match.key->type == AFT_KEY_COUNT;
        refuse(error, AFT_ERROR_SYNTAX, path,
               count ? "is a whole number, which cannot be fitted"
                     : "is no number that could be fitted");
        return NULL;
    }
    return match.key;
}

static gboolean read_start(const AftScenario *scenario, AftFreeKey *key, GError **error)
{
    g_autofree char *text = aft_scenario_get(scenario, key->path);
    if (text == NULL || !aft_units_parse(key->unit, text, &key->start, NULL) ||
        !isfinite(key->start)) {
        return refuse(error, AFT_ERROR_RANGE, key->path, "has no number to begin with");
    }
    return TRUE;
}

/* Why the bounds of @key, a number of @row, are none that it can be fitted between. */
static gboolean refuse_bounds(const AftFreeKey *key, const AftKey *row, GError **error)
{
    g_autofree char *low = aft_units_format(key->unit, key->low);
    g_autofree char *high = aft_units_format(key->unit, key->high);
    g_autofree char *start = aft_units_format(key->unit, key->start);
    gboolean beyond = key->low < row->minimum || key->high > row->maximum;
    g_autofree char *why =
        beyond ? g_strdup_printf("cannot be all that is between %s and %s", low, high)
               : g_strdup_printf("begins at %s, expected between %s and %s", start, low, high);
    return refuse(error, AFT_ERROR_RANGE, key->path, why);
}

gboolean aft_free_key_init(AftFreeKey *ret_key, const AftScenario *scenario, const char *path,
                           double low, double high, GError **error)
{
    const AftKey *row = find_number(path, error);
    if (row == NULL) {
        return FALSE;
    }
    *ret_key = (AftFreeKey){.path = g_strdup(path), .unit = aft_key_unit(row)};
    if (!read_start(scenario, ret_key, error)) {
        aft_free_key_clear(ret_key);
        return FALSE;
    }
    ret_key->low = isnan(low) ? MAX(ret_key->start / WIDE, row->minimum) : low;
    ret_key->high = isnan(high) ? MIN(ret_key->start * WIDE, row->maximum) : high;
    gboolean fine = ret_key->low >= 0.0 && ret_key->low < ret_key->high &&
                    ret_key->low >= row->minimum && ret_key->high <= row->maximum &&
                    ret_key->low <= ret_key->start && ret_key->start <= ret_key->high;
    if (!fine) {
        refuse_bounds(ret_key, row, error);
        aft_free_key_clear(ret_key);
    }
    return fine;
}

gboolean aft_free_key_is_of(const AftScenario *scenario, const char *path)
{
    g_autofree char *value = aft_scenario_get(scenario, path);
    const char *end = strrchr(path, '.');
    g_autofree char *service = end != NULL ? g_strndup(path, (gsize)(end - path)) : g_strdup("");
    g_autofree char *enabled = g_strconcat(service, ".enabled", NULL);
    g_autofree char *state =
        strstr(path, ".services.") != NULL ? aft_scenario_get(scenario, enabled) : NULL;
    return value != NULL && g_strcmp0(state, "off") != 0;
}

void aft_free_key_clear(AftFreeKey *key)
{
    g_clear_pointer(&key->path, g_free);
}

static double way_at(double u)
{
    return 1.0 / (1.0 + exp(-u));
}

double aft_free_key_value(const AftFreeKey *key, double u)
{
    double way = way_at(u);
    double value = key->low > 0.0 ? key->low * pow(key->high / key->low, way)
                                  : key->low + (key->high - key->low) * way;
    return CLAMP(value, key->low, key->high); /* rounding must not yield what is refused */
}

double aft_free_key_line(const AftFreeKey *key, double value)
{
    double way = key->low > 0.0 ? log(value / key->low) / log(key->high / key->low)
                                : (value - key->low) / (key->high - key->low);
    way = CLAMP(way, EDGE, 1.0 - EDGE);
    return log(way / (1.0 - way));
}

char *aft_free_key_setting(const AftFreeKey *key, double value)
{
    g_autofree char *text = aft_units_format_exact(key->unit, value);
    return g_strdup_printf("%s=%s", key->path, text);
}
