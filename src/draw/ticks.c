/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ticks.h"

#include <math.h>

enum { MOST = 200 }; /* whatever the caller would take */

#define NEARLY     1e-9 /* of a step: rounding */
#define PER_MOMENT 80.0 /* of an axis of time: a label is at most so wide */

static const double mantissas[] = {1.0, 2.0, 5.0, 10.0};

double aft_ticks_above(double value)
{
    double power = pow(10.0, floor(log10(value)));
    guint i = 0;
    while (i + 1 < G_N_ELEMENTS(mantissas) && mantissas[i] * power < value * (1.0 - NEARLY)) {
        i++;
    }
    return mantissas[i] * power;
}

double aft_ticks_below(double value)
{
    double power = pow(10.0, floor(log10(value)));
    guint i = G_N_ELEMENTS(mantissas) - 1;
    while (i > 0 && mantissas[i] * power > value * (1.0 + NEARLY)) {
        i--;
    }
    return mantissas[i] * power;
}

static void add(GArray *ticks, double value, const char *label)
{
    AftTick tick = {.value = value};
    g_strlcpy(tick.label, label, sizeof tick.label);
    g_array_append_val(ticks, tick);
}

/* A number with the decimals that a step of @step needs, and commas between thousands. */
static void add_number(GArray *ticks, double value, double step)
{
    char format[8], digits[G_ASCII_DTOSTR_BUF_SIZE + 32];
    int decimals = (int)CLAMP(ceil(-log10(step) - NEARLY), 0.0, 9.0);
    if (fabs(value) >= 1e15 || step < 1e-9) { /* nobody reads so many digits */
        g_ascii_formatd(digits, sizeof digits, "%.3g", value);
        add(ticks, value, digits);
        return;
    }
    g_snprintf(format, sizeof format, "%%.%df", decimals);
    g_ascii_formatd(digits, sizeof digits, format, value);
    g_autoptr(GString) text = g_string_new(digits);
    for (gssize at = (gssize)strcspn(digits, ".") - 3; at > (value < 0.0 ? 1 : 0); at -= 3) {
        g_string_insert_c(text, at, ',');
    }
    add(ticks, value, text->str);
}

/* Large enough for @most ticks, but not so large that fewer than two remain. */
static double linear_step(double from, double to, guint most)
{
    double step = aft_ticks_above((to - from) / MAX(most, 1));
    while (floor(to / step + NEARLY) - ceil(from / step - NEARLY) < 1.0) {
        step = aft_ticks_below(step / 1.5);
    }
    return step;
}

GArray *aft_ticks_linear(double from, double to, guint most)
{
    GArray *ticks = g_array_new(FALSE, FALSE, sizeof(AftTick));
    double step = linear_step(from, to, most);
    for (double i = ceil(from / step - NEARLY); i * step <= to + NEARLY * step; i++) {
        if (ticks->len == MOST) {
            break;
        }
        add_number(ticks, i == 0.0 ? 0.0 : i * step, step);
    }
    return ticks;
}

GArray *aft_ticks_log(double from, double to, guint most)
{
    GArray *ticks = g_array_new(FALSE, FALSE, sizeof(AftTick));
    double decades = log10(to / from);
    gboolean fine = 3.0 * decades <= most;
    double every = fmax(ceil(decades / MAX(most, 1)), 1.0);
    for (double e = floor(log10(from)); e <= log10(to) + NEARLY && ticks->len < MOST; e += every) {
        for (guint m = 0; m < (every > 1.0 ? 1 : 3); m++) {
            double value = mantissas[m] * pow(10.0, e);
            if (value < from * (1.0 - NEARLY) || value > to * (1.0 + NEARLY)) {
                continue;
            }
            if (m == 0 || fine) {
                add_number(ticks, value, value);
            } else {
                add(ticks, value, "");
            }
        }
    }
    return ticks;
}

/* Below a minute in one unit, else in two, of which the smaller may be missing. */
static void add_moment(GArray *ticks, double seconds)
{
    static const struct {
        double s;
        const char *name;
    } units[] = {{86400.0, "d"}, {3600.0, "h"}, {60.0, "min"}, {1.0, "s"}};
    g_autoptr(GString) text = g_string_new(NULL);
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    for (guint u = 0; u < G_N_ELEMENTS(units); u++) {
        double whole = floor(seconds / units[u].s + NEARLY);
        double n = units[u].s == 1.0 && text->len == 0 ? seconds : whole;
        if (n > 0.0) {
            g_ascii_formatd(number, sizeof number, "%.6g", n);
            g_string_append_printf(text, "%s%s %s", text->len > 0 ? " " : "", number,
                                   units[u].name);
            seconds -= whole * units[u].s;
        }
    }
    add(ticks, 0.0, text->len > 0 ? text->str : "0");
}

static double time_step(double least_s)
{
    static const double steps_s[] = {1,   2,   5,    10,   15,   30,    60,    120,   300,
                                     600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400};
    if (least_s < 1.0) {
        return aft_ticks_above(least_s);
    }
    for (guint i = 0; i < G_N_ELEMENTS(steps_s); i++) {
        if (steps_s[i] >= least_s * (1.0 - NEARLY)) {
            return steps_s[i];
        }
    }
    return 86400.0 * aft_ticks_above(least_s / 86400.0);
}

GArray *aft_ticks_time(double end_s, guint most)
{
    GArray *ticks = g_array_new(FALSE, FALSE, sizeof(AftTick));
    double step = time_step(end_s / MAX(most, 1));
    for (guint i = 0; i * step <= end_s * (1.0 + NEARLY) && i < MOST; i++) {
        add_moment(ticks, i * step);
        g_array_index(ticks, AftTick, i).value = i * step;
    }
    return ticks;
}

GArray *aft_ticks_along(double end_s, double length)
{
    return aft_ticks_time(end_s, (guint)fmax(length / PER_MOMENT, 2.0));
}
