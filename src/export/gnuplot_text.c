/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gnuplot_text.h"

enum { LONGEST = 200 }; /* characters that are drawn of a text */

/* Returns: (transfer full): the first characters of @text that print. */
static char *printing(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text != NULL ? text : "", -1);
    GString *clean = g_string_new(NULL);
    guint n = 0;
    for (const char *c = valid; *c != '\0' && n < LONGEST; c = g_utf8_next_char(c)) {
        if (g_unichar_isprint(g_utf8_get_char(c))) {
            g_string_append_unichar(clean, g_utf8_get_char(c));
            n++;
        }
    }
    return g_string_free(clean, FALSE);
}

void aft_gnuplot_string(AftOut *out, const char *text)
{
    g_autofree char *clean = printing(text);
    aft_out_add(out, "\"");
    for (const char *c = clean; *c != '\0'; c++) {
        gboolean plain = g_ascii_isalpha(*c) || *c == ' '; /* a digit would join a number */
        aft_out_format(out, plain ? "%c" : "\\%03o", (guchar)*c);
    }
    aft_out_add(out, "\"");
}

void aft_gnuplot_cell(AftOut *out, const char *text)
{
    g_autofree char *clean = printing(text);
    aft_out_format(out, "%s\n", g_strdelimit(clean, "\"", '\''));
}

guint aft_gnuplot_length(const char *text)
{
    g_autofree char *clean = printing(text);
    return (guint)g_utf8_strlen(clean, -1);
}
