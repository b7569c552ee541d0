/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page_json.h"

#include <aftershock/base/shown.h>

#include <json-glib/json-glib.h>
#include <math.h>

void aft_page_json_text(GString *json, const char *text, guint most)
{
    g_autofree char *clean = aft_shown_start(text, most);
    g_autoptr(JsonNode) node = json_node_init_string(json_node_alloc(), clean);
    g_autofree char *quoted = json_to_string(node, FALSE);
    g_auto(GStrv) parts = g_strsplit(quoted, "<", -1);
    g_autofree char *safe = g_strjoinv("\\u003c", parts);
    g_string_append(json, safe);
}

void aft_page_json_number(GString *json, double value, guint digits)
{
    if (!isfinite(value)) {
        g_string_append(json, "null");
        return;
    }
    char format[8], text[G_ASCII_DTOSTR_BUF_SIZE];
    g_snprintf(format, sizeof format, "%%.%ug", digits);
    g_string_append(json, g_ascii_formatd(text, sizeof text, format, value + 0.0)); /* no "-0" */
}

void aft_page_json_member(GString *json, const char *name, double value)
{
    g_string_append_printf(json, ",\"%s\":", name);
    aft_page_json_number(json, value, AFT_PAGE_EXACT);
}

void aft_page_json_numbers(GString *json, const double *values, guint n, guint digits)
{
    g_string_append_c(json, '[');
    for (guint i = 0; i < n; i++) {
        g_string_append(json, i > 0 ? "," : "");
        aft_page_json_number(json, values[i], digits);
    }
    g_string_append_c(json, ']');
}
