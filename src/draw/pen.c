/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pen.h"

#include <aftershock/base/error.h>

#include <math.h>
#include <pango/pangocairo.h>

enum { MOST_LINES = 4 };

/* The dashes of page.js: lines that can be told from each other on grey paper. */
static const struct {
    int n;
    double lengths[6];
} dashes[AFT_LINE_INKS] = {
    {0, {0.0}},       {2, {7.0, 3.0}}, {2, {2.0, 2.0}}, {4, {9.0, 3.0, 2.0, 3.0}},
    {2, {12.0, 4.0}}, {2, {4.0, 4.0}}, {2, {1.0, 3.0}}, {6, {9.0, 3.0, 2.0, 3.0, 2.0, 3.0}},
};

/* Where no font is installed at all, pango only warns, and draws nothing. */
static gboolean has_fonts(PangoFontMap *map, GError **error)
{
    PangoFontFamily **families = NULL;
    int n = 0;
    pango_font_map_list_families(map, &families, &n);
    g_free(families);
    if (n == 0) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT,
                    "no font is installed to write with; Debian has fonts-dejavu-core");
    }
    return n > 0;
}

/* Letters of the same shape and width at every scale: a layout must not depend on pixels. */
static void forget_pixels(PangoContext *fonts)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(fonts, options);
    cairo_font_options_destroy(options);
    pango_context_set_round_glyph_positions(fonts, FALSE);
}

gboolean aft_pen_init(AftPen *pen, cairo_surface_t *surface, GError **error)
{
    PangoFontMap *map = pango_cairo_font_map_new();
    if (!has_fonts(map, error)) {
        g_object_unref(map);
        return FALSE;
    }
    *pen = (AftPen){cairo_create(surface), pango_font_map_create_context(map)};
    g_object_unref(map);
    forget_pixels(pen->fonts);
    cairo_set_line_join(pen->cairo, CAIRO_LINE_JOIN_ROUND);
    return TRUE;
}

void aft_pen_clear(AftPen *pen)
{
    g_clear_object(&pen->fonts);
    g_clear_pointer(&pen->cairo, cairo_destroy);
}

void aft_pen_ink(const AftPen *pen, AftInk ink, double opacity)
{
    guint32 colour = aft_ink_colour(ink);
    cairo_set_source_rgba(pen->cairo, (colour >> 16 & 0xff) / 255.0, (colour >> 8 & 0xff) / 255.0,
                          (colour & 0xff) / 255.0, opacity);
}

/* Returns: (transfer full): one line, whatever breaks the text has. */
static PangoLayout *lay_out(const AftPen *pen, const char *text, const AftHand *hand)
{
    PangoLayout *layout = pango_layout_new(pen->fonts);
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family_static(font, "Sans");
    pango_font_description_set_weight(font, hand->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(font, hand->size * PANGO_SCALE);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    pango_layout_set_text(layout, text, -1);
    if (hand->most > 0.0) {
        pango_layout_set_width(layout, pango_units_from_double(hand->most));
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
    }
    return layout;
}

static double width_of(PangoLayoutLine *line)
{
    PangoRectangle logical;
    pango_layout_line_get_extents(line, NULL, &logical);
    return pango_units_to_double(logical.width);
}

double aft_pen_write(const AftPen *pen, const char *text, double x, double y, const AftHand *hand)
{
    PangoLayout *layout = lay_out(pen, text, hand);
    PangoLayoutLine *line = pango_layout_get_line_readonly(layout, 0);
    double width = width_of(line);
    double before = hand->anchor == AFT_FROM ? 0.0 : hand->anchor == AFT_UP_TO ? width : width / 2;
    aft_pen_ink(pen, hand->ink, 1.0);
    cairo_move_to(pen->cairo, x - before, y);
    pango_cairo_show_layout_line(pen->cairo, line);
    cairo_new_path(pen->cairo);
    g_object_unref(layout);
    return width;
}

double aft_pen_write_block(const AftPen *pen, const char *text, double x, double top, double width,
                           const AftHand *hand)
{
    AftHand wide = *hand;
    wide.most = width;
    PangoLayout *layout = lay_out(pen, text, &wide);
    pango_layout_set_height(layout, -MOST_LINES);
    PangoRectangle logical;
    pango_layout_get_extents(layout, NULL, &logical);
    aft_pen_ink(pen, hand->ink, 1.0);
    cairo_move_to(pen->cairo, x, top);
    pango_cairo_show_layout(pen->cairo, layout);
    cairo_new_path(pen->cairo);
    g_object_unref(layout);
    return pango_units_to_double(logical.height);
}

double aft_pen_width(const AftPen *pen, const char *text, const AftHand *hand)
{
    PangoLayout *layout = lay_out(pen, text, hand);
    double width = width_of(pango_layout_get_line_readonly(layout, 0));
    g_object_unref(layout);
    return width;
}

void aft_pen_line(const AftPen *pen, double x1, double y1, double x2, double y2, double width)
{
    cairo_set_line_width(pen->cairo, width);
    cairo_move_to(pen->cairo, x1, y1);
    cairo_line_to(pen->cairo, x2, y2);
    cairo_stroke(pen->cairo);
}

void aft_pen_line_style(const AftPen *pen, guint number, double width)
{
    guint style = number % AFT_LINE_INKS;
    aft_pen_ink(pen, AFT_INK_LINES + style, 1.0);
    cairo_set_dash(pen->cairo, dashes[style].lengths, dashes[style].n, 0.0);
    cairo_set_line_width(pen->cairo, width);
}

void aft_pen_dots(const AftPen *pen)
{
    cairo_set_dash(pen->cairo, (double[]){1.0, 3.0}, 2, 0.0);
}

void aft_pen_dashes(const AftPen *pen)
{
    cairo_set_dash(pen->cairo, (double[]){12.0, 2.0}, 2, 0.0);
}

void aft_pen_solid(const AftPen *pen)
{
    cairo_set_dash(pen->cairo, NULL, 0, 0.0);
}

void aft_pen_fill(const AftPen *pen, double x, double y, double width, double height, AftInk ink,
                  double opacity)
{
    aft_pen_ink(pen, ink, opacity);
    cairo_rectangle(pen->cairo, x, y, width, height);
    cairo_fill(pen->cairo);
}

AftInk aft_ink_of(AftTint tint)
{
    static const AftInk of[] = {[AFT_TINT_NONE] = AFT_INK_TEXT,
                                [AFT_TINT_STRONG] = AFT_INK_TEXT,
                                [AFT_TINT_GOOD] = AFT_INK_GOOD,
                                [AFT_TINT_BAD] = AFT_INK_BAD,
                                [AFT_TINT_NOTICE] = AFT_INK_NOTICE};
    return of[tint];
}
