/* SPDX-License-Identifier: GPL-3.0-or-later */
/* selector.h - some nodes, as text: "all", "0", "1,3", "2:5" (2, 3 and 4), "-1" (the last). */
#pragma once

#include <glib.h>

/** Whether @text is a selection of any nodes at all. */
gboolean aft_selector_is_valid(const char *text);

/** A regular expression, not anchored, of valid selections. Returns: (transfer full). */
char *aft_selector_pattern(void);

/** Numbers that alone are a selection are at most so large, either way. */
guint aft_selector_largest(void);

/** Whether the valid @text is "all". */
gboolean aft_selector_is_all(const char *text);

/** The nodes that the valid @text selects out of @nodes, ascending, each once.
 *  Returns: (transfer full) (nullable): NULL when one is beyond the last node or none is left;
 *  @ret_n is written otherwise. */
guint *aft_selector_expand(const char *text, guint nodes, guint *ret_n);
