/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "path.h"

#include <math.h>

static gboolean is_gap(const AftPictureLine *line, guint i)
{
    return i >= line->n || !isfinite(line->values[i]);
}

void aft_path_add(cairo_t *cairo, const AftPictureLine *line, const AftScale *x, const AftScale *y,
                  double dot)
{
    gboolean drawing = FALSE;
    for (guint i = 0; i < line->n; i++) {
        if (is_gap(line, i)) {
            drawing = FALSE;
            continue;
        }
        double at_x = aft_scale_place(x, line->time_s[i]);
        double at_y = aft_scale_place(y, line->values[i]);
        if (drawing) {
            cairo_line_to(cairo, at_x, at_y);
        } else if (is_gap(line, i + 1)) {
            cairo_move_to(cairo, at_x - dot / 2.0, at_y);
            cairo_line_to(cairo, at_x + dot / 2.0, at_y);
        } else {
            cairo_move_to(cairo, at_x, at_y);
        }
        drawing = TRUE;
    }
}
