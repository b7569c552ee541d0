/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.h - published figures from YAML files of `kind: reference`.
 *
 * They are read as scenarios are (loader.h): to their end, with every problem at its place, within
 * the same limits. At most 10,000 cells and 1,000 configurations.
 */
#pragma once

#include <aftershock/reference/reference.h>

/** Reads the reference in the file at @path; paths of its scenarios count from its folder, and the
 *  scenarios themselves are not looked at. @messages takes texts to free with g_free().
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_FILE or AFT_ERROR_LIMIT when the file
 *  cannot be read, with AFT_ERROR_SYNTAX and how many errors there are when its text is wrong. */
AftReference *aft_loader_load_reference(const char *path, GPtrArray *messages, GError **error);

/** The same of @text (@bytes long, nothing need end it), called @name in messages. */
AftReference *aft_loader_load_reference_text(const char *name, const char *text, gsize bytes,
                                             GPtrArray *messages, GError **error);

/** Whether the file at @path says that it is of @kind ("reference"). A file that cannot be read
 *  does not. */
gboolean aft_loader_is_kind(const char *path, const char *kind);

/** The same of @text (@bytes long, nothing need end it). */
gboolean aft_loader_text_is_kind(const char *text, gsize bytes, const char *kind);
