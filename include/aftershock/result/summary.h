/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary.h - a result's summary.json: what was run, what it yielded, and the phases.
 *
 * Numbers read as in the CSV files; NaN is null. `phases` repeats phases.csv, one object a row
 * with the columns as members, for readers who want one file. `required` holds what was asked for
 * (0: nothing), `requirement` what came of it.
 */
#pragma once

#include <aftershock/base/api.h>
#include <aftershock/result/result.h>

AFT_BEGIN_DECLS

/** Writes the summary. Returns: (transfer full): JSON that ends in a line feed. */
char *aft_summary_format(const AftResult *result);

/** Fills everything but the tables from @text; @name is the file's, for errors.
 *  Returns: FALSE with AFT_ERROR_SYNTAX, naming the place, when it is not such a summary. */
gboolean aft_summary_parse(AftResult *result, const char *text, const char *name, GError **error);

AFT_END_DECLS
