/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "charts.h"
#include "page_parts.h"
#include "thin.h"

#include <aftershock/result/columns.h>

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

enum {
    POINTS = 5000,    /* of all results together, in a column */
    BANDS = 2000,     /* phases of all results together that the charts show */
    EXACT_DIGITS = 9, /* as trace.csv has them */
    FEW_DIGITS = 5    /* of what is thinned: more than a screen shows */
};

/* Appends @text in quotes, with nothing in it that could end the block it stands in. */
static void append_string(GString *json, const char *text)
{
    g_autofree char *clean = aft_page_clean(text);
    g_autoptr(JsonNode) node = json_node_init_string(json_node_alloc(), clean);
    g_autofree char *quoted = json_to_string(node, FALSE);
    g_auto(GStrv) parts = g_strsplit(quoted, "<", -1);
    g_autofree char *safe = g_strjoinv("\\u003c", parts);
    g_string_append(json, safe);
}

static void append_number(GString *json, double value, guint digits)
{
    if (!isfinite(value)) {
        g_string_append(json, "null");
        return;
    }
    char format[8], text[G_ASCII_DTOSTR_BUF_SIZE];
    g_snprintf(format, sizeof format, "%%.%ug", digits);
    g_string_append(json, g_ascii_formatd(text, sizeof text, format, value + 0.0)); /* no "-0" */
}

static void append_named(GString *json, const char *name, double value)
{
    g_string_append_printf(json, ",\"%s\":", name);
    append_number(json, value, EXACT_DIGITS);
}

static void append_numbers(GString *json, const double *values, guint n, guint digits)
{
    g_string_append_c(json, '[');
    for (guint i = 0; i < n; i++) {
        g_string_append(json, i > 0 ? "," : "");
        append_number(json, values[i], digits);
    }
    g_string_append_c(json, ']');
}

static void append_phases(GString *json, const GArray *phases, guint most)
{
    g_string_append(json, ",\n\"phases\":[");
    for (guint i = 0; i < MIN(phases->len, most); i++) {
        const AftPhaseRow *row = &g_array_index(phases, AftPhaseRow, i);
        g_string_append_printf(json, "%s[\"%s\",", i > 0 ? "," : "", aft_phase_name(row->phase));
        append_number(json, row->start_s, EXACT_DIGITS);
        g_string_append_c(json, ',');
        append_number(json, row->start_s + row->duration_s, EXACT_DIGITS);
        g_string_append_c(json, ']');
    }
    g_string_append_c(json, ']');
}

static void append_event(GString *json, const AftEventRow *row)
{
    const char *const texts[] = {row->event, row->subject, row->detail};
    append_number(json, row->time_s, EXACT_DIGITS);
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_string_append_c(json, ',');
        append_string(json, texts[i]);
    }
}

static void append_events(GString *json, const GArray *timeline, guint most)
{
    g_string_append(json, ",\n\"events\":[");
    for (guint i = 0; i < MIN(timeline->len, most); i++) {
        g_string_append(json, i > 0 ? ",\n[" : "\n[");
        append_event(json, &g_array_index(timeline, AftEventRow, i));
        g_string_append_c(json, ']');
    }
    g_string_append_printf(json, "],\n\"events_left_out\":%u",
                           timeline->len - MIN(timeline->len, most));
}

static void append_required(GString *json, const AftResult *result)
{
    append_named(json, "required_iops", result->required_iops);
    append_named(json, "required_read_ms", result->required_read_ms);
    append_named(json, "required_write_ms", result->required_write_ms);
}

/* Whether any of @values is worth a line: none is when all are missing or 0. */
static gboolean occurs(const double *values, guint n)
{
    for (guint i = 0; i < n; i++) {
        if (isfinite(values[i]) && values[i] != 0.0) {
            return TRUE;
        }
    }
    return FALSE;
}

/* When each of the rows that are kept begins. */
static void append_times(GString *json, const GArray *trace, const AftThinning *thinning)
{
    g_autofree double *times = g_new(double, thinning->n_kept);
    for (guint i = 0; i < thinning->n_kept; i++) {
        times[i] = g_array_index(trace, AftTraceRow, aft_thinning_row(thinning, i)).time_s;
    }
    g_string_append(json, ",\n\"time\":");
    append_numbers(json, times, thinning->n_kept, EXACT_DIGITS);
}

static void append_columns(GString *json, const GArray *trace, const AftThinning *thinning)
{
    g_autofree double *values = g_new(double, thinning->n_kept);
    guint digits = thinning->n_kept < trace->len ? FEW_DIGITS : EXACT_DIGITS;
    const AftTable *table = aft_trace_table();
    const char *before = "";
    g_string_append(json, ",\n\"columns\":{");
    for (guint c = 0; c < table->n_columns && trace->len > 0; c++) {
        const AftColumn *column = &table->columns[c];
        if (!aft_chart_shows(column->name)) {
            continue;
        }
        aft_thin(thinning, trace->data + column->offset, sizeof(AftTraceRow), values);
        if (occurs(values, thinning->n_kept)) {
            g_string_append_printf(json, "%s\n\"%s\":", before, column->name);
            append_numbers(json, values, thinning->n_kept, digits);
            before = ",";
        }
    }
    g_string_append_c(json, '}');
}

static void append_trace(GString *json, const GArray *trace, guint most)
{
    AftThinning thinning = aft_thinning(trace->len, most);
    g_string_append_printf(json, ",\n\"rows\":%u", trace->len);
    append_times(json, trace, &thinning);
    append_columns(json, trace, &thinning);
}

char *aft_page_data(const AftPageResults *page)
{
    GString *json = g_string_new("{");
    aft_page_append_charts(json);
    g_string_append(json, ",\n\"results\":[");
    for (guint i = 0; i < page->n; i++) {
        const AftResult *result = page->results[i];
        g_string_append(json, i > 0 ? ",\n{\"label\":" : "\n{\"label\":");
        append_string(json, page->labels[i]);
        append_named(json, "end", aft_result_end_s(result));
        append_required(json, result);
        append_phases(json, result->phases, BANDS / page->n);
        append_events(json, result->timeline, AFT_PAGE_EVENTS / page->n);
        append_trace(json, result->trace, POINTS / page->n);
        g_string_append_c(json, '}');
    }
    g_string_append(json, "]}");
    return g_string_free(json, FALSE);
}
