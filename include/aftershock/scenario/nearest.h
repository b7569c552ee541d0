/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearest.h - which of some names was meant by a misspelt one. */
#pragma once

#include <glib.h>

/** The edits that turn @from into @to: a character added, dropped, changed, or swapped with its
 *  neighbour is one. Case does not count, and "-" is "_". Names longer than 63 bytes are
 *  G_MAXUINT away from everything. */
guint aft_nearest_distance(const char *from, const char *to);

/** The one of @names (@n of them, NULLs are passed over) that is nearest to @name, if it is near
 *  enough to be meant: at most one edit in three characters. The first wins a tie.
 *  Returns: (transfer none) (nullable). */
const char *aft_nearest(const char *name, const char *const *names, guint n);
