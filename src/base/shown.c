/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/shown.h>

#include <string.h>

gboolean aft_char_is_shown(gunichar c)
{
    GUnicodeType type = g_unichar_type(c);
    return g_unichar_isprint(c) && type != G_UNICODE_LINE_SEPARATOR &&
           type != G_UNICODE_PARAGRAPH_SEPARATOR;
}

static guint columns_of(gunichar c)
{
    return g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
}

guint aft_shown_columns(const char *text)
{
    guint columns = 0;
    for (const char *p = text; *p != '\0'; p = g_utf8_next_char(p)) {
        columns += columns_of(g_utf8_get_char(p));
    }
    return columns;
}

char *aft_shown_text(const char *text, const char *kept)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    GString *shown = g_string_new(NULL);
    for (const char *p = valid; *p != '\0'; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);
        gboolean stays = aft_char_is_shown(c) || (c < 128 && strchr(kept, (int)c) != NULL);
        g_string_append_unichar(shown, stays ? c : '?');
    }
    return g_string_free(shown, FALSE);
}

char *aft_shown_start(const char *text, guint most)
{
    g_autofree char *valid = g_utf8_make_valid(text != NULL ? text : "", -1);
    if (g_utf8_strlen(valid, -1) <= (glong)most) {
        return g_steal_pointer(&valid);
    }
    g_autofree char *start = g_utf8_substring(valid, 0, (glong)most);
    return g_strconcat(start, "…", NULL);
}

char *aft_shown_cut(const char *text, guint columns)
{
    const char *end = text;
    for (guint used = 0; *end != '\0'; end = g_utf8_next_char(end)) {
        used += columns_of(g_utf8_get_char(end));
        if (used > columns) {
            break;
        }
    }
    return g_strndup(text, (gsize)(end - text));
}

/* Appends the likeness of @c, which is not ASCII. */
static void append_likeness(GString *ascii, gunichar c, gboolean columns)
{
    char bytes[7] = "";
    g_unichar_to_utf8(c, bytes);
    /* GLib has none for the first. */
    g_autofree char *likeness = c == 0xb1 ? g_strdup("+-") : g_str_to_ascii(bytes, "C");
    guint width = columns_of(c);
    if (!columns) {
        g_string_append(ascii, width == 0 && *likeness == '?' ? "" : likeness);
        return;
    }
    for (guint i = 0; i < width; i++) {
        g_string_append_c(ascii, i < strlen(likeness) ? likeness[i] : '?');
    }
}

char *aft_shown_ascii(const char *text, gboolean columns)
{
    GString *ascii = g_string_new(NULL);
    for (const char *p = text; *p != '\0'; p = g_utf8_next_char(p)) {
        if ((guchar)*p < 128) {
            g_string_append_c(ascii, *p);
        } else {
            append_likeness(ascii, g_utf8_get_char(p), columns);
        }
    }
    return g_string_free(ascii, FALSE);
}
