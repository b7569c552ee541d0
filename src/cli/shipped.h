/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shipped.h - the scenarios, references and sweeps that come with the program, wherever it runs
 * from.
 *
 * A program in its build tree finds scenarios.path beside itself, which names their folder; an
 * installed one finds them in ../share/aftershock, also when the whole tree was moved, or else in
 * the data folder it was configured for.
 */
#pragma once

#include <glib.h>

typedef enum {
    AFT_SHIPPED_SCENARIO,
    AFT_SHIPPED_REFERENCE, /* in the folder "published" beside them */
    AFT_SHIPPED_SWEEP,     /* in "sweeps" */
    AFT_SHIPPED_TEMPLATE   /* in "templates", of template.h */
} AftShipped;

/** Names of the shipped files of @kind, "wwt-raid5", sorted. Returns: (transfer full): text
 *  elements; none when the folder is not there. */
GPtrArray *aft_shipped_names(AftShipped kind);

/** The shipped file of @kind called @name. Returns: (transfer full) (nullable): NULL: no such. */
char *aft_shipped_path(AftShipped kind, const char *name);
