/* SPDX-License-Identifier: GPL-3.0-or-later */
/* samples.h - OpenMetrics text: families, each of its series, each of its samples in time. */
#pragma once

#include "out.h"

typedef struct {
    const char *name; /* without "aftershock_" and without the unit */
    const char *unit; /* "seconds"; "": it is a number of no unit */
    const char *help;
} AftFamily;

/* One series on its way. */
typedef struct {
    AftOut *out;
    const AftFamily *family;
    const char *labels; /* what stands in { } */
    gint64 last_ms;     /* of the last sample; time goes on within a series */
} AftSeries;

/** Appends `name="text"`, with a comma in front unless it is the first. */
void aft_label_add(GString *labels, const char *name, const char *text);

/** TYPE, UNIT and HELP of @family, which is a gauge. */
void aft_family_begin(AftOut *out, const AftFamily *family);

AftSeries aft_series(AftOut *out, const AftFamily *family, const char *labels);

/** Adds @value at @ms, in milliseconds since 1970. What is not finite is no sample, nor is a second
 *  one of a millisecond. */
void aft_series_add(AftSeries *series, gint64 ms, double value);
