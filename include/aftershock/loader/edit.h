/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edit.h - other values in the text of a scenario, which stays as it is otherwise: comments, order
 * and all. */
#pragma once

#include <glib.h>

/** Puts @settings ("path=value", NULL-terminated) in the place of what @text (@bytes long), a
 *  scenario called @name, has at those paths; of several at one path the last counts. @unwritten
 * takes those settings, to free with g_free(), whose keys do not stand in the text with a value of
 * their own. Returns: (transfer full) (nullable): NULL with AFT_ERROR_LIMIT or AFT_ERROR_SYNTAX
 * when the text cannot be read. */
char *aft_loader_edit_text(const char *name, const char *text, gsize bytes,
                           const char *const *settings, GPtrArray *unwritten, GError **error);

/** The same of the file at @path. Errors besides: AFT_ERROR_FILE. */
char *aft_loader_edit_file(const char *path, const char *const *settings, GPtrArray *unwritten,
                           GError **error);
