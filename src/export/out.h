/* SPDX-License-Identifier: GPL-3.0-or-later */
/* out.h - text on its way into a stream, a piece at a time.
 *
 * What goes wrong is remembered, so that only the end has to be looked at.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

typedef struct {
    FILE *stream;  /* borrowed */
    GString *text; /* what is not there yet */
    int failure;   /* errno of the first write that failed; 0: none did */
} AftOut;

AftOut aft_out(FILE *stream);

void aft_out_add(AftOut *out, const char *text);
void aft_out_format(AftOut *out, const char *format, ...) G_GNUC_PRINTF(2, 3);

/** Adds @value with up to @digits significant digits, the same in every locale. */
void aft_out_number(AftOut *out, double value, guint digits);

/** Adds @ms milliseconds as seconds: "1704067200.25". */
void aft_out_seconds(AftOut *out, gint64 ms);

/** Writes what is left, and frees all but the stream. Returns: whether all of it was taken; else
 *  errno says why not. */
gboolean aft_out_end(AftOut *out);
