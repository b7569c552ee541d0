/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page_frame.h"

#include <aftershock/base/shown.h>

#include <page-resources.h> /* made of page/ when building */

#define RESOURCES "/aftershock/page/"

void aft_page_append_text(GString *html, const char *text)
{
    g_autofree char *clean = aft_shown_start(text, AFT_SHOWN_MOST);
    g_autofree char *escaped = g_markup_escape_text(clean, -1);
    g_string_append(html, escaped);
}

/* Appends a file that was compiled into the program. */
static void append_resource(GString *text, const char *name)
{
    g_autofree char *path = g_strconcat(RESOURCES, name, NULL);
    g_autoptr(GBytes) bytes =
        g_resource_lookup_data(aft_page_get_resource(), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    g_assert(bytes != NULL);
    gsize length = 0;
    const char *data = g_bytes_get_data(bytes, &length);
    g_string_append_len(text, data, (gssize)length);
}

/* The last line of minified files names a map that only debuggers want, and cannot have here. */
static void drop_source_map(GString *text)
{
    char *mark = g_strrstr(text->str, "//# sourceMappingURL=");
    if (mark != NULL) {
        g_string_truncate(text, (gsize)(mark - text->str));
    }
}

/* The library, what all pages share, and the scripts of this one. */
static GString *join_script(const char *const *scripts)
{
    GString *script = g_string_new("\n");
    append_resource(script, "dygraphs-notice.js");
    append_resource(script, "dygraph.min.js");
    drop_source_map(script);
    append_resource(script, "common.js");
    for (; *scripts != NULL; scripts++) {
        append_resource(script, *scripts);
    }
    return script;
}

static GString *join_style(void)
{
    GString *style = g_string_new("\n");
    append_resource(style, "page.css");
    return style;
}

/* What a content security policy calls @text by. Returns: (transfer full). */
static char *source_of(const GString *text)
{
    guint8 digest[32];
    gsize length = sizeof digest;
    GChecksum *checksum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(checksum, (const guchar *)text->str, (gssize)text->len);
    g_checksum_get_digest(checksum, digest, &length);
    g_checksum_free(checksum);
    g_autofree char *base64 = g_base64_encode(digest, length);
    return g_strdup_printf("'sha256-%s'", base64);
}

static void append_head(GString *html, const char *title, const GString *script,
                        const GString *style)
{
    g_autofree char *script_source = source_of(script), *style_source = source_of(style);
    g_string_append_printf(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "script-src %s; style-src %s; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
        script_source, style_source);
    aft_page_append_text(html, title);
    g_string_append_printf(html, " – Aftershock</title>\n<style>%s</style>\n</head>\n", style->str);
}

static void append_header(GString *html, const AftPageFrame *frame)
{
    g_string_append(html, "<header>\n<p>Aftershock ");
    aft_page_append_text(html, frame->version);
    g_string_append_printf(html, ": %s</p>\n<h1>", frame->kind);
    aft_page_append_text(html, frame->title);
    g_string_append(html, "</h1>\n</header>\n");
}

char *aft_page_frame(const AftPageFrame *frame)
{
    g_autoptr(GString) script = join_script(frame->scripts), style = join_style();
    GString *html = g_string_new(NULL);
    append_head(html, frame->title, script, style);
    g_string_append(html, "<body>\n");
    append_header(html, frame);
    g_string_append_printf(
        html,
        "<main>\n%s</main>\n"
        "<footer>Made by Aftershock. Charts by Dygraphs, MIT licence: the notice is in "
        "the source of this page.</footer>\n"
        "<script type=\"application/json\" id=\"data\">%s</script>\n<script>%s</script>\n"
        "</body>\n</html>\n",
        frame->body, frame->data, script->str);
    return g_string_free(html, FALSE);
}
