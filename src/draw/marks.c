/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "marks.h"

#define NEAR 2.0 /* a line so near to the end of a text does not cross it */

typedef struct {
    double from, to;
} Span;

typedef struct {
    GArray *texts; /* Span */
    GArray *lines; /* double: where lines of marks pass through to lanes below */
} Lane;

static gboolean is_inside(double x, Span span)
{
    return x > span.from + NEAR && x < span.to - NEAR;
}

static gboolean crosses_text(const Lane *lane, double x)
{
    for (guint i = 0; i < lane->texts->len; i++) {
        if (is_inside(x, g_array_index(lane->texts, Span, i))) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean is_free(const Lane *lane, Span span)
{
    for (guint i = 0; i < lane->texts->len; i++) {
        Span other = g_array_index(lane->texts, Span, i);
        if (span.to > other.from && span.from < other.to) {
            return FALSE;
        }
    }
    for (guint i = 0; i < lane->lines->len; i++) {
        if (is_inside(g_array_index(lane->lines, double, i), span)) {
            return FALSE;
        }
    }
    return TRUE;
}

static guint count_inside(const AftMarkPlace *places, guint n, Span span)
{
    guint count = 0;
    for (guint i = 0; i < n; i++) {
        count += is_inside(places[i].x, span) ? 1 : 0;
    }
    return count;
}

static Span span_of(const AftMarkPlace *place, gboolean left)
{
    return left ? (Span){place->x - place->length, place->x}
                : (Span){place->x, place->x + place->length};
}

static gboolean fits(const AftMarkPlace *place, gboolean left, const Lane *lane, double width)
{
    Span span = span_of(place, left);
    return span.from >= 0.0 && span.to <= width && is_free(lane, span);
}

static void put(AftMarkPlace *place, Lane *lanes, guint lane, gboolean left)
{
    Span span = span_of(place, left);
    place->lane = lane;
    place->left = left;
    g_array_append_val(lanes[lane].texts, span);
    for (guint above = 0; above < lane; above++) {
        g_array_append_val(lanes[above].lines, place->x);
    }
}

static void find_place(AftMarkPlace *place, Lane *lanes, guint n_lanes, gboolean left_first,
                       double width)
{
    for (guint lane = 0; lane < n_lanes; lane++) {
        for (guint side = 0; side < 2; side++) {
            gboolean left = (side == 0) == left_first;
            if (fits(place, left, &lanes[lane], width)) {
                put(place, lanes, lane, left);
                return;
            }
        }
        if (crosses_text(&lanes[lane], place->x)) {
            return; /* its line cannot go further down */
        }
    }
}

guint aft_marks_place(AftMarkPlace *places, guint n, double width, guint n_lanes)
{
    Lane lanes[AFT_MARK_LANES];
    guint used = 0, heaviest = 0;
    g_assert(n_lanes >= 1 && n_lanes <= AFT_MARK_LANES);
    for (guint l = 0; l < n_lanes; l++) {
        lanes[l] = (Lane){g_array_new(FALSE, FALSE, sizeof(Span)),
                          g_array_new(FALSE, FALSE, sizeof(double))};
    }
    for (guint i = 0; i < n; i++) {
        places[i].lane = AFT_MARK_LANES;
        heaviest = MAX(heaviest, places[i].weight);
    }
    for (guint weight = 0; weight <= heaviest; weight++) {
        for (guint i = 0; i < n; i++) {
            if (places[i].weight == weight) {
                gboolean left = count_inside(places, n, span_of(&places[i], TRUE)) <
                                count_inside(places, n, span_of(&places[i], FALSE));
                find_place(&places[i], lanes, n_lanes, left, width);
                used = MAX(used, places[i].lane < n_lanes ? places[i].lane + 1 : 0);
            }
        }
    }
    for (guint l = 0; l < n_lanes; l++) {
        g_array_unref(lanes[l].texts);
        g_array_unref(lanes[l].lines);
    }
    return used;
}
