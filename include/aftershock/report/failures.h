/* SPDX-License-Identifier: GPL-3.0-or-later */
/* failures.h - what followed when each part failed, for people and for programs. */
#pragma once

#include <aftershock/report/phases.h>
#include <aftershock/sweep/each_failure.h>

/** The first @most of @rows (AftPartFailure) as a table, the worst first, and how many more there
 *  are; below it why some have no result. Returns: (transfer full), UTF-8. */
char *aft_failures_text(const GArray *rows, guint most, const AftTextStyle *style);

/** All of them as Markdown. Returns: (transfer full), UTF-8. */
char *aft_failures_markdown(const GArray *rows);

/** A line a part, with the columns of aft_part_failure_table(). Returns: (transfer full), UTF-8. */
char *aft_failures_csv(const GArray *rows);

/** An object with the array "failures". Returns: (transfer full), UTF-8. */
char *aft_failures_json(const GArray *rows);
