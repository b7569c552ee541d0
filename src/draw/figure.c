/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figure.h"

#include "chart.h"
#include "strip.h"
#include "ticks.h"

#include <math.h>

#define MARGIN    16.0
#define LEFT      66.0 /* of a plot, where its values are named */
#define RIGHT     18.0
#define TITLE     20.0 /* high */
#define LINE      15.5
#define GAP       12.0 /* between charts */
#define MOMENTS   18.0 /* high */
#define FOOT_LINE 12.5

enum { MOST_REMARKS = 4 };

/* What stands for a verdict where there is no colour. */
static const char *sign_of(AftTint tint)
{
    return tint == AFT_TINT_GOOD ? "✓ " : tint == AFT_TINT_BAD ? "✗ " : "";
}

static double write_verdict(const AftPen *pen, const AftPictureResult *result, double x, double y,
                            double most)
{
    AftHand hand = {.size = 11.0,
                    .ink = aft_ink_of(result->verdict_tint),
                    .bold = TRUE,
                    .most = most};
    g_autofree char *text = g_strconcat(sign_of(result->verdict_tint), result->verdict, NULL);
    return x + aft_pen_write(pen, text, x, y, &hand);
}

/* Notes that are part of the verdict, behind it or a line each. */
static gboolean is_verdict(const AftNote *note)
{
    return note->tint != AFT_TINT_NONE;
}

static double write_notes(const AftPen *pen, const AftPictureResult *result, double left,
                          double right, double y)
{
    for (guint i = 0; i < result->notes->len; i++) {
        const AftNote *note = g_ptr_array_index(result->notes, i);
        if (is_verdict(note)) {
            AftHand label = {.size = 10.0, .ink = aft_ink_of(note->tint), .bold = TRUE};
            AftHand text = {.size = 10.0, .ink = AFT_INK_TEXT};
            double x = left + aft_pen_write(pen, note->label, left, y, &label) + 7.0;
            text.most = fmax(right - x, 1.0);
            aft_pen_write(pen, note->text, x, y, &text);
            y += LINE;
        }
    }
    return y;
}

/* A line of several results: its key, label and verdict. */
static void write_result(const AftPen *pen, const AftPicture *picture, guint r, double left,
                         double right, double y)
{
    const AftPictureResult *result = g_ptr_array_index(picture->results, r);
    AftHand label = {.size = 11.0, .ink = AFT_INK_TEXT, .bold = TRUE, .most = (right - left) / 2.0};
    aft_chart_key(pen, r, left, y - 3.8);
    double x = left + AFT_CHART_KEY + 7.0;
    x += aft_pen_write(pen, result->label, x, y, &label) + 12.0;
    write_verdict(pen, result, x, y, fmax(right - x, 1.0));
}

static guint count_lines(const AftPicture *picture)
{
    if (picture->results->len > 1) {
        return picture->results->len;
    }
    const AftPictureResult *result = g_ptr_array_index(picture->results, 0);
    guint n = 1;
    for (guint i = 0; i < result->notes->len; i++) {
        n += is_verdict(g_ptr_array_index(result->notes, i)) ? 1 : 0;
    }
    return n;
}

static double head_height(const AftPicture *picture)
{
    return TITLE + count_lines(picture) * LINE + 4.0;
}

double aft_figure_head(const AftPen *pen, const AftPicture *picture, double left, double right,
                       double top)
{
    AftHand title = {.size = 16.0, .ink = AFT_INK_TEXT, .bold = TRUE, .most = right - left};
    double y = top + TITLE + LINE - 4.0;
    aft_pen_write(pen, picture->title, left, top + 14.0, &title);
    if (picture->results->len == 1) {
        const AftPictureResult *result = g_ptr_array_index(picture->results, 0);
        write_verdict(pen, result, left, y, right - left);
        write_notes(pen, result, left, right, y + LINE);
    } else {
        for (guint r = 0; r < picture->results->len; r++) {
            write_result(pen, picture, r, left, right, y + r * LINE);
        }
    }
    return top + head_height(picture);
}

static AftScale time_scale(const AftPicture *picture, double width)
{
    return (AftScale){0.0, picture->end_s, LEFT, width - LEFT - RIGHT, FALSE};
}

static gboolean has_time(const AftPicture *picture)
{
    return picture->end_s > 0.0 && isfinite(picture->end_s);
}

static double strips_height(const AftPen *pen, const AftPicture *picture, double width)
{
    AftScale time = time_scale(picture, width);
    double height = 0.0;
    for (guint r = 0; has_time(picture) && r < picture->results->len; r++) {
        height += aft_strip_height(pen, g_ptr_array_index(picture->results, r),
                                   picture->results->len, &time);
    }
    return height;
}

static double foot_height(const AftPicture *picture)
{
    return (MIN(picture->remarks->len, MOST_REMARKS) + 1) * FOOT_LINE + 4.0;
}

/* All but the plots. */
static double frame_height(const AftPen *pen, const AftPicture *picture, guint n_charts,
                           double width)
{
    return 2.0 * MARGIN + head_height(picture) + strips_height(pen, picture, width) +
           n_charts * (AFT_CHART_CAPTION + GAP) + MOMENTS + foot_height(picture);
}

double aft_figure_height(const AftPen *pen, const AftPicture *picture, guint n_charts, double width,
                         double plot)
{
    return frame_height(pen, picture, n_charts, width) + n_charts * plot;
}

static void draw_moments(const AftPen *pen, const AftScale *time, double end_s, double top)
{
    AftHand hand = {.size = 9.5, .ink = AFT_INK_MUTED};
    g_autoptr(GArray) ticks = aft_ticks_along(end_s, time->length);
    for (guint i = 0; i < ticks->len; i++) {
        const AftTick *tick = &g_array_index(ticks, AftTick, i);
        double x = aft_scale_place(time, tick->value), end = time->start + time->length;
        double half = aft_pen_width(pen, tick->label, &hand) / 2.0;
        hand.anchor = AFT_MIDDLE;
        aft_pen_write(pen, tick->label, fmin(x, end + RIGHT / 2.0 - half), top + 13.0, &hand);
    }
}

static void draw_foot(const AftPen *pen, const AftPicture *picture, double width, double height)
{
    AftHand hand = {.size = 9.0, .ink = AFT_INK_MUTED, .most = width - 2.0 * MARGIN};
    double y = height - MARGIN - foot_height(picture) + FOOT_LINE + 2.0;
    for (guint i = 0; i < MIN(picture->remarks->len, MOST_REMARKS); i++) {
        aft_pen_write(pen, g_ptr_array_index(picture->remarks, i), MARGIN, y, &hand);
        y += FOOT_LINE;
    }
    AftHand origin = {.size = 9.0, .ink = AFT_INK_MUTED, .anchor = AFT_UP_TO, .most = hand.most};
    aft_pen_write(pen, picture->origin, width - RIGHT, y, &origin);
}

static double draw_strips(const AftPen *pen, const AftPicture *picture, const AftScale *time,
                          double top)
{
    for (guint r = 0; has_time(picture) && r < picture->results->len; r++) {
        aft_strip_draw(pen, picture, r, time, top);
        top += aft_strip_height(pen, g_ptr_array_index(picture->results, r), picture->results->len,
                                time);
    }
    return top;
}

void aft_figure_draw(const AftPen *pen, const AftPicture *picture, const GPtrArray *charts,
                     double width, double height)
{
    AftScale time = time_scale(picture, width);
    double spare = height - frame_height(pen, picture, charts->len, width);
    double plot = fmax(spare / MAX(charts->len, 1), 1.0);
    double top = aft_figure_head(pen, picture, MARGIN, width - RIGHT, MARGIN);
    top = draw_strips(pen, picture, &time, top);
    for (guint i = 0; i < charts->len; i++) {
        aft_chart_draw(pen, picture, g_ptr_array_index(charts, i), &time, top + AFT_CHART_CAPTION,
                       plot);
        top += AFT_CHART_CAPTION + plot + GAP;
    }
    if (has_time(picture)) {
        draw_moments(pen, &time, picture->end_s, top - (charts->len > 0 ? GAP : 0.0) + 2.0);
    }
    draw_foot(pen, picture, width, height);
}
