/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema_parts.h - the pieces that a JSON Schema is put together of.
 *
 * Every node of an outline has a definition, "scenario.workload:item.rate"; maps and lists refer to
 * those of what they hold. What may be written in several forms is anyOf them.
 */
#pragma once

#include "outline.h"

#include <json-glib/json-glib.h>

typedef struct {
    JsonBuilder *json;
    const char *prefix;         /* of the names of definitions */
    const AftOutline *scenario; /* that paths are in; NULL: of a scenario itself */
    gboolean partial; /* maps set some keys: none must be there, and they may have a name */
} AftSchema;

/** Members "$ref" and so on, of the object that is being built. */
void aft_schema_text(JsonBuilder *json, const char *name, const char *text);
void aft_schema_number(JsonBuilder *json, const char *name, double value);
void aft_schema_refer(const AftSchema *schema, const char *path);

/** Begins the object, or list, that the member @name is. */
void aft_schema_object(JsonBuilder *json, const char *name);
void aft_schema_list(JsonBuilder *json, const char *name);

/** What one value of @node is: type, pattern, choices, range. */
void aft_schema_value(JsonBuilder *json, const AftOutline *node);

/** What distributions and ranges of numbers of @type are, as an object. */
void aft_schema_spread(JsonBuilder *json, AftKeyType type);

/** "time"; NULL: @type has no numbers. Returns: (transfer none). */
const char *aft_schema_type_name(AftKeyType type);

/** Members of the map @node whose keys are paths of scenario keys: of an axis, of a point of a list
 *  or of what is set. */
void aft_schema_paths(const AftSchema *schema, const AftOutline *node);
