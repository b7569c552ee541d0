/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>
#include <aftershock/draw/draw.h>

static gboolean is_number(const char *text, guint64 *ret_number)
{
    return g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT32, ret_number, NULL);
}

gboolean aft_draw_parse_size(const char *text, AftDrawSize *ret_size, GError **error)
{
    g_auto(GStrv) sides = g_strsplit(text, "x", 3);
    guint64 width = 0, height = 0;
    if (g_strv_length(sides) != 2 || !is_number(sides[0], &width) ||
        !is_number(sides[1], &height)) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX,
                    "expected width and height in pixels, like 1600x1200, got \"%.60s\"", text);
        return FALSE;
    }
    if (MIN(width, height) < AFT_DRAW_LEAST || MAX(width, height) > AFT_DRAW_MOST) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE, "expected %u to %u pixels each way, got %s",
                    AFT_DRAW_LEAST, AFT_DRAW_MOST, text);
        return FALSE;
    }
    *ret_size = (AftDrawSize){(guint)width, (guint)height};
    return TRUE;
}
