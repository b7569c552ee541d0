/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.h - JSON of strangers, bounded before a recursive parser sees it.
 *
 * Lines before the document (warnings of the tool, say) are passed over, so are those behind it.
 * Depth, length and number of values are held to limits; comments and quotes of one stroke, which
 * the parser would take though they are no JSON, are refused.
 */
#pragma once

#include <json-glib/json-glib.h>

enum { AFT_TREE_DEEPEST = 64, AFT_TREE_MOST_VALUES = 1000000 };

/** Reads the last document in @text, of the file called @path; @text is written to.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_SYNTAX, or AFT_ERROR_LIMIT, and
 *  "path:line:column: ...". */
JsonNode *aft_tree_parse(const char *path, char *text, GError **error);

/** The same of the file at @path; AFT_ERROR_FILE as well. */
JsonNode *aft_tree_read(const char *path, GError **error);

/** The members of the document @root, which is of the file at @path. Returns: (transfer none)
 *  (nullable): NULL with AFT_ERROR_SYNTAX when it is no object. */
JsonObject *aft_tree_top(JsonNode *root, const char *path, GError **error);

/** The object, or the array, that is the member @name of @object; NULL when there is none, or null.
 *  @where is the place of @object for errors, "file: jobs[2]".
 *  Returns: FALSE with AFT_ERROR_SYNTAX when it is something else. */
gboolean aft_tree_object(JsonObject *object, const char *where, const char *name,
                         JsonObject **ret_member, GError **error);
gboolean aft_tree_array(JsonObject *object, const char *where, const char *name,
                        JsonArray **ret_member, GError **error);

/** The number, 0 or more, that is the member @name; NaN when there is none, or null.
 *  Returns: FALSE with AFT_ERROR_SYNTAX when it is something else. */
gboolean aft_tree_number(JsonObject *object, const char *where, const char *name, double *ret_value,
                         GError **error);

/** The text that is the member @name. Returns: (transfer none) (nullable): NULL when it is none. */
const char *aft_tree_text(JsonObject *object, const char *name);

/** The object at @index of @array, or NULL. */
JsonObject *aft_tree_item(JsonArray *array, guint index);
