/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a key takes, as an editor or a validator can check it. */
#include "selector.h"
#include "value.h"

#include <aftershock/scenario/parts.h>

#define BLANKS      "[ \\t\\r\\n]*"
#define NO_CONTROLS "[^\\u0000-\\u001f\\u007f-\\u009f]"

static gboolean is_number(AftKeyType type)
{
    return type >= AFT_KEY_COUNT && type <= AFT_KEY_SHARE;
}

gboolean aft_key_is_whole(const AftKey *key)
{
    return aft_value_is_whole(key->type) || key->type == AFT_KEY_SELECTOR ||
           key->type == AFT_KEY_PART;
}

static gboolean takes_zero(const AftKey *key)
{
    return key->minimum < 0.0 || (key->minimum == 0.0 && !key->above);
}

/* What is no number of @key, whatever its unit: below 0, or 0 itself. */
static const char *wrong_sign(const AftKey *key)
{
    return key->minimum < 0.0 ? ""
           : takes_zero(key)  ? "(?!" BLANKS "-[0.]*[1-9])"
                              : "(?!" BLANKS "(?:-|\\+?[0.]*(?:[^0-9.+-]|$)))";
}

static char *number_pattern(const AftKey *key)
{
    g_autofree char *unit = aft_units_pattern(aft_key_unit(key));
    g_autofree char *bare = key->bare_number ? aft_units_pattern(AFT_UNIT_COUNT) : NULL;
    g_autofree char *word =
        key->word != NULL ? g_strconcat("|" BLANKS, key->word, BLANKS, NULL) : g_strdup("");
    return bare == NULL ? g_strdup_printf("^(?:%s%s%s)$", wrong_sign(key), unit, word)
                        : g_strdup_printf("^(?:%s(?:%s|%s)%s)$", wrong_sign(key), unit, bare, word);
}

/* @pattern, which is taken, as all of a text. */
static char *anchored(char *pattern)
{
    g_autofree char *taken = pattern;
    return g_strdup_printf("^%s$", taken);
}

char *aft_key_pattern(const AftKey *key)
{
    switch (key->type) {
    case AFT_KEY_TEXT:
        return g_strdup_printf("^" NO_CONTROLS "{1,%d}$", AFT_VALUE_LONGEST_NAME);
    case AFT_KEY_FILE:
        return g_strdup_printf("^" NO_CONTROLS "{1,%d}$", AFT_VALUE_LONGEST_PATH);
    case AFT_KEY_SELECTOR:
        return anchored(aft_selector_pattern());
    case AFT_KEY_PART:
        return anchored(aft_part_pattern(key->parts, key->bare_number));
    default:
        return is_number(key->type) ? number_pattern(key) : NULL;
    }
}

/* Whether a number that @key takes needs no unit. */
static gboolean has_no_unit(const AftKey *key)
{
    AftUnit unit = aft_key_unit(key);
    return is_number(key->type) &&
           (unit == AFT_UNIT_COUNT || unit == AFT_UNIT_SHARE || key->bare_number);
}

static gboolean take_range(double minimum, double maximum, double *ret_minimum, double *ret_maximum)
{
    *ret_minimum = minimum;
    *ret_maximum = maximum;
    return TRUE;
}

gboolean aft_key_plain_range(const AftKey *key, double *ret_minimum, double *ret_maximum,
                             gboolean *ret_above)
{
    *ret_above = FALSE;
    if (key->type == AFT_KEY_SELECTOR) {
        double largest = aft_selector_largest();
        return take_range(-largest, largest, ret_minimum, ret_maximum);
    }
    if (key->type == AFT_KEY_PART) {
        double largest = key->bare_number ? aft_part_largest(key->parts) : 0.0;
        return largest > 0.0 && take_range(0.0, largest, ret_minimum, ret_maximum);
    }
    if (has_no_unit(key)) {
        *ret_above = key->above;
        return take_range(key->minimum, key->maximum, ret_minimum, ret_maximum);
    }
    return is_number(key->type) && takes_zero(key) &&
           take_range(0.0, 0.0, ret_minimum, ret_maximum);
}

char *aft_key_range(const AftKey *key)
{
    if (!is_number(key->type)) {
        return NULL;
    }
    g_autofree char *low = aft_value_bound(key, key->minimum);
    g_autofree char *high = aft_value_bound(key, key->maximum);
    if (key->minimum == key->maximum) {
        return g_steal_pointer(&low);
    }
    return key->above ? g_strdup_printf("above %s, at most %s", low, high)
                      : g_strdup_printf("%s to %s", low, high);
}
