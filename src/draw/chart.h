/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chart.h - one chart: a caption, and a plot on the time axis of all. */
#pragma once

#include "pen.h"
#include "scale.h"

/** What a caption takes above a plot. */
#define AFT_CHART_CAPTION 17.0

/** Draws @chart of @picture with its plot from @top to @top + @height, and along @time. What lies
 *  behind the lines is that of the first result. */
void aft_chart_draw(const AftPen *pen, const AftPicture *picture, const AftPictureChart *chart,
                    const AftScale *time, double top, double height);

/** Draws a piece of line @number, to say which it is; its middle is at @y. */
void aft_chart_key(const AftPen *pen, guint number, double x, double y);

/** How long that is. */
#define AFT_CHART_KEY 28.0

/** The scale of the values of @chart, from @top down to @top + @height: from 0, or logarithmic
 * where the greatest values would hide all others. */
AftScale aft_chart_scale(const AftPictureChart *chart, double top, double height);
