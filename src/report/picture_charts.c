/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture_charts.h"

#include "charts.h"
#include "thin.h"

#include <aftershock/result/columns.h>

#include <math.h>

/* Points of a line: a least and a greatest value for each half of a thousandth of the time. */
enum { POINTS = 2000 };

#define CHANGING 1.001 /* times the least is a change */

static void clear_line(gpointer data)
{
    AftPictureLine *line = data;
    g_free(line->name);
    g_free(line->time_s);
    g_free(line->values);
}

void aft_picture_free_chart(gpointer data)
{
    AftPictureChart *chart = data;
    g_free(chart->title);
    g_array_unref(chart->lines);
    g_free(chart);
}

static gsize offset_of(const char *name)
{
    const AftTable *table = aft_trace_table();
    guint i = 0;
    while (!g_str_equal(table->columns[i].name, name)) { /* it is one of them */
        i++;
    }
    return table->columns[i].offset;
}

/* The values of @figure in all of @trace. Returns: (transfer full). */
static double *values_of(const GArray *trace, const AftChartFigure *figure)
{
    double *values = g_new(double, MAX(trace->len, 1));
    for (guint r = 0; r < trace->len; r++) {
        values[r] = (double)NAN;
    }
    for (guint c = 0; figure->columns[c] != NULL; c++) {
        gsize offset = offset_of(figure->columns[c]);
        for (guint r = 0; r < trace->len; r++) {
            double value = G_STRUCT_MEMBER(double, trace->data + r * sizeof(AftTraceRow), offset);
            double before = isnan(values[r]) ? 0.0 : values[r];
            if (isfinite(value)) {
                values[r] = figure->most ? fmax(before, value) : before + value;
            }
        }
    }
    return values;
}

/* Whether any of @values is there, and if @worth_it, not 0. */
static gboolean occurs(const double *values, guint n, gboolean worth_it)
{
    for (guint i = 0; i < n; i++) {
        if (isfinite(values[i]) && (values[i] != 0.0 || !worth_it)) {
            return TRUE;
        }
    }
    return FALSE;
}

/* When the rows that are kept begin, and when the last one ends. Returns: (transfer full). */
static double *starts_of(const AftResult *result, const AftThinning *thinning)
{
    double *starts = g_new(double, thinning->n_kept + 1);
    for (guint i = 0; i < thinning->n_kept; i++) {
        starts[i] = g_array_index(result->trace, AftTraceRow, aft_thinning_row(thinning, i)).time_s;
    }
    starts[thinning->n_kept] = aft_result_end_s(result);
    return starts;
}

/* What holds for an interval stands in its middle, what is counted at its end there. */
static AftPictureLine line_of(const AftResult *result, const double *values, gboolean at_end)
{
    AftThinning thinning = aft_thinning(result->trace->len, POINTS);
    g_autofree double *starts = starts_of(result, &thinning);
    AftPictureLine line = {.n = thinning.n_kept,
                           .time_s = g_new(double, thinning.n_kept),
                           .values = g_new(double, thinning.n_kept)};
    aft_thin(&thinning, values, sizeof *values, line.values);
    for (guint i = 0; i < line.n; i++) {
        line.time_s[i] = at_end ? starts[i + 1] : (starts[i] + starts[i + 1]) / 2.0;
    }
    return line;
}

/* Adds the line of @figure of result @r, if it has one. */
static void add_line(AftPictureChart *chart, const AftChart *kind, const AftChartFigure *figure,
                     const AftPageResults *page, guint r)
{
    const AftResult *result = page->results[r];
    g_autofree double *values = values_of(result->trace, figure);
    gboolean several = page->n > 1;
    if (!occurs(values, result->trace->len, !several)) {
        return;
    }
    AftPictureLine line = line_of(result, values, kind->at_end);
    line.name = g_strdup(several ? page->labels[r] : figure->name);
    line.number = several ? r : chart->lines->len;
    g_array_append_val(chart->lines, line);
}

/* The least and the greatest value of all lines; NaN without any. */
static void find_range(const AftPictureChart *chart, double *ret_least, double *ret_greatest)
{
    *ret_least = *ret_greatest = (double)NAN;
    for (guint l = 0; l < chart->lines->len; l++) {
        const AftPictureLine *line = &g_array_index(chart->lines, AftPictureLine, l);
        for (guint i = 0; i < line->n; i++) {
            *ret_least = fmin(*ret_least, line->values[i]);
            *ret_greatest = fmax(*ret_greatest, line->values[i]);
        }
    }
}

static void scale(AftPictureChart *chart, double worth)
{
    chart->required /= worth;
    for (guint l = 0; l < chart->lines->len; l++) {
        AftPictureLine *line = &g_array_index(chart->lines, AftPictureLine, l);
        for (guint i = 0; i < line->n; i++) {
            line->values[i] /= worth;
        }
    }
}

/* Chooses the unit. Returns: whether there is anything to show. */
static gboolean finish(AftPictureChart *chart, const AftChart *kind)
{
    double least, greatest;
    find_range(chart, &least, &greatest);
    if (!(greatest > 0.0) || (kind->changing && greatest <= CHANGING * least)) {
        return FALSE;
    }
    const AftChartUnit *unit = aft_chart_unit(kind->quantity, greatest);
    chart->unit = unit->name;
    scale(chart, unit->worth);
    return TRUE;
}

static AftPictureChart *chart_new(const AftChart *kind, const AftPageResults *page, guint choice)
{
    AftPictureChart *chart = g_new0(AftPictureChart, 1);
    *chart = (AftPictureChart){.mean = g_str_equal(kind->quantity, "time"),
                               .log = kind->log,
                               .choice = choice,
                               .lines = g_array_new(FALSE, TRUE, sizeof(AftPictureLine))};
    g_array_set_clear_func(chart->lines, clear_line);
    if (kind->required.name != NULL) {
        chart->required = G_STRUCT_MEMBER(double, page->results[0], kind->required.offset);
    }
    return chart;
}

static void add(GPtrArray *charts, AftPictureChart *chart, const AftChart *kind)
{
    if (finish(chart, kind)) {
        g_ptr_array_add(charts, chart);
    } else {
        aft_picture_free_chart(chart);
    }
}

static void add_single(GPtrArray *charts, const AftChart *kind, const AftPageResults *page)
{
    AftPictureChart *chart = chart_new(kind, page, 0);
    chart->title = g_strdup(kind->title);
    for (guint f = 0; kind->figures[f].name != NULL; f++) {
        add_line(chart, kind, &kind->figures[f], page, 0);
    }
    add(charts, chart, kind);
}

static void add_overlaid(GPtrArray *charts, const AftChart *kind, const AftPageResults *page)
{
    const AftChartFigure *figures = aft_chart_overlaid(kind);
    for (guint f = 0; figures[f].name != NULL; f++) {
        AftPictureChart *chart = chart_new(kind, page, f);
        chart->required = f == 0 ? chart->required : 0.0; /* of the total, or the mean */
        chart->title = figures[1].name == NULL
                           ? g_strdup(kind->title)
                           : g_strconcat(kind->title, ", ", figures[f].name, NULL);
        for (guint r = 0; r < page->n; r++) {
            add_line(chart, kind, &figures[f], page, r);
        }
        add(charts, chart, kind);
    }
}

void aft_picture_add_charts(GPtrArray *charts, const AftPageResults *page)
{
    guint n = 0;
    const AftChart *kinds = aft_charts(&n);
    for (guint i = 0; i < n; i++) {
        if (page->n > 1) {
            add_overlaid(charts, &kinds[i], page);
        } else {
            add_single(charts, &kinds[i], page);
        }
    }
}
