/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source.h - a text on its way to become a scenario or a reference, with all that is wrong with it.
 *
 *     if (aft_source_init(&source, "my.yaml", text, bytes, NULL, error)) {
 *         if (aft_source_read(&source, &target, data)) {
 *             ... look at what no single key can tell, with source.problems
 *             aft_source_tell(&source);
 *         }
 *         gboolean fine = aft_source_finish(&source, messages, error);
 *     }
 */
#pragma once

#include "document.h"

typedef struct {
    AftDiagnostics diagnostics;
    AftPlaces *places;
    GPtrArray *problems; /* AftProblem: not yet told */
} AftSource;

/** Makes @source ready for @text, called @name; all are borrowed until it is finished. @full is
 *  that of aft_places_new().
 *  Returns: FALSE with AFT_ERROR_LIMIT when the text is too long. */
gboolean aft_source_init(AftSource *source, const char *name, const char *text, gsize bytes,
                         char *(*full)(const char *path), GError **error);

/** Reads the text into @target with its @data. A text that says it is of another kind that there is
 *  is not read but refused, and one that does not say so is a scenario.
 *  Returns: FALSE when it was not read to its end. */
gboolean aft_source_read(AftSource *source, const AftDocumentTarget *target, gpointer data);

/** Tells the problems where their keys stand. */
void aft_source_tell(AftSource *source);

/** Writes everything to @messages and clears @source.
 *  Returns: FALSE with AFT_ERROR_SYNTAX when there was an error. */
gboolean aft_source_finish(AftSource *source, GPtrArray *messages, GError **error);
