/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - parts of a cluster between their text and their value.
 *
 * A part is written as a word and numbers joined by dots, all from 0: "node 2", "group 2.0" (node
 * 2, its first disk group), "device 2.0.1" (the second capacity device in that). Sets of kinds are
 * flags, 1 << AftPartKind each.
 */
#pragma once

#include <aftershock/scenario/scenario.h>

/** Reads @text, which must be of one of @kinds. @bare: the word may be left out; the last of @kinds
 *  is meant then. Returns: whether it is one. */
gboolean aft_part_parse(const char *text, guint kinds, gboolean bare, AftPart *ret_part);

/** @part as aft_part_parse() reads it. Returns: (transfer full). */
char *aft_part_format(const AftPart *part);

/** One of each of @kinds: "node 2 or rack 2". Returns: (transfer full). */
char *aft_part_examples(guint kinds);

/** What @text, which is none of @kinds, is a misspelling of. Returns: (transfer full) (nullable):
 *  NULL when nothing comes near. */
char *aft_part_suggest(const char *text, guint kinds);

/** A regular expression, not anchored, of what aft_part_parse() reads. Returns: (transfer full). */
char *aft_part_pattern(guint kinds, gboolean bare);

/** The largest number that is a part of @kinds without its word; 0: it takes several, "0.1.2". */
guint aft_part_largest(guint kinds);
