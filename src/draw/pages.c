/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart.h"
#include "figure.h"
#include "forms.h"
#include "sheet.h"

#define SCALE  0.85 /* of a figure on paper: letters of 9 points */
#define WIDTH  (AFT_PAGE_WIDTH / SCALE)
#define HEIGHT (AFT_PAGE_HEIGHT / SCALE)
#define MARGIN 40.0
#define LABEL  80.0 /* wide, of a note */
#define ROOM   70.0 /* that a table or a note needs, or else begins another page */

enum { CHARTS = 4 /* on a page */ };

static void begin_page(const AftPen *pen)
{
    cairo_identity_matrix(pen->cairo);
    cairo_scale(pen->cairo, SCALE, SCALE);
}

static void end_page(const AftPen *pen)
{
    cairo_show_page(pen->cairo);
}

/* Where to go on: at @y, or on another page when less than @room is left there. */
static double make_room(const AftPen *pen, double y, double room)
{
    if (y + room <= HEIGHT - MARGIN) {
        return y;
    }
    end_page(pen);
    begin_page(pen);
    return MARGIN;
}

static double draw_heading(const AftPen *pen, const char *heading, double y)
{
    AftHand hand = {.size = 12.0, .ink = AFT_INK_TEXT, .bold = TRUE, .most = WIDTH - 2.0 * MARGIN};
    aft_pen_write(pen, heading, MARGIN, y + 12.0, &hand);
    return y + 20.0;
}

static double draw_table(const AftPen *pen, const AftGrid *grid, double y)
{
    guint row = 0;
    do {
        y = make_room(pen, y, ROOM);
        row = aft_sheet_draw(pen, grid, row, MARGIN, WIDTH - 2.0 * MARGIN, y, HEIGHT - MARGIN, &y);
    } while (row < aft_grid_n_rows(grid));
    return y + 16.0;
}

/* Notes of @result; those with a tint only with @all: the head of the page may have them. */
static double draw_notes(const AftPen *pen, const AftPictureResult *result, gboolean all, double y)
{
    for (guint i = 0; i < result->notes->len; i++) {
        const AftNote *note = g_ptr_array_index(result->notes, i);
        if (note->tint != AFT_TINT_NONE && !all) {
            continue;
        }
        AftHand label = {.size = 10.0, .ink = aft_ink_of(note->tint), .bold = TRUE};
        AftHand text = {.size = 10.0, .ink = AFT_INK_TEXT};
        y = make_room(pen, y, ROOM);
        aft_pen_write(pen, note->label, MARGIN, y + 10.0, &label);
        y += aft_pen_write_block(pen, note->text, MARGIN + LABEL, y, WIDTH - 2.0 * MARGIN - LABEL,
                                 &text) +
             3.0;
    }
    return y + 14.0;
}

static double draw_remarks(const AftPen *pen, const GPtrArray *remarks, double y)
{
    AftHand hand = {.size = 10.0, .ink = AFT_INK_MUTED};
    for (guint i = 0; i < remarks->len; i++) {
        y = make_room(pen, y, ROOM);
        y += aft_pen_write_block(pen, g_ptr_array_index(remarks, i), MARGIN, y,
                                 WIDTH - 2.0 * MARGIN, &hand) +
             3.0;
    }
    return y;
}

static void draw_origin(const AftPen *pen, const AftPicture *picture)
{
    AftHand hand = {.size = 9.0, .ink = AFT_INK_MUTED, .anchor = AFT_UP_TO, .most = WIDTH / 2.0};
    aft_pen_write(pen, picture->origin, WIDTH - MARGIN, HEIGHT - MARGIN / 2.0, &hand);
}

static double draw_result(const AftPen *pen, const AftPictureResult *result, gboolean several,
                          double y)
{
    if (several) {
        y = draw_heading(pen, result->label, make_room(pen, y, ROOM));
    }
    if (result->phases != NULL) {
        y = draw_table(pen, result->phases, y);
    }
    return draw_notes(pen, result, several, y);
}

/* What came out, in words. */
static void draw_words(const AftPen *pen, const AftPicture *picture)
{
    begin_page(pen);
    draw_origin(pen, picture);
    double y = aft_figure_head(pen, picture, MARGIN, WIDTH - MARGIN, MARGIN) + 8.0;
    for (guint i = 0; i < picture->beside->len; i++) {
        y = draw_table(pen, g_ptr_array_index(picture->beside, i), y);
    }
    for (guint r = 0; r < picture->results->len; r++) {
        y = draw_result(pen, g_ptr_array_index(picture->results, r), picture->results->len > 1, y);
    }
    draw_remarks(pen, picture->remarks, y);
    end_page(pen);
}

/* The charts of the first choice, and then all others. Returns: (transfer container). */
static GPtrArray *in_order(const GPtrArray *charts)
{
    GPtrArray *ordered = g_ptr_array_new();
    for (guint others = 0; others < 2; others++) {
        for (guint i = 0; i < charts->len; i++) {
            const AftPictureChart *chart = g_ptr_array_index(charts, i);
            if ((chart->choice > 0) == (others > 0)) {
                g_ptr_array_add(ordered, (gpointer)chart);
            }
        }
    }
    return ordered;
}

/* As many on each page as on the others, or one less. */
static void draw_charts(const AftPen *pen, const AftPicture *picture)
{
    g_autoptr(GPtrArray) charts = in_order(picture->charts);
    guint n_pages = (charts->len + CHARTS - 1) / CHARTS;
    for (guint page = 0; page < n_pages; page++) {
        g_autoptr(GPtrArray) some = g_ptr_array_new();
        guint end = (page + 1) * charts->len / n_pages;
        for (guint i = page * charts->len / n_pages; i < end; i++) {
            g_ptr_array_add(some, g_ptr_array_index(charts, i));
        }
        begin_page(pen);
        aft_figure_draw(pen, picture, some, WIDTH, HEIGHT);
        end_page(pen);
    }
}

gboolean aft_pages_draw(cairo_surface_t *surface, const AftPicture *picture, GError **error)
{
    AftPen pen;
    if (!aft_pen_init(&pen, surface, error)) {
        return FALSE;
    }
    draw_words(&pen, picture);
    draw_charts(&pen, picture);
    gboolean fine = aft_draw_check(cairo_status(pen.cairo), error);
    aft_pen_clear(&pen);
    return fine;
}
