/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strip.h - phases by their names and events by theirs, above the charts and on their time axis. */
#pragma once

#include "pen.h"
#include "scale.h"

/** The height of the strip of @result among @n results. */
double aft_strip_height(const AftPen *pen, const AftPictureResult *result, guint n,
                        const AftScale *time);

/** Draws the strip of result @number of @picture, from @top on. */
void aft_strip_draw(const AftPen *pen, const AftPicture *picture, guint number,
                    const AftScale *time, double top);
