/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/sweep_page.h>

#include "page_frame.h"
#include "sweep_parts.h"

enum {
    MOST_POINTS = 1500, /* in charts */
    MOST_PLACES = 12000 /* that many of them, by axes */
};

/* All points, or as many as charts hold, evenly spread over all. */
static GArray *shown_of(AftStore *store, const GArray *points)
{
    guint first = g_array_index(points, AftSweptPoint, 0).point;
    g_auto(GStrv) settings = aft_store_point(store, first);
    guint axes = settings != NULL ? MAX(g_strv_length(settings), 1) : 1;
    guint most = MIN(MAX(MOST_PLACES / axes, 1), MOST_POINTS), n = MIN(points->len, most);
    GArray *shown = g_array_new(FALSE, FALSE, sizeof(AftSweptPoint));
    for (guint i = 0; i < n; i++) {
        guint place = (guint)((guint64)i * points->len / n);
        g_array_append_vals(shown, &g_array_index(points, AftSweptPoint, place), 1);
    }
    return shown;
}

/* The script fills it. */
static void append_charts(GString *html)
{
    g_string_append(html, "<section id=\"charts\" aria-label=\"Figures\">\n<h2>Figures</h2>\n"
                          "<noscript><p>The charts need JavaScript; the ranking above does not.</p>"
                          "</noscript>\n</section>\n");
}

static char *assemble(const AftSweptPage *page)
{
    static const char *const scripts[] = {"sweep-charts.js", "sweep.js", NULL};
    const AftStoreIdentity *identity = aft_store_identity(page->store);
    g_autoptr(GString) body = g_string_new(NULL);
    g_autofree char *data = aft_swept_data(page);
    aft_swept_append_verdict(body, page);
    aft_swept_append_ranking(body, page);
    append_charts(body);
    return aft_page_frame(&(AftPageFrame){
        .title = identity->name,
        .kind = "a sweep",
        .version = identity->version,
        .scripts = scripts,
        .body = body->str,
        .data = data,
    });
}

char *aft_sweep_page_new(AftStore *store, GError **error)
{
    g_autoptr(AftSweptLook) look = aft_swept_look_new(store, error);
    g_autoptr(GPtrArray) ranking = look != NULL ? aft_tables_rank(store, error) : NULL;
    g_autoptr(GArray) indices = ranking != NULL ? aft_swept_indices_new(store, error) : NULL;
    if (indices == NULL) {
        return NULL;
    }
    g_autoptr(GArray) shown = shown_of(store, look->points);
    guint left_out = 0;
    g_autoptr(GArray) figures = aft_swept_figures_new(store, look, shown, &left_out, error);
    if (figures == NULL) {
        return NULL;
    }
    return assemble(&(AftSweptPage){store, look, ranking, shown, figures, left_out, indices});
}
