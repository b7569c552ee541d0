/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale.h - from a value to a place on paper. */
#pragma once

#include <glib.h>

typedef struct {
    double from, to;      /* values at the ends, different; above 0 if @log */
    double start, length; /* on paper; a negative length counts upwards */
    gboolean log;
} AftScale;

/** Where @value is; what lies beyond an end is put there. */
double aft_scale_place(const AftScale *scale, double value);
