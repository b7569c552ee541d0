/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h - a title, what came out, and charts below each other on one time axis: what fills an
 * SVG, a PNG, or a page of a PDF. */
#pragma once

#include "pen.h"

/** The height of a figure of @n_charts of @picture, @width wide, whose plots are @plot high each.
 */
double aft_figure_height(const AftPen *pen, const AftPicture *picture, guint n_charts, double width,
                         double plot);

/** Draws a figure of @width and @height with @charts, AftPictureChart of @picture. Plots share what
 *  height is left. */
void aft_figure_draw(const AftPen *pen, const AftPicture *picture, const GPtrArray *charts,
                     double width, double height);

/** Writes the title and what came out, from @top on. Returns: where that ends. */
double aft_figure_head(const AftPen *pen, const AftPicture *picture, double left, double right,
                       double top);
