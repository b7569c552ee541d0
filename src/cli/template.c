/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "template.h"

#include "shipped.h"

#include <aftershock/base/file.h>
#include <string.h>

typedef struct {
    guint nodes;
    const char *schema;
} Values;

/* Writes what stands for @match, "2.5 nodes". */
static gboolean put_value(const GMatchInfo *match, GString *text, gpointer data)
{
    const Values *values = data;
    g_autofree char *times = g_match_info_fetch_named(match, "times");
    g_autofree char *least = g_match_info_fetch_named(match, "least");
    g_autofree char *many = g_match_info_fetch_named(match, "many");
    g_autofree char *few = g_match_info_fetch_named(match, "few");
    g_autofree char *schema = g_match_info_fetch_named(match, "schema");
    if (schema != NULL && *schema != '\0') {
        g_string_append(text, values->schema);
    } else if (least != NULL && *least != '\0') {
        g_string_append(text, values->nodes >= g_ascii_strtoull(least, NULL, 10) ? many : few);
    } else {
        double one = times != NULL && *times != '\0' ? g_ascii_strtod(times, NULL) : 1.0;
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        g_string_append(text, g_ascii_formatd(number, sizeof number, "%.9g", one * values->nodes));
    }
    return FALSE;
}

char *aft_template_text(const char *template, guint nodes, const char *schema)
{
    g_autoptr(GRegex) places =
        g_regex_new("@(?:(?:(?<times>[0-9.]+) )?nodes|(?<schema>schema)|"
                    "(?<many>[a-z0-9-]+) from (?<least>[0-9]+), else (?<few>[a-z0-9-]+))@",
                    0, 0, NULL);
    Values values = {nodes, schema};
    const char *first = strchr(template, '\n');
    return g_regex_replace_eval(places, first != NULL ? first + 1 : template, -1, 0, 0, put_value,
                                &values, NULL);
}

GPtrArray *aft_template_names(void)
{
    return aft_shipped_names(AFT_SHIPPED_TEMPLATE);
}

/* Beside the folder of the scenarios that the template at @path is shipped with. */
static char *schema_folder(const char *path)
{
    g_autofree char *templates = g_path_get_dirname(path);
    g_autofree char *folder = g_build_filename(templates, "..", "..", "schema", NULL);
    return g_canonicalize_filename(folder, NULL);
}

char *aft_template_fill(const char *path, guint nodes, GError **error)
{
    g_autofree char *template = NULL;
    g_autofree char *schema = schema_folder(path);
    g_autoptr(GError) cause = NULL;
    if (!g_file_get_contents(path, &template, NULL, &cause)) {
        aft_file_failed_by(path, "cannot read", cause, error);
        return NULL;
    }
    return aft_template_text(template, nodes, schema);
}
