/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema.h - what may stand in a file, told to editors, validators and readers.
 *
 * Both are made of the tables that files are read by, so that they cannot say anything else. A
 * schema knows keys, words, units, plain numbers and forms; what one key means for another, and
 * ranges of numbers that have a unit, only reading tells.
 */
#pragma once

#include <glib.h>

typedef enum {
    AFT_SCHEMA_SCENARIO,
    AFT_SCHEMA_SWEEP,
    AFT_SCHEMA_REFERENCE,
    AFT_SCHEMAS
} AftSchemaKind;

/** "scenario". Returns: (transfer none). */
const char *aft_schema_kind_name(AftSchemaKind kind);

/** Returns: whether there is a kind of file called @name. */
gboolean aft_schema_kind_find(const char *name, AftSchemaKind *ret_kind);

/** The JSON Schema (draft-07) of files of @kind, a newline at its end. Returns: (transfer full). */
char *aft_loader_schema(AftSchemaKind kind);

/** A table of all keys of files of @kind, in Markdown. Returns: (transfer full). */
char *aft_loader_manual(AftSchemaKind kind);
