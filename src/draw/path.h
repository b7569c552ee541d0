/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path.h - the points of a line as a path of cairo. */
#pragma once

#include "scale.h"

#include <aftershock/report/picture.h>

#include <cairo.h>

/** Adds @line to the path: pieces between gaps, and where a value stands between two gaps, a stroke
 *  of @dot across its place. */
void aft_path_add(cairo_t *cairo, const AftPictureLine *line, const AftScale *x, const AftScale *y,
                  double dot);
