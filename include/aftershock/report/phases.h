/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases.h - a result for people: the table of its phases and what is worth a line below it.
 *
 * The table sheds what matters least until it fits: first how latencies went over time, then their
 * intervals, long durations, the interval of IOPS, the start, how IOPS went, the 95th percentiles;
 * what then has room comes back. How things went is drawn (sparkline.h) only where a width is
 * given: what is not read on a terminal is read by programs, or compared. Columns in which no row
 * has anything to say are not there at all. A run of 30 phases or more, years of failures and
 * repairs, gets a line for each kind of phase: how often, for what share of the time, and for what
 * share of that the requirement was met.
 */
#pragma once

#include <aftershock/base/api.h>
#include <aftershock/result/result.h>

AFT_BEGIN_DECLS

typedef struct {
    guint width;     /* columns a line may have; 0: any number, it is no terminal */
    gboolean utf8;   /* FALSE: ASCII only */
    gboolean colour; /* with ANSI escapes */
} AftTextStyle;

/** The phases of @result as a text for a terminal or a file, ending in a line feed. The table is
 *  wider than asked only when its shortest form is; other lines end after a comma where they can.
 *  Returns: (transfer full), UTF-8. */
char *aft_phases_text(const AftResult *result, const AftTextStyle *style);

/** The same, whole, as Markdown. Returns: (transfer full), UTF-8. */
char *aft_phases_markdown(const AftResult *result);

AFT_END_DECLS
