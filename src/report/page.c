/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lines.h"
#include "page_parts.h"

#include <aftershock/base/error.h>

/* Each label once: what another has, or what is "", becomes a label with a number. */
static char **distinct_labels(const AftResult *const *results, guint n)
{
    char **labels = g_new0(char *, n + 1);
    for (guint i = 0; i < n; i++) {
        g_autofree char *label = aft_page_clean(results[i]->label);
        gboolean plain = *label != '\0' && !g_strv_contains((const char *const *)labels, label);
        for (guint number = i + 1; !plain && labels[i] == NULL; number++) {
            g_autofree char *other =
                g_strdup_printf(*label == '\0' ? "%sresult %u" : "%s (%u)", label, number);
            gboolean taken = g_strv_contains((const char *const *)labels, other);
            labels[i] = taken ? NULL : g_steal_pointer(&other);
        }
        labels[i] = plain ? g_steal_pointer(&label) : labels[i];
    }
    return labels;
}

static gboolean same_scenario(const AftPageResults *page)
{
    for (guint i = 1; i < page->n; i++) {
        if (g_strcmp0(page->results[i]->scenario, page->results[0]->scenario) != 0) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Returns: (transfer full): what the page is about. */
static char *title_of(const AftPageResults *page)
{
    if (!same_scenario(page)) {
        return g_strjoinv(", ", (char **)page->labels);
    }
    const char *name = page->results[0]->scenario;
    g_autofree char *clean = aft_page_clean(name);
    return page->n == 1 ? aft_lines_headline(clean, page->labels[0]) : g_steal_pointer(&clean);
}

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
    g_autofree char *title = title_of(page), *data = aft_page_data(page);
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
    g_auto(GStrv) labels = distinct_labels(results, n);
    return assemble(&(AftPageResults){results, labels, n, reference, comparison});
}

char *aft_page_new(const AftResult *const *results, guint n, GError **error)
{
    return aft_page_new_beside(results, n, NULL, NULL, error);
}
