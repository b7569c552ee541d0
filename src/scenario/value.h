/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value.h - one value of a scenario, between its text and its field. */
#pragma once

#include <aftershock/scenario/keys.h>

enum { AFT_VALUE_LONGEST_NAME = 200, AFT_VALUE_LONGEST_PATH = 4000 }; /* bytes */

/** A bound of @key in the unit that people write it in; counts in full.
 *  Returns: (transfer full). */
char *aft_value_bound(const AftKey *key, double bound);

/** Whether values of @type are whole numbers. */
gboolean aft_value_is_whole(AftKeyType type);

/** Reads @text into @field as @key says; the action of a key that belongs to one is of that kind
 *  then. Returns: FALSE after adding to @problems, under @path; the field is as it was. */
gboolean aft_value_read(const AftKey *key, const char *text, void *field, const char *path,
                        GPtrArray *problems);

/** Whether @field is that of @key: actions of different kinds share some. */
gboolean aft_value_there(const AftKey *key, const void *field);

/** The value in @field as aft_value_read() takes it.
 *  Returns: (transfer full) (nullable): NULL when the field has nothing to write. */
char *aft_value_write(const AftKey *key, const void *field);

/** The value in @field to the last bit. Returns: (transfer full). */
char *aft_value_write_bits(const AftKey *key, const void *field);

/** Gives @field its default, or zero where it has none. What a text field held is freed. */
void aft_value_reset(const AftKey *key, void *field);

/** Frees what a text field holds. */
void aft_value_clear(const AftKey *key, void *field);
