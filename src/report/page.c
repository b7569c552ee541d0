/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page_parts.h"

#include <aftershock/base/error.h>

/* The script fills them. */
static void append_charts(GString *html)
{
    g_string_append(
        html,
        "<section id=\"timeline\" aria-label=\"Timeline\">\n<h2>Timeline</h2>\n"
        "<noscript><p>The charts need JavaScript; the tables below do not.</p></noscript>\n"
        "</section>\n"
        "<section id=\"latency\" aria-label=\"Latency\" hidden>\n<h2>Latency of all I/Os</h2>\n"
        "</section>\n");
}

static char *assemble(const AftPageResults *page)
{
    static const char *const scripts[] = {"page.js", "latency.js", NULL};
    g_autoptr(GString) body = g_string_new(NULL);
    g_autofree char *title = aft_page_title(page), *data = aft_page_data(page);
    aft_page_append_verdict(body, page);
    aft_page_append_reference(body, page);
    append_charts(body);
    aft_page_append_phases(body, page);
    aft_page_append_details(body, page);
    return aft_page_frame(&(AftPageFrame){
        .title = title,
        .kind = page->n > 1 ? "results compared" : "what happened",
        .version = page->results[0]->version,
        .scripts = scripts,
        .body = body->str,
        .data = data,
    });
}

char *aft_page_new_beside(const AftResult *const *results, guint n, const AftReference *reference,
                          const AftComparison *comparison, GError **error)
{
    if (n < 1 || n > AFT_PAGE_MOST) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE, "a page holds 1 to %u results, not %u",
                    AFT_PAGE_MOST, n);
        return NULL;
    }
    g_auto(GStrv) labels = aft_page_labels(results, n);
    return assemble(&(AftPageResults){results, labels, n, reference, comparison});
}

char *aft_page_new(const AftResult *const *results, guint n, GError **error)
{
    return aft_page_new_beside(results, n, NULL, NULL, error);
}
