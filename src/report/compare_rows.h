/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_rows.h - compared cells as rows of a table, a line each. */
#pragma once

#include <aftershock/reference/compare.h>
#include <aftershock/result/columns.h>

/** The columns of a comparison, and behind them `left_out`, which fits have. */
const AftTable *aft_compare_fit_table(void);

/** Returns: (transfer full): no rows. */
GArray *aft_compare_rows_new(void);

/** Adds @compared, as it came out where @left_out ("": nothing) was left out of the fit. */
void aft_compare_rows_add(GArray *rows, const AftComparedCell *compared, const char *left_out);
