/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.h - comparisons for people and for programs.
 *
 * Of a comparison with a reference the text has a table each for what the source states, what is
 * derived from it, where it contradicts itself, and what it leaves open; below them the median
 * errors, and every breach. Figures are in the units of the reference, CSV and JSON too.
 *
 * Of two runs the text has the figures that matter most; CSV and JSON have all.
 */
#pragma once

#include <aftershock/reference/compare.h>
#include <aftershock/report/phases.h>

/** @comparison with @reference, for a terminal or a file. The tables leave out what is allowed,
 * then intervals, where they would be too wide. Returns: (transfer full), UTF-8. */
char *aft_compare_text(const AftComparison *comparison, const AftReference *reference,
                       const AftTextStyle *style);

/** The same, whole, as Markdown. Returns: (transfer full), UTF-8. */
char *aft_compare_markdown(const AftComparison *comparison, const AftReference *reference);

/** A line a cell. Returns: (transfer full), UTF-8. */
char *aft_compare_csv(const AftComparison *comparison);

/** Cells, summaries and counts; what there is not is null. Returns: (transfer full), UTF-8. */
char *aft_compare_json(const AftComparison *comparison, const AftReference *reference);

/** The same four of @comparison of two runs; the labels are theirs. */
char *aft_runs_text(const AftRunComparison *comparison, const char *before, const char *after,
                    const AftTextStyle *style);
char *aft_runs_markdown(const AftRunComparison *comparison, const char *before, const char *after);
char *aft_runs_csv(const AftRunComparison *comparison);
char *aft_runs_json(const AftRunComparison *comparison, const char *before, const char *after);
