/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pen.h - what everything here draws with: cairo, a font, and the inks. Places are in units of a
 * page, from its upper left corner; a unit is about a point. Texts are text, never markup. */
#pragma once

#include <aftershock/report/picture.h>
#include <aftershock/result/palette.h>

#include <cairo.h>
#include <pango/pango.h>

typedef struct {
    cairo_t *cairo;
    PangoContext *fonts;
} AftPen;

typedef enum { AFT_FROM, AFT_MIDDLE, AFT_UP_TO } AftAnchor;

/** How a text is written. */
typedef struct {
    double size;
    AftInk ink;
    gboolean bold;
    AftAnchor anchor; /* of the place */
    double most;      /* wide it may be, cut with "…" where it would be wider; 0: anything */
} AftHand;

/** Prepares to draw on @surface, until aft_pen_clear().
 *  Returns: FALSE with AFT_ERROR_LIMIT when there is no font. */
gboolean aft_pen_init(AftPen *pen, cairo_surface_t *surface, GError **error);

/** Forgets what was prepared; the surface stays. */
void aft_pen_clear(AftPen *pen);

void aft_pen_ink(const AftPen *pen, AftInk ink, double opacity);

/** Writes a line of @text, whose baseline is at @y. Returns: its width. */
double aft_pen_write(const AftPen *pen, const char *text, double x, double y, const AftHand *hand);

/** Writes @text in lines of @width at most, from @top on, cut after the fourth.
 *  Returns: their height. */
double aft_pen_write_block(const AftPen *pen, const char *text, double x, double top, double width,
                           const AftHand *hand);

/** The width of @text, cut as aft_pen_write() would. */
double aft_pen_width(const AftPen *pen, const char *text, const AftHand *hand);

/** A straight line of @width in the present ink. */
void aft_pen_line(const AftPen *pen, double x1, double y1, double x2, double y2, double width);

/** Dashes and ink of line @number, from 0, for what is drawn next, 1.4 wide or so. */
void aft_pen_line_style(const AftPen *pen, guint number, double width);

/** Dashes of lines of events, of what is required, or none. */
void aft_pen_dots(const AftPen *pen);
void aft_pen_dashes(const AftPen *pen);
void aft_pen_solid(const AftPen *pen);

/** A rectangle of @ink. */
void aft_pen_fill(const AftPen *pen, double x, double y, double width, double height, AftInk ink,
                  double opacity);

/** The ink that says @tint. */
AftInk aft_ink_of(AftTint tint);
