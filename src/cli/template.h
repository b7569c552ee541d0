/* SPDX-License-Identifier: GPL-3.0-or-later */
/* template.h - scenarios to begin with, for a system and a number of nodes.
 *
 * A template is a shipped file, templates/vsan.yaml.in, whose texts between "@" depend on the
 * nodes:
 * "@nodes@" is how many there are, "@2.5 nodes@" 2.5 times as many, "@rf3 from 4, else rf2@" a word
 * for so many or more and one for fewer. "@schema@" is the folder of the JSON Schemas.
 */
#pragma once

#include <glib.h>

/** The names of all templates, "vsan". Returns: (transfer full). */
GPtrArray *aft_template_names(void);

/** The scenario that the template at @path is for @nodes.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_FILE when it cannot be read. */
char *aft_template_fill(const char *path, guint nodes, GError **error);

/** @template, a text with such places, for @nodes and schemas in @schema, without its first line,
 *  which has its licence; what users make of it is theirs. Returns: (transfer full). */
char *aft_template_text(const char *template, guint nodes, const char *schema);
