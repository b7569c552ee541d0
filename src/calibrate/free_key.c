/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "free_key.h"

#include <aftershock/base/error.h>
#include <aftershock/scenario/keys.h>

#include <math.h>

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
        refuse(error, AFT_ERROR_SYNTAX, path, "is no number that could be fitted");
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

/* Whether @key may be anything between its bounds, as far as @row knows. */
static gboolean is_allowed(const AftKey *row, const AftFreeKey *key, GError **error)
{
    if (key->low >= row->minimum && key->high <= row->maximum) {
        return TRUE;
    }
    g_autofree char *low = aft_units_format(key->unit, row->minimum);
    g_autofree char *high = aft_units_format(key->unit, row->maximum);
    g_autofree char *why = g_strdup_printf("expected bounds from %s to %s", low, high);
    return refuse(error, AFT_ERROR_RANGE, key->path, why);
}

static gboolean refuse_bounds(const AftFreeKey *key, GError **error)
{
    g_autofree char *low = aft_units_format(key->unit, key->low);
    g_autofree char *high = aft_units_format(key->unit, key->high);
    g_autofree char *start = aft_units_format(key->unit, key->start);
    g_autofree char *why =
        g_strdup_printf("begins at %s, expected between %s and %s", start, low, high);
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
                    ret_key->low <= ret_key->start && ret_key->start <= ret_key->high;
    fine = fine ? is_allowed(row, ret_key, error) : refuse_bounds(ret_key, error);
    if (!fine) {
        aft_free_key_clear(ret_key);
    }
    return fine;
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
    return key->low > 0.0 ? key->low * pow(key->high / key->low, way)
                          : key->low + (key->high - key->low) * way;
}

double aft_free_key_line(const AftFreeKey *key, double value)
{
    double way = key->low > 0.0 ? log(value / key->low) / log(key->high / key->low)
                                : (value - key->low) / (key->high - key->low);
    way = CLAMP(way, EDGE, 1.0 - EDGE);
    return log(way / (1.0 - way));
}

double aft_free_key_slope(const AftFreeKey *key, double u)
{
    double way = way_at(u), per_way = key->high - key->low;
    if (key->low > 0.0) {
        per_way = aft_free_key_value(key, u) * log(key->high / key->low);
    }
    return per_way * way * (1.0 - way);
}

char *aft_free_key_setting(const AftFreeKey *key, double value)
{
    g_autofree char *text = aft_units_format_exact(key->unit, value);
    return g_strdup_printf("%s=%s", key->path, text);
}
