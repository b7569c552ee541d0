/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_cell.h - a compared cell in words. All texts are (transfer full). */
#pragma once

#include <aftershock/reference/compare.h>

/** Digits after the point that both published and simulated values are shown with. */
guint aft_compare_decimals(const AftComparedCell *compared);

/** "raid5", "raid5 / rf2". */
char *aft_compare_label(const AftReferenceCell *cell);

/** "last rebalance"; "" of a figure of the whole. */
char *aft_compare_phase(const AftReferenceCell *cell);

/** "iops", "write_mean, ms". */
char *aft_compare_figure(const AftReferenceCell *cell);

/** "66.0 min". */
char *aft_compare_quantity(const AftReferenceCell *cell, double value, guint decimals);

/** "± 5 %", "- 3 %", "- 3 % + 4 min"; "" without bounds. */
char *aft_compare_allowed(const AftReferenceCell *cell);
