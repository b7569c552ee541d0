/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "charts.h"
#include "page_json.h"
#include "page_parts.h"
#include "thin.h"

#include <aftershock/base/shown.h>
#include <aftershock/result/columns.h>

#include <math.h>

enum {
    EVENT_BYTES = 150000, /* of all results together */
    EVENT = 60,
    DETAIL = 200,  /* characters */
    POINTS = 5000, /* of all results together, in a column */
    BANDS = 2000,  /* phases of all results together that the charts show */
};

static void append_phases(GString *json, const GArray *phases, guint most)
{
    g_string_append(json, ",\n\"phases\":[");
    for (guint i = 0; i < MIN(phases->len, most); i++) {
        const AftPhaseRow *row = &g_array_index(phases, AftPhaseRow, i);
        g_string_append_printf(json, "%s[\"%s\",", i > 0 ? "," : "", aft_phase_name(row->phase));
        aft_page_json_number(json, row->start_s, AFT_PAGE_EXACT);
        g_string_append_c(json, ',');
        aft_page_json_number(json, row->start_s + row->duration_s, AFT_PAGE_EXACT);
        g_string_append_c(json, ']');
    }
    g_string_append_c(json, ']');
}

static void append_event(GString *json, const AftEventRow *row)
{
    aft_page_json_number(json, row->time_s, AFT_PAGE_EXACT);
    g_string_append_c(json, ',');
    aft_page_json_text(json, row->event, EVENT);
    g_string_append_c(json, ',');
    aft_page_json_text(json, row->subject, EVENT);
    g_string_append_c(json, ',');
    aft_page_json_text(json, row->detail, DETAIL);
}

/* Up to @most events, and @bytes, whatever texts say. */
static void append_events(GString *json, const GArray *timeline, guint most, gsize bytes)
{
    guint i = 0;
    gsize from = json->len;
    g_string_append(json, ",\n\"events\":[");
    for (; i < MIN(timeline->len, most) && json->len - from < bytes; i++) {
        g_string_append(json, i > 0 ? ",\n[" : "\n[");
        append_event(json, &g_array_index(timeline, AftEventRow, i));
        g_string_append_c(json, ']');
    }
    g_string_append_printf(json, "],\n\"events_left_out\":%u", timeline->len - i);
}

static void append_required(GString *json, const AftResult *result)
{
    aft_page_json_member(json, "required_iops", result->required_iops);
    aft_page_json_member(json, "required_read_ms", result->required_read_ms);
    aft_page_json_member(json, "required_write_ms", result->required_write_ms);
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
    aft_page_json_numbers(json, times, thinning->n_kept, AFT_PAGE_EXACT);
}

static void append_columns(GString *json, const GArray *trace, const AftThinning *thinning)
{
    g_autofree double *values = g_new(double, thinning->n_kept);
    guint digits = thinning->n_kept < trace->len ? AFT_PAGE_FEW : AFT_PAGE_EXACT;
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
            aft_page_json_numbers(json, values, thinning->n_kept, digits);
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
    g_string_append(json, ",\n");
    aft_page_append_tails(json);
    g_string_append(json, ",\n\"results\":[");
    for (guint i = 0; i < page->n; i++) {
        const AftResult *result = page->results[i];
        g_string_append(json, i > 0 ? ",\n{\"label\":" : "\n{\"label\":");
        aft_page_json_text(json, page->labels[i], AFT_SHOWN_MOST);
        aft_page_json_member(json, "end", aft_result_end_s(result));
        append_required(json, result);
        append_phases(json, result->phases, BANDS / page->n);
        append_events(json, result->timeline, AFT_PAGE_EVENTS / page->n, EVENT_BYTES / page->n);
        append_trace(json, result->trace, POINTS / page->n);
        aft_page_append_latency(json, result, page->n > 1);
        g_string_append_c(json, '}');
    }
    g_string_append(json, "]}");
    return g_string_free(json, FALSE);
}
