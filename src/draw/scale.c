/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scale.h"

#include <math.h>

double aft_scale_place(const AftScale *scale, double value)
{
    double share = scale->log
                       ? log(fmax(value, scale->from) / scale->from) / log(scale->to / scale->from)
                       : (value - scale->from) / (scale->to - scale->from);
    return scale->start + scale->length * fmin(fmax(share, 0.0), 1.0) /* NaN is at the start */;
}
