/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sheet.h"

#include <math.h>

#define SIZE     10.0 /* of letters */
#define SMALLEST 0.6  /* of that */
#define GAP      15.0 /* between columns */
#define TIGHT    4.0
#define ROW      15.5
#define WIDEST   240.0 /* text of a cell, which is cut there */

typedef struct {
    const AftPen *pen;
    const AftGrid *grid;
    guint n;
    double *lefts; /* of the columns; the end of the last is the n-th */
    double *widths;
    double shrink; /* of letters and of all that is between them */
} Layout;

static AftHand hand_of(AftTint tint)
{
    return (AftHand){.size = SIZE,
                     .ink = aft_ink_of(tint),
                     .bold = tint == AFT_TINT_STRONG || tint == AFT_TINT_BAD,
                     .most = WIDEST};
}

static const AftHand title_hand = {.size = SIZE,
                                   .ink = AFT_INK_MUTED,
                                   .bold = TRUE,
                                   .most = WIDEST};

static double column_width(const AftPen *pen, const AftGrid *grid, guint column)
{
    double width = aft_pen_width(pen, aft_grid_column(grid, column).title, &title_hand);
    for (guint row = 0; row < aft_grid_n_rows(grid); row++) {
        AftTint tint;
        const char *text = aft_grid_cell(grid, column, row, &tint);
        AftHand hand = hand_of(tint);
        width = fmax(width, aft_pen_width(pen, text, &hand));
    }
    return width;
}

static Layout lay_out(const AftPen *pen, const AftGrid *grid, double width)
{
    guint n = aft_grid_n_columns(grid);
    Layout it = {pen, grid, n, g_new0(double, n + 1), g_new0(double, n + 1), 1.0};
    double x = 0.0;
    for (guint c = 0; c < n; c++) {
        x += c == 0 ? 0.0 : aft_grid_column(grid, c).tight ? TIGHT : GAP;
        it.lefts[c] = x;
        it.widths[c] = column_width(pen, grid, c);
        x += it.widths[c];
    }
    it.lefts[n] = x;
    it.shrink = CLAMP(width / fmax(x, 1.0), SMALLEST, 1.0);
    return it;
}

static void write_in(const Layout *it, guint column, const char *text, AftHand hand, double y)
{
    gboolean right = aft_grid_column(it->grid, column).right;
    hand.anchor = right ? AFT_UP_TO : AFT_FROM;
    aft_pen_write(it->pen, text, it->lefts[column] + (right ? it->widths[column] : 0.0), y, &hand);
}

/* Whether a column and the one before stand under one title. */
static gboolean is_joined(const AftGrid *grid, guint column)
{
    return column > 0 && g_str_equal(aft_grid_column(grid, column).group,
                                     aft_grid_column(grid, column - 1).group);
}

/* Titles of groups, each above a rule of its width. Returns: whether there are any. */
static gboolean draw_groups(const Layout *it, double y)
{
    gboolean any = FALSE;
    for (guint c = 0; c < it->n; c++) {
        const char *group = aft_grid_column(it->grid, c).group;
        if (*group == '\0' || is_joined(it->grid, c)) {
            continue;
        }
        guint last = c;
        while (last + 1 < it->n && is_joined(it->grid, last + 1)) {
            last++;
        }
        double from = it->lefts[c], to = it->lefts[last] + it->widths[last];
        AftHand hand = title_hand;
        hand.anchor = AFT_MIDDLE;
        hand.most = to - from;
        aft_pen_write(it->pen, group, (from + to) / 2.0, y, &hand);
        aft_pen_ink(it->pen, AFT_INK_RULE, 1.0);
        aft_pen_line(it->pen, from, y + 4.0, to, y + 4.0, 0.8);
        any = TRUE;
    }
    return any;
}

static double draw_titles(const Layout *it)
{
    double y = ROW - 4.0;
    y += draw_groups(it, y) ? ROW : 0.0;
    for (guint c = 0; c < it->n; c++) {
        write_in(it, c, aft_grid_column(it->grid, c).title, title_hand, y);
    }
    aft_pen_ink(it->pen, AFT_INK_MUTED, 1.0);
    aft_pen_line(it->pen, 0.0, y + 4.5, it->lefts[it->n], y + 4.5, 0.8);
    return y + 4.0;
}

static void draw_row(const Layout *it, guint row, double top)
{
    for (guint c = 0; c < it->n; c++) {
        AftTint tint;
        const char *text = aft_grid_cell(it->grid, c, row, &tint);
        write_in(it, c, text, hand_of(tint), top + ROW - 4.0);
    }
    aft_pen_ink(it->pen, AFT_INK_GRID, 1.0);
    aft_pen_line(it->pen, 0.0, top + ROW, it->lefts[it->n], top + ROW, 0.5);
}

guint aft_sheet_draw(const AftPen *pen, const AftGrid *grid, guint first, double left, double width,
                     double top, double bottom, double *ret_end)
{
    Layout it = lay_out(pen, grid, width);
    cairo_save(pen->cairo);
    cairo_translate(pen->cairo, left, top);
    cairo_scale(pen->cairo, it.shrink, it.shrink);
    double y = draw_titles(&it), end = (bottom - top) / it.shrink;
    guint row = first;
    for (; row < aft_grid_n_rows(grid) && (y + ROW <= end || row == first); row++) {
        draw_row(&it, row, y);
        y += ROW;
    }
    cairo_restore(pen->cairo);
    g_free(it.lefts);
    g_free(it.widths);
    *ret_end = top + y * it.shrink;
    return row;
}
