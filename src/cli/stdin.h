/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stdin.h - a file from standard input: "-" on the command line.
 *
 * A file is often read more than once (for its kind, for each run of many), by any thread. A pipe
 * can be read once only, so what came out of it takes its place, in memory.
 */
#pragma once

#include <glib.h>

/** What that file is called, in complaints and as a path: what stands in it counts from the working
 *  directory. */
#define AFT_STDIN_NAME "<stdin>"

/** Reads standard input up to its end, or a little over the most that a file may have.
 *  Returns: FALSE with AFT_ERROR_FILE when it cannot be read. */
gboolean aft_stdin_keep(GError **error);

/** What was kept, of *@ret_bytes. Returns: (transfer full) (nullable): NULL with AFT_ERROR_FILE. */
char *aft_stdin_read(gsize *ret_bytes, GError **error);
