/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shown.h - what a terminal makes of a text: which characters it may be given, and how wide they
 * are.
 *
 * Names, labels and paths are written by users, and files by anybody. What moves the cursor, turns
 * the direction of text, or begins an escape sequence is not shown but stands as "?".
 */
#pragma once

#include <glib.h>

/** Characters of a name or a text of others that are enough to know it by. */
enum { AFT_SHOWN_MOST = 400 };

/** Whether @c prints, if only as a mark on the character before it: no control, no mark of
 *  direction, no end of a line. */
gboolean aft_char_is_shown(gunichar c);

/** How many columns of a terminal @text (UTF-8) takes: of wide characters two, of marks none. */
guint aft_shown_columns(const char *text);

/** @text as valid UTF-8 in which "?" stands for all that is not shown, but for the characters in
 *  @kept (ASCII): "", "\n". Returns: (transfer full). */
char *aft_shown_text(const char *text, const char *kept);

/** The beginning of @text (nullable) as valid UTF-8: at most @most characters, and then "…" where
 *  there are more. Returns: (transfer full). */
char *aft_shown_start(const char *text, guint most);

/** The first @columns columns of @text (UTF-8). Returns: (transfer full). */
char *aft_shown_cut(const char *text, guint columns);

/** @text (UTF-8) in ASCII, as near as it comes, "?" for what has no likeness. Where @columns, each
 *  character stays as wide as it was, so that what points at one from the next line still does.
 *  Returns: (transfer full). */
char *aft_shown_ascii(const char *text, gboolean columns);
