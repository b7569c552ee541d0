/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xray_nodes.h - which nodes a step or a group of machines is about.
 *
 * As slices of a list are written: "0", "0, 2", "1:3" (1 and 2), ":n/2", "n-2:", "-1", "all", with
 * n for how many nodes there are.
 */
#pragma once

#include <glib.h>

enum { AFT_XRAY_MOST_NODES = 1000 };

/** The nodes that @text means of @n: @ret_chosen has @n places. Returns: (transfer full)
 *  (nullable): what is wrong with it. */
char *aft_xray_nodes(const char *text, guint n, gboolean *ret_chosen);
