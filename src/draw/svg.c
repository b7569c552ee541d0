/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "forms.h"

#include <string.h>

/* XML has no place for some characters, not even escaped. */
static gboolean is_xml(gunichar c)
{
    return (c >= 0x20 && c != 0xfffe && c != 0xffff) || c == '\t' || c == '\n' || c == '\r';
}

static void append_text(GString *xml, const char *text)
{
    g_autoptr(GString) clean = g_string_new(NULL);
    for (const char *at = text; *at != '\0'; at = g_utf8_next_char(at)) {
        gunichar c = g_utf8_get_char(at);
        g_string_append_unichar(clean, is_xml(c) ? c : 0xfffd);
    }
    g_autofree char *escaped = g_markup_escape_text(clean->str, -1);
    g_string_append(xml, escaped);
}

static void append_result(GString *xml, const AftPicture *picture, guint r)
{
    const AftPictureResult *result = g_ptr_array_index(picture->results, r);
    if (picture->results->len > 1) {
        append_text(xml, result->label);
        g_string_append(xml, ": ");
    }
    append_text(xml, result->verdict);
    g_string_append(xml, ". Phases:");
    for (guint i = 0; i < result->bands->len; i++) {
        const AftBand *band = &g_array_index(result->bands, AftBand, i);
        g_string_append_printf(xml, "%s %s", i > 0 ? "," : "", aft_phase_name(band->phase));
    }
    g_string_append(xml, ". Events:");
    for (guint i = 0; i < result->marks->len; i++) {
        g_string_append(xml, i > 0 ? ", " : " ");
        append_text(xml, g_array_index(result->marks, AftEventMark, i).text);
    }
    g_string_append(xml, ".\n");
}

static void append_chart(GString *xml, const AftPictureChart *chart)
{
    g_string_append_printf(xml, "%s, %s: ", chart->title, chart->unit);
    for (guint l = 0; l < chart->lines->len; l++) {
        g_string_append(xml, l > 0 ? ", " : "");
        append_text(xml, g_array_index(chart->lines, AftPictureLine, l).name);
    }
    g_string_append(xml, ".\n");
}

static void append_words(GString *xml, const AftPicture *picture)
{
    g_string_append(xml, "\n<title>");
    append_text(xml, picture->title);
    g_string_append(xml, "</title>\n<desc>");
    for (guint r = 0; r < picture->results->len; r++) {
        append_result(xml, picture, r);
    }
    for (guint i = 0; i < picture->charts->len; i++) {
        const AftPictureChart *chart = g_ptr_array_index(picture->charts, i);
        if (chart->choice == 0) {
            append_chart(xml, chart);
        }
    }
    g_string_append(xml, "</desc>");
}

GBytes *aft_svg_describe(const GByteArray *svg, const AftPicture *picture)
{
    GString *xml = g_string_new_len((const char *)svg->data, (gssize)svg->len);
    const char *root = strstr(xml->str, "<svg");
    const char *end = root != NULL ? strchr(root, '>') : NULL;
    if (end != NULL) {
        g_autoptr(GString) words = g_string_new(NULL);
        append_words(words, picture);
        g_string_insert_len(xml, end + 1 - xml->str, words->str, (gssize)words->len);
    }
    return g_string_free_to_bytes(xml);
}
