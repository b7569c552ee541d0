/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loader.h - scenarios from YAML files, with every problem at its place.
 *
 * A file is read to its end whatever is wrong with it, so that one look shows all there is to
 * mend. Nothing is printed: messages come as texts, in the order of the file, errors and warnings:
 *
 *     rack.yaml:3:3: error: cluster.nods: unknown key; did you mean cluster.nodes?
 *       nods: 5
 *       ^
 *
 * A file is UTF-8 of at most 4 MiB, one document, nested at most 32 deep, without anchors,
 * aliases and tags; after 1,000 errors the rest is not looked at.
 *
 *     g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
 *     g_autoptr(AftScenario) scenario = aft_loader_load_file(path, NULL, messages, &error);
 */
#pragma once

#include <aftershock/base/api.h>
#include <aftershock/scenario/scenario.h>

enum { AFT_LOADER_MOST_BYTES = 4 * 1024 * 1024 }; /* of a file */

AFT_BEGIN_DECLS

/** Reads the scenario in the file at @path and resolves it. @overrides (nullable) are
 *  NULL-terminated texts "path=value" that are set after the file's own keys; problems with them
 *  are told as "--set path=value: error: ...". @messages takes texts to free with g_free(),
 *  without a newline at the end; warnings come there on success too.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_FILE or AFT_ERROR_LIMIT when the file
 *  cannot be read, with AFT_ERROR_SYNTAX and how many errors there are when its text is wrong. */
AftScenario *aft_loader_load_file(const char *path, const char *const *overrides,
                                  GPtrArray *messages, GError **error);

/** The same of @text (@bytes long, nothing need end it), called @name in messages. */
AftScenario *aft_loader_load_text(const char *name, const char *text, gsize bytes,
                                  const char *const *overrides, GPtrArray *messages,
                                  GError **error);

AFT_END_DECLS
