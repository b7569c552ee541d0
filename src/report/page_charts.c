/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "charts.h"
#include "page_parts.h"

static void append_figures(GString *json, const char *name, const AftChartFigure *figures)
{
    g_string_append_printf(json, ",\"%s\":[", name);
    for (guint f = 0; figures[f].name != NULL; f++) {
        const AftChartFigure *it = &figures[f];
        g_string_append_printf(json, "%s[\"%s\",\"%s\"", f > 0 ? "," : "", it->name,
                               it->most ? "most" : "sum");
        for (guint c = 0; it->columns[c] != NULL; c++) {
            g_string_append_printf(json, ",\"%s\"", it->columns[c]);
        }
        g_string_append_c(json, ']');
    }
    g_string_append_c(json, ']');
}

static void append_chart(GString *json, const AftChart *chart)
{
    static const char *const words[] = {"false", "true"};
    g_string_append_printf(json, "{\"title\":\"%s\",\"quantity\":\"%s\"", chart->title,
                           chart->quantity);
    if (chart->required.name != NULL) {
        g_string_append_printf(json, ",\"required\":\"%s\"", chart->required.name);
    }
    g_string_append_printf(json, ",\"log\":%s,\"atEnd\":%s,\"changing\":%s", words[chart->log],
                           words[chart->at_end], words[chart->changing]);
    append_figures(json, "lines", chart->figures);
    append_figures(json, "overlaid", aft_chart_overlaid(chart));
    g_string_append_c(json, '}');
}

static void append_grave(GString *json)
{
    const char *const *words = aft_chart_grave();
    for (guint i = 0; words[i] != NULL; i++) {
        g_string_append_printf(json, "%s\"%s\"", i > 0 ? "," : "", words[i]);
    }
}

static void append_quantity(GString *json, const AftQuantity *quantity)
{
    g_string_append_printf(json, "\"%s\":[", quantity->name);
    for (guint u = 0; quantity->units[u].name != NULL; u++) {
        char worth[G_ASCII_DTOSTR_BUF_SIZE];
        g_ascii_formatd(worth, sizeof worth, "%g", quantity->units[u].worth);
        g_string_append_printf(json, "%s[%s,\"%s\"]", u > 0 ? "," : "", worth,
                               quantity->units[u].name);
    }
    g_string_append_c(json, ']');
}

void aft_page_append_charts(GString *json)
{
    guint n_charts = 0, n_quantities = 0;
    const AftChart *charts = aft_charts(&n_charts);
    const AftQuantity *quantities = aft_quantities(&n_quantities);
    g_string_append(json, "\"charts\":[");
    for (guint i = 0; i < n_charts; i++) {
        g_string_append(json, i > 0 ? ",\n" : "\n");
        append_chart(json, &charts[i]);
    }
    g_string_append(json, "],\n\"units\":{");
    for (guint i = 0; i < n_quantities; i++) {
        g_string_append(json, i > 0 ? "," : "");
        append_quantity(json, &quantities[i]);
    }
    g_string_append(json, "},\n\"grave\":[");
    append_grave(json);
    g_string_append_c(json, ']');
}
