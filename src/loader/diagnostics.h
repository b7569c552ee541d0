/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diagnostics.h - problems with their places in a text, collected and then told in its order. */
#pragma once

#include <aftershock/scenario/scenario.h>

/** A place: a character of the text, or an override. */
typedef struct {
    guint line, column;   /* from 1; line 0: no place in the text */
    const char *override; /* (nullable): "path=value", borrowed */
} AftPlace;

typedef struct {
    const char *name; /* of the text, borrowed */
    const char *text; /* borrowed */
    gsize bytes;
    GArray *entries;
    guint errors;
} AftDiagnostics;

/** Makes @diagnostics ready for the text called @name. Both are borrowed until it is cleared. */
void aft_diagnostics_init(AftDiagnostics *diagnostics, const char *name, const char *text,
                          gsize bytes);

void aft_diagnostics_clear(AftDiagnostics *diagnostics);

/** The place of the byte at @offset, all before it being valid UTF-8. */
AftPlace aft_diagnostics_place(const AftDiagnostics *diagnostics, gsize offset);

/** Adds an error at @place. */
void aft_diagnostics_error(AftDiagnostics *diagnostics, const AftPlace *place, const char *format,
                           ...) G_GNUC_PRINTF(3, 4);

/** Adds @problem, at @place. */
void aft_diagnostics_add(AftDiagnostics *diagnostics, const AftPlace *place,
                         const AftProblem *problem);

/** Writes everything added so far to @messages (texts, to free with g_free()): the text's in its
 *  order, then those of overrides; equal places in the order they were added. From 1,000 on they
 *  are only counted. */
void aft_diagnostics_write(AftDiagnostics *diagnostics, GPtrArray *messages);
