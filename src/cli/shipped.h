/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shipped.h - the scenarios that come with the program, wherever it runs from.
 *
 * A program in its build tree finds scenarios.path beside itself, which names their folder; an
 * installed one finds them in ../share/aftershock, also when the whole tree was moved, or else in
 * the data folder it was configured for.
 */
#pragma once

#include <glib.h>

/** Names of the shipped scenarios, "wwt-raid5", sorted. Returns: (transfer full): text elements;
 *  none when the folder is not there. */
GPtrArray *aft_shipped_names(void);

/** The file of the shipped scenario @name. Returns: (transfer full) (nullable): NULL: no such. */
char *aft_shipped_path(const char *name);
