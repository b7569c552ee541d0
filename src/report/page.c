/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page_parts.h"

#include <aftershock/base/error.h>

#include <page-resources.h> /* made of page/ when building */
#include <string.h>

#define RESOURCES "/aftershock/page/"

void aft_page_append_text(GString *html, const char *text)
{
    g_autofree char *clean = aft_page_clean(text);
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

static GString *join_script(void)
{
    GString *script = g_string_new("\n");
    append_resource(script, "dygraphs-notice.js");
    append_resource(script, "dygraph.min.js");
    drop_source_map(script);
    append_resource(script, "page.js");
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

static void append_header(GString *html, const char *title, const AftPageResults *page)
{
    const AftResult *first = page->results[0];
    g_string_append(html, "<header>\n<p>Aftershock ");
    aft_page_append_text(html, first->version);
    g_string_append(html, page->n > 1 ? ": results compared" : ": what happened");
    g_string_append(html, "</p>\n<h1>");
    aft_page_append_text(html, title);
    g_string_append(html, "</h1>\n</header>\n");
}

static void append_footer(GString *html)
{
    g_string_append(html,
                    "<footer>Made by Aftershock. Charts by Dygraphs, MIT licence: the notice is in "
                    "the source of this page.</footer>\n");
}

/* The script fills it. */
static void append_timeline(GString *html)
{
    g_string_append(
        html, "<section id=\"timeline\" aria-label=\"Timeline\">\n<h2>Timeline</h2>\n"
              "<noscript><p>The charts need JavaScript; the tables below do not.</p></noscript>\n"
              "</section>\n");
}

static char *assemble(const AftPageResults *page)
{
    g_autoptr(GString) script = join_script(), style = join_style();
    g_autofree char *title = aft_page_title(page), *data = aft_page_data(page);
    GString *html = g_string_new(NULL);
    append_head(html, title, script, style);
    g_string_append(html, "<body>\n");
    append_header(html, title, page);
    g_string_append(html, "<main>\n");
    aft_page_append_verdict(html, page);
    append_timeline(html);
    aft_page_append_phases(html, page);
    aft_page_append_details(html, page);
    g_string_append(html, "</main>\n");
    append_footer(html);
    g_string_append_printf(
        html,
        "<script type=\"application/json\" id=\"data\">%s</script>\n<script>%s</script>\n"
        "</body>\n</html>\n",
        data, script->str);
    return g_string_free(html, FALSE);
}

char *aft_page_new(const AftResult *const *results, guint n, GError **error)
{
    if (n < 1 || n > AFT_PAGE_MOST) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE, "a page holds 1 to %u results, not %u",
                    AFT_PAGE_MOST, n);
        return NULL;
    }
    g_auto(GStrv) labels = aft_page_labels(results, n);
    return assemble(&(AftPageResults){results, labels, n});
}
