/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/sparkline.h>

#include <math.h>

static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char *const signs[] = {"_", ".", "-", "=", "^"};

static guint level(double value, double most, guint n_levels)
{
    double share = most > 0.0 ? CLAMP(value / most, 0.0, 1.0) : 0.0;
    return MIN((guint)(share * n_levels), n_levels - 1);
}

char *aft_bar(double share, guint width, gboolean utf8)
{
    GString *text = g_string_new(NULL);
    guint full = (guint)(CLAMP(share, 0.0, 1.0) * width + 0.5);
    for (guint i = 0; i < width; i++) {
        g_string_append(text, i < full ? (utf8 ? "█" : "#") : (utf8 ? "░" : "."));
    }
    return g_string_free(text, FALSE);
}

char *aft_sparkline(const double *values, guint n, double most, gboolean utf8)
{
    const char *const *levels = utf8 ? blocks : signs;
    guint n_levels = utf8 ? G_N_ELEMENTS(blocks) : G_N_ELEMENTS(signs);
    GString *line = g_string_new(NULL);
    gboolean empty = TRUE;
    for (guint i = 0; i < n; i++) {
        empty = empty && isnan(values[i]);
        g_string_append(line, isnan(values[i]) ? " " : levels[level(values[i], most, n_levels)]);
    }
    g_string_truncate(line, empty ? 0 : line->len);
    return g_string_free(line, FALSE);
}
