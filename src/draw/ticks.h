/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ticks.h - the values that axes name: few, in steps that people count by. */
#pragma once

#include <glib.h>

typedef struct {
    double value;
    char label[40]; /* UTF-8; "": a line without a text */
} AftTick;

/** From @from to @to in equal steps of 1, 2 or 5 times a power of ten, at most about @most.
 *  Returns: (transfer full): AftTick. */
GArray *aft_ticks_linear(double from, double to, guint most);

/** The same of a logarithmic axis (0 < @from < @to): 1, 2 and 5 times powers of ten, with labels
 *  where @most allows, else powers of ten alone have labels. Returns: (transfer full): AftTick. */
GArray *aft_ticks_log(double from, double to, guint most);

/** Moments from 0 to @end_s (above 0) in steps of seconds, minutes, hours or days.
 *  Returns: (transfer full): AftTick. */
GArray *aft_ticks_time(double end_s, guint most);

/** The same for an axis of @length, with room for each of their labels. Returns: (transfer full).
 */
GArray *aft_ticks_along(double end_s, double length);

/** The value of 1, 2 or 5 times a power of ten that is next to @value (above 0): not above it, or
 *  not below it. */
double aft_ticks_below(double value);
double aft_ticks_above(double value);
