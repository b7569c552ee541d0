/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart.h"

#include "path.h"
#include "ticks.h"

#include <math.h>
#include <string.h>

#define ROOM     1.06 /* times the greatest value that an axis goes to */
#define FAR      12.0 /* times the median, from where on values hide the others */
#define PER_TICK 19.0 /* of height; ticks of a logarithmic axis may be closer, as some are not */
#define PER_LOG  13.0
#define DOT      2.0

enum { MANY = 40 }; /* events */

static const AftHand title_hand = {.size = 11.0, .ink = AFT_INK_TEXT, .bold = TRUE};
static const AftHand small_hand = {.size = 10.0, .ink = AFT_INK_MUTED};

static int compare_numbers(gconstpointer a, gconstpointer b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All values above 0, in order. Returns: (transfer full): of double. */
static GArray *sorted_values(const AftPictureChart *chart)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint l = 0; l < chart->lines->len; l++) {
        const AftPictureLine *line = &g_array_index(chart->lines, AftPictureLine, l);
        for (guint i = 0; i < line->n; i++) {
            if (isfinite(line->values[i]) && line->values[i] > 0.0) {
                g_array_append_val(values, line->values[i]);
            }
        }
    }
    g_array_sort(values, compare_numbers);
    return values;
}

AftScale aft_chart_scale(const AftPictureChart *chart, double top, double height)
{
    g_autoptr(GArray) values = sorted_values(chart);
    if (values->len == 0) {
        return (AftScale){0.0, 1.0, top + height, -height, FALSE};
    }
    double least = g_array_index(values, double, 0);
    double median = g_array_index(values, double, values->len / 2);
    double greatest = g_array_index(values, double, values->len - 1);
    if (chart->required > 0.0) {
        least = fmin(least, chart->required);
        greatest = fmax(greatest, chart->required);
    }
    if (chart->log && greatest > FAR * median) {
        return (AftScale){aft_ticks_below(least), aft_ticks_above(greatest), top + height, -height,
                          TRUE};
    }
    return (AftScale){0.0, ROOM * greatest, top + height, -height, FALSE};
}

void aft_chart_key(const AftPen *pen, guint number, double x, double y)
{
    aft_pen_line_style(pen, number, 1.6);
    cairo_move_to(pen->cairo, x, y);
    cairo_line_to(pen->cairo, x + AFT_CHART_KEY, y);
    cairo_stroke(pen->cairo);
    aft_pen_solid(pen);
}

/* The text that stands for what is required. Returns: (transfer full) (nullable). */
static char *required_text(const AftPictureChart *chart)
{
    if (!(chart->required > 0.0)) {
        return NULL;
    }
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(number, sizeof number, "%.4g", chart->required);
    return g_strdup_printf("required%s %s", chart->mean ? " mean" : "", number);
}

/* An entry of the legend: room for its key, and @name. Returns: where the next goes. */
static double write_entry(const AftPen *pen, const char *name, double x, double y, double most)
{
    AftHand hand = {.size = 10.0, .ink = AFT_INK_TEXT, .most = most};
    x += AFT_CHART_KEY + 4.0;
    return x + aft_pen_write(pen, name, x, y, &hand) + 14.0;
}

/* Names of lines, of one result, and what is required, from @x to @end at most. */
static void draw_legend(const AftPen *pen, const AftPictureChart *chart, gboolean names, double x,
                        double end, double y)
{
    g_autofree char *required = required_text(chart);
    guint n = (names ? chart->lines->len : 0) + (required != NULL ? 1 : 0);
    double most = fmax((end - x) / MAX(n, 1) - AFT_CHART_KEY - 18.0, 20.0);
    for (guint l = 0; names && l < chart->lines->len; l++) {
        const AftPictureLine *line = &g_array_index(chart->lines, AftPictureLine, l);
        aft_chart_key(pen, line->number, x, y - 3.5);
        x = write_entry(pen, line->name, x, y, most);
    }
    if (required != NULL) {
        aft_pen_ink(pen, AFT_INK_BAD, 1.0);
        aft_pen_dashes(pen);
        aft_pen_line(pen, x, y - 3.5, x + AFT_CHART_KEY, y - 3.5, 1.0);
        aft_pen_solid(pen);
        write_entry(pen, required, x, y, most);
    }
}

static void draw_caption(const AftPen *pen, const AftPictureChart *chart, gboolean names,
                         gboolean log, const AftScale *time, double y)
{
    gboolean told = g_ascii_strncasecmp(chart->title, chart->unit, strlen(chart->unit)) == 0;
    g_autofree char *unit = g_strconcat(told ? "" : chart->unit, log ? ", logarithmic" : "", NULL);
    double end = time->start + time->length, x = time->start;
    x += aft_pen_write(pen, chart->title, x, y, &title_hand) + 7.0;
    x += aft_pen_write(pen, unit, x, y, &small_hand) + 20.0;
    draw_legend(pen, chart, names, x, end, y);
}

/* Phases as tints, with a thin line where one ends, and events as dotted lines. */
static void draw_behind(const AftPen *pen, const AftPictureResult *result, const AftScale *time,
                        double top, double height)
{
    for (guint i = 0; i < result->bands->len; i++) {
        const AftBand *band = &g_array_index(result->bands, AftBand, i);
        double from = aft_scale_place(time, band->from_s), to = aft_scale_place(time, band->to_s);
        aft_pen_fill(pen, from, top, to - from, height, AFT_INK_PHASES + band->phase, 0.6);
        aft_pen_ink(pen, AFT_INK_RULE, 0.7);
        aft_pen_line(pen, to, top, to, top + height, 0.5);
    }
    double opacity = result->marks->len > MANY ? 0.3 : 1.0; /* not to hide the lines */
    aft_pen_dots(pen);
    for (guint i = 0; i < result->marks->len; i++) {
        const AftEventMark *mark = &g_array_index(result->marks, AftEventMark, i);
        double x = aft_scale_place(time, mark->time_s);
        aft_pen_ink(pen, mark->weight == 0 ? AFT_INK_BAD : AFT_INK_MUTED, opacity);
        aft_pen_line(pen, x, top, x, top + height, 0.8);
    }
    aft_pen_solid(pen);
}

static void draw_values(const AftPen *pen, const AftScale *time, const AftScale *scale)
{
    AftHand hand = {.size = 9.5, .ink = AFT_INK_MUTED, .anchor = AFT_UP_TO};
    guint most = (guint)fmax(-scale->length / (scale->log ? PER_LOG : PER_TICK), 2.0);
    g_autoptr(GArray) ticks = scale->log ? aft_ticks_log(scale->from, scale->to, most)
                                         : aft_ticks_linear(scale->from, scale->to, most);
    for (guint i = 0; i < ticks->len; i++) {
        const AftTick *tick = &g_array_index(ticks, AftTick, i);
        double y = aft_scale_place(scale, tick->value);
        aft_pen_ink(pen, AFT_INK_GRID, 1.0);
        aft_pen_line(pen, time->start, y, time->start + time->length, y, 0.6);
        aft_pen_write(pen, tick->label, time->start - 6.0, y + 3.4, &hand);
    }
}

static void draw_frame(const AftPen *pen, const AftScale *time, double end_s, double top,
                       double height)
{
    double right = time->start + time->length, bottom = top + height;
    aft_pen_ink(pen, AFT_INK_MUTED, 1.0);
    aft_pen_line(pen, time->start, bottom, right, bottom, 0.8);
    aft_pen_line(pen, time->start, top, time->start, bottom, 0.8);
    if (end_s <= 0.0) {
        return; /* no time has passed */
    }
    g_autoptr(GArray) ticks = aft_ticks_along(end_s, time->length);
    for (guint i = 0; i < ticks->len; i++) {
        double x = aft_scale_place(time, g_array_index(ticks, AftTick, i).value);
        aft_pen_line(pen, x, bottom, x, bottom + 3.5, 0.8);
    }
}

static void draw_required(const AftPen *pen, double required, const AftScale *time,
                          const AftScale *scale)
{
    if (required > 0.0) {
        double y = aft_scale_place(scale, required);
        aft_pen_ink(pen, AFT_INK_BAD, 1.0);
        aft_pen_dashes(pen);
        aft_pen_line(pen, time->start, y, time->start + time->length, y, 1.0);
        aft_pen_solid(pen);
    }
}

/* The first line last: it is on top. */
static void draw_lines(const AftPen *pen, const AftPictureChart *chart, gboolean several,
                       const AftScale *time, const AftScale *scale)
{
    for (guint l = chart->lines->len; l-- > 0;) {
        const AftPictureLine *line = &g_array_index(chart->lines, AftPictureLine, l);
        aft_pen_line_style(pen, line->number, l == 0 || several ? 1.5 : 1.1);
        aft_path_add(pen->cairo, line, time, scale, DOT);
        cairo_stroke(pen->cairo);
    }
    aft_pen_solid(pen);
}

void aft_chart_draw(const AftPen *pen, const AftPicture *picture, const AftPictureChart *chart,
                    const AftScale *time, double top, double height)
{
    gboolean several = picture->results->len > 1;
    AftScale scale = aft_chart_scale(chart, top, height);
    draw_caption(pen, chart, !several, scale.log, time, top - 5.0);
    draw_behind(pen, g_ptr_array_index(picture->results, 0), time, top, height);
    draw_values(pen, time, &scale);
    draw_required(pen, chart->required, time, &scale);
    draw_lines(pen, chart, several, time, &scale);
    draw_frame(pen, time, picture->end_s, top, height);
}
