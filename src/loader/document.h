/* SPDX-License-Identifier: GPL-3.0-or-later */
/* document.h - one YAML document, read event by event into a target.
 *
 * A target is what a kind of file says: which keys there are, and where their values go. A key is
 * known by its path, "workload[0].rate"; an item of a list has the path of the list and its index.
 */
#pragma once

#include "diagnostics.h"
#include "places.h"

#include <aftershock/scenario/keys.h>

typedef struct {
    const char *kind; /* of file: "scenario" */

    /* What may stand at a path, the empty one being the whole document. */
    AftKeyShape (*shape)(const char *path);

    /* A map (or a list) begins at @path. Returns: FALSE after adding to @problems when none may. */
    gboolean (*open)(gpointer data, const char *path, gboolean list, GPtrArray *problems);

    /* A value. Adds to @problems (AftProblem) what is wrong with it; no key, no value there. */
    void (*set)(gpointer data, const char *path, const char *text, GPtrArray *problems);

    /* (nullable) Whether the keys of the map at @path are paths, "timeline[0].at". They stand in
     * brackets then, "axes[timeline[0].at]". */
    gboolean (*holds_paths)(const char *path);
} AftDocumentTarget;

/** Tells @target, with its @data, what the text of @diagnostics, valid UTF-8, says; what is wrong
 *  goes to @diagnostics, where things stand to @places.
 *  Returns: FALSE when it could not be read to its end, so that what is missing may only not have
 *  been read. */
gboolean aft_document_read(const AftDocumentTarget *target, gpointer data,
                           AftDiagnostics *diagnostics, AftPlaces *places);

/** What kind of file the text of @diagnostics, valid UTF-8, says it is.
 *  Returns: (transfer full) (nullable): NULL when it does not say. */
char *aft_document_kind(const AftDiagnostics *diagnostics, AftPlace *ret_place);
