/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lines.h"
#include "page_parts.h"

#include <aftershock/base/shown.h>

enum { NUMBER = 20 }; /* characters that may come behind */

char **aft_page_labels(const AftResult *const *results, guint n)
{
    char **labels = g_new0(char *, n + 1);
    for (guint i = 0; i < n; i++) {
        g_autofree char *label = aft_shown_start(results[i]->label, AFT_SHOWN_MOST - NUMBER);
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

char *aft_page_title(const AftPageResults *page)
{
    if (!same_scenario(page)) {
        return g_strjoinv(", ", (char **)page->labels);
    }
    const char *name = page->results[0]->scenario;
    g_autofree char *clean = aft_shown_start(name, AFT_SHOWN_MOST);
    return page->n == 1 ? aft_lines_headline(clean, page->labels[0]) : g_steal_pointer(&clean);
}
