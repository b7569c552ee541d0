/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.h - rows of a table, as result/columns.h has them, as JSON. */
#pragma once

#include <aftershock/result/columns.h>

#include <json-glib/json-glib.h>

/** Adds the array of @rows of @table as the member @name: an object a row, with the columns as its
 *  members; an empty cell is null. */
void aft_rows_add_json(JsonBuilder *json, const char *name, const AftTable *table,
                       const GArray *rows);

/** Adds the text member @name. */
void aft_rows_add_text(JsonBuilder *json, const char *name, const char *text);

/** Adds the number member @name; null if it is not finite. */
void aft_rows_add_number(JsonBuilder *json, const char *name, double value);

/** The text of what @json built, which it is freed with; it ends in a line feed.
 *  Returns: (transfer full). */
char *aft_rows_json_text(JsonBuilder *json);

/** An array of @table's rows that clears their texts. Returns: (transfer full). */
GArray *aft_rows_new(const AftTable *table, GDestroyNotify clear);
