/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line.h"

#include <aftershock/base/error.h>
#include <aftershock/result/csv.h>

#include <errno.h>
#include <math.h>
#include <string.h>

static void separate(GString *line)
{
    g_string_append(line, line->len > 0 ? "," : "");
}

void aft_line_text(GString *line, const char *text)
{
    separate(line);
    aft_csv_append(line, text);
}

void aft_line_number(GString *line, double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE] = "";
    if (isfinite(number)) {
        g_ascii_formatd(text, sizeof text, "%.9g", number);
    }
    aft_line_text(line, text);
}

void aft_line_count(GString *line, guint64 count)
{
    separate(line);
    g_string_append_printf(line, "%" G_GUINT64_FORMAT, count);
}

/* Of "path=text", where the text begins. */
static const char *text_of(const char *axis)
{
    const char *equals = strchr(axis, '=');
    return equals != NULL ? equals + 1 : "";
}

void aft_line_axes(GString *line, const char *const *axes, guint n_axes)
{
    guint n = axes != NULL ? g_strv_length((char **)axes) : 0; /* fewer than others, if damaged */
    for (guint i = 0; i < n_axes; i++) {
        aft_line_text(line, i < n ? text_of(axes[i]) : "");
    }
}

void aft_line_axis_names(GString *line, const char *const *axes)
{
    for (guint i = 0; axes[i] != NULL; i++) {
        g_autofree char *name = g_strndup(axes[i], strcspn(axes[i], "="));
        aft_line_text(line, name);
    }
}

gboolean aft_line_end(GString *line, FILE *out, GError **error)
{
    g_string_append_c(line, '\n');
    gboolean fine = fwrite(line->str, 1, line->len, out) == line->len;
    if (!fine) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "cannot write: %s", g_strerror(errno));
    }
    g_string_truncate(line, 0);
    return fine;
}

char **aft_line_axes_of(AftStore *store)
{
    guint points = aft_store_identity(store)->points;
    for (guint point = 0; point < points; point++) {
        char **axes = aft_store_point(store, point);
        if (axes != NULL) {
            return axes;
        }
    }
    return g_new0(char *, 1);
}
