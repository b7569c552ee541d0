/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "strip.h"

#include "chart.h"
#include "marks.h"

#include <math.h>

#define BANDS 18.0 /* high */
#define LANE  13.0
#define AFTER 4.0
#define TICK  3.0 /* of a mark without a text */

#define LONGEST 260.0 /* text of a mark */

static AftHand mark_hand(const AftEventMark *mark)
{
    return (AftHand){.size = 9.5,
                     .ink = mark->weight == 0 ? AFT_INK_BAD : AFT_INK_MUTED,
                     .bold = mark->weight == 0,
                     .most = LONGEST};
}

/* Returns: (transfer full): a place for each mark, and how many lanes they take. */
static AftMarkPlace *places_of(const AftPen *pen, const AftPictureResult *result, guint n,
                               const AftScale *time, guint *ret_lanes)
{
    AftMarkPlace *places = g_new0(AftMarkPlace, MAX(result->marks->len, 1));
    for (guint i = 0; i < result->marks->len; i++) {
        const AftEventMark *mark = &g_array_index(result->marks, AftEventMark, i);
        AftHand hand = mark_hand(mark);
        places[i].x = aft_scale_place(time, mark->time_s) - time->start;
        places[i].length = aft_pen_width(pen, mark->text, &hand) + 9.0;
        places[i].weight = mark->weight;
    }
    *ret_lanes =
        aft_marks_place(places, result->marks->len, time->length, n > 1 ? 1 : AFT_MARK_LANES);
    return places;
}

double aft_strip_height(const AftPen *pen, const AftPictureResult *result, guint n,
                        const AftScale *time)
{
    guint lanes = 0;
    g_free(places_of(pen, result, n, time, &lanes));
    return BANDS + fmax(lanes * LANE, result->marks->len > 0 ? TICK : 0.0) + AFTER;
}

static void draw_bands(const AftPen *pen, const GArray *bands, const AftScale *time, double top)
{
    AftHand hand = {.size = 10.0, .ink = AFT_INK_TEXT, .bold = TRUE, .anchor = AFT_MIDDLE};
    for (guint i = 0; i < bands->len; i++) {
        const AftBand *band = &g_array_index(bands, AftBand, i);
        const char *name = aft_phase_name(band->phase);
        double from = aft_scale_place(time, band->from_s), to = aft_scale_place(time, band->to_s);
        aft_pen_fill(pen, from, top, to - from, BANDS, AFT_INK_PHASES + band->phase, 1.0);
        aft_pen_ink(pen, AFT_INK_MUTED, 1.0);
        aft_pen_line(pen, from, top, from, top + BANDS, 0.6);
        if (aft_pen_width(pen, name, &hand) + 4.0 <= to - from) {
            aft_pen_write(pen, name, (from + to) / 2.0, top + BANDS - 5.5, &hand);
        }
    }
    aft_pen_ink(pen, AFT_INK_MUTED, 1.0);
    cairo_set_line_width(pen->cairo, 0.6);
    cairo_rectangle(pen->cairo, time->start, top, time->length, BANDS);
    cairo_stroke(pen->cairo);
}

static void draw_mark(const AftPen *pen, const AftEventMark *mark, const AftMarkPlace *place,
                      double start, double top)
{
    AftHand hand = mark_hand(mark);
    gboolean told = place->lane < AFT_MARK_LANES;
    double x = start + place->x, height = told ? (place->lane + 1) * LANE : TICK;
    aft_pen_ink(pen, hand.ink, 1.0);
    aft_pen_line(pen, x, top, x, top + height, 0.8);
    if (told) {
        hand.anchor = place->left ? AFT_UP_TO : AFT_FROM;
        aft_pen_write(pen, mark->text, x + (place->left ? -3.5 : 3.5), top + height - 2.5, &hand);
    }
}

void aft_strip_draw(const AftPen *pen, const AftPicture *picture, guint number,
                    const AftScale *time, double top)
{
    const AftPictureResult *result = g_ptr_array_index(picture->results, number);
    guint lanes = 0;
    g_autofree AftMarkPlace *places = places_of(pen, result, picture->results->len, time, &lanes);
    draw_bands(pen, result->bands, time, top);
    if (picture->results->len > 1) {
        aft_chart_key(pen, number, time->start - AFT_CHART_KEY - 8.0, top + BANDS / 2.0);
    }
    for (guint i = 0; i < result->marks->len; i++) {
        draw_mark(pen, &g_array_index(result->marks, AftEventMark, i), &places[i], time->start,
                  top + BANDS);
    }
}
