/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal.h - what the program may print and how.
 *
 * Results go to stdout with aft_put(), lines with aft_print(), everything else to stderr with
 * aft_say(); nothing else prints. Colour only on a terminal that has it, and never against
 * NO_COLOR.
 *
 * What people read is in the characters of the locale, wherever it goes: who reads a pipe or a log
 * has the same ones. Data (csv, json, markdown, yaml) is UTF-8 always, as it is in files: who reads
 * it is a program. Whatever names and files hold, no terminal is sent a control character of
 * theirs.
 */
#pragma once

#include "command.h"

#include <aftershock/report/phases.h>
#include <stdio.h>

/** Writes @text, made as --format @format (nullable: "text") says, to stdout: a text laid out in
 *  an AftTextStyle as it is, data with "?" for control characters on a terminal.
 *  Returns: AFT_EXIT_FINE, or AFT_EXIT_UNFINISHED after a complaint when stdout does not take it.
 */
AftExit aft_put(const char *text, const char *format);

/** Writes lines for people to stdout: shown as base/shown.h says. Returns: as aft_put() does. */
AftExit aft_print(const char *format, ...) G_GNUC_PRINTF(1, 2);

/** Writes the same to stderr. When nobody reads that any more the program goes on: there may be
 *  results to write. */
void aft_say(const char *format, ...) G_GNUC_PRINTF(1, 2);

/** Writes @text with its escape sequences to stderr, a terminal, in the same way. */
void aft_repaint(const char *text);

/** Whether @stream is a terminal that can move its cursor. */
gboolean aft_terminal_is(FILE *stream);

/** Columns of @stream; 0 when it is no terminal. */
guint aft_terminal_width(FILE *stream);

/** Lines of @stream, a terminal. */
guint aft_terminal_height(FILE *stream);

/** How to write text to @stream: its width, its colours, the locale's characters. */
AftTextStyle aft_terminal_style(FILE *stream);
