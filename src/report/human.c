/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "human.h"

#include <math.h>
#include <string.h>

/* @value, rounded to @decimals, the C way whatever the locale. */
static char *plain_number(double value, guint decimals)
{
    char format[8], digits[G_ASCII_DTOSTR_BUF_SIZE + 310];
    g_snprintf(format, sizeof(format), "%%.%uf", decimals);
    return g_strdup(g_ascii_formatd(digits, sizeof(digits), format, value));
}

char *aft_human_number(double value, guint decimals)
{
    g_assert(decimals <= 9);
    if (!isfinite(value)) {
        return g_strdup("");
    }
    g_autofree char *digits = plain_number(fabs(value), decimals);
    gsize whole = strcspn(digits, ".");
    GString *text = g_string_new(value < 0.0 && strpbrk(digits, "123456789") ? "-" : "");
    for (gsize i = 0; i < whole; i++) {
        g_string_append(text, i > 0 && (whole - i) % 3 == 0 ? "," : "");
        g_string_append_c(text, digits[i]);
    }
    g_string_append(text, digits + whole);
    return g_string_free(text, FALSE);
}

/* Below a minute. */
static char *short_duration(double seconds)
{
    if (seconds == 0.0 || seconds >= 0.9995) {
        g_autofree char *number = plain_number(seconds, seconds == 0.0 ? 0 : 1);
        return g_strconcat(number, " s", NULL);
    }
    g_autofree char *number = plain_number(seconds * 1e3, seconds < 0.01 ? 2 : 0);
    return g_strconcat(number, " ms", NULL);
}

static char *two_units(guint64 n, guint64 of, const char *large, const char *small)
{
    if (n % of == 0) {
        return g_strdup_printf("%" G_GUINT64_FORMAT " %s", n / of, large);
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT " %s %02" G_GUINT64_FORMAT " %s", n / of, large,
                           n % of, small);
}

char *aft_human_duration(double seconds)
{
    if (!isfinite(seconds)) {
        return g_strdup("");
    }
    if (seconds < 59.95) {
        return short_duration(fmax(seconds, 0.0));
    }
    if (seconds < 3599.5) {
        return two_units((guint64)round(seconds), 60, "min", "s");
    }
    if (seconds < 86400.0 - 30.0) {
        return two_units((guint64)round(seconds / 60.0), 60, "h", "min");
    }
    return two_units((guint64)round(fmin(seconds / 3600.0, 1e15)), 24, "d", "h");
}

char *aft_human_clock(double seconds)
{
    if (!isfinite(seconds)) {
        return g_strdup("");
    }
    if (seconds < 59.95) {
        return short_duration(fmax(seconds, 0.0));
    }
    guint64 whole = (guint64)round(fmin(seconds, 1e15));
    return g_strdup_printf("%" G_GUINT64_FORMAT ":%02u:%02u", whole / 3600,
                           (guint)(whole / 60 % 60), (guint)(whole % 60));
}

/* Rounded to @decimals, less the zeros at the end, and @suffix. */
static char *trimmed(double value, guint decimals, const char *suffix)
{
    g_autofree char *number = plain_number(value, decimals);
    gsize length = strlen(number);
    while (decimals > 0 && number[length - 1] == '0') {
        length--;
    }
    length -= number[length - 1] == '.';
    return g_strdup_printf("%.*s%s", (int)length, number, suffix);
}

char *aft_human_share(double share)
{
    if (!isfinite(share)) {
        return g_strdup("");
    }
    double percent = share * 100.0;
    return trimmed(percent, percent >= 9.95 ? 0 : percent >= 0.995 ? 1 : 2, " %");
}

char *aft_human_bytes(double bytes)
{
    static const char *const units[] = {" B", " kB", " MB", " GB", " TB", " PB", " EB"};
    if (!isfinite(bytes)) {
        return g_strdup("");
    }
    guint unit = 0;
    while (bytes >= 999.5 && unit + 1 < G_N_ELEMENTS(units)) {
        bytes /= 1000.0;
        unit++;
    }
    return trimmed(bytes, unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2, units[unit]);
}

char *aft_human_interval(double half_width, guint decimals)
{
    double least = pow(10.0, -(double)decimals);
    gboolean tiny = half_width > 0.0 && half_width < least / 2.0;
    g_autofree char *number = aft_human_number(tiny ? least : half_width, decimals);
    return *number != '\0' ? g_strconcat(tiny ? "± <" : "± ", number, NULL) : g_strdup("");
}

char *aft_human_change(double share)
{
    g_autofree char *size = aft_human_share(fabs(share));
    gboolean sign = *size != '\0' && !g_str_equal(size, "0 %");
    return g_strconcat(!sign ? "" : share < 0.0 ? "-" : "+", size, NULL);
}

guint aft_human_decimals(double value)
{
    if (!isfinite(value) || value == 0.0) {
        return 0;
    }
    return (guint)CLAMP(2.0 - floor(log10(fabs(value))), 0.0, 6.0);
}
