/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal.h - what the program may print and how.
 *
 * Results go to stdout with aft_put(), everything else to stderr with aft_say(); nothing else
 * prints. Colour only on a terminal that has it, and never against NO_COLOR.
 */
#pragma once

#include "command.h"

#include <aftershock/report/phases.h>
#include <stdio.h>

/** Writes @text to stdout. Returns: AFT_EXIT_FINE, or AFT_EXIT_UNFINISHED after a complaint when
 *  stdout does not take it. */
AftExit aft_put(const char *text);

/** Writes to stderr. */
void aft_say(const char *format, ...) G_GNUC_PRINTF(1, 2);

/** Whether @stream is a terminal that can move its cursor. */
gboolean aft_terminal_is(FILE *stream);

/** Characters in a line of @stream; 0 when it is no terminal. */
guint aft_terminal_width(FILE *stream);

/** How to write text to @stream: its width, its colours, the locale's characters. */
AftTextStyle aft_terminal_style(FILE *stream);
