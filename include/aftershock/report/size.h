/* SPDX-License-Identifier: GPL-3.0-or-later */
/* size.h - what a search for the smallest configuration found, for people and for programs. */
#pragma once

#include <aftershock/report/phases.h>
#include <aftershock/sweep/size.h>

/** The answer in the first line, the configurations that were looked at, the runner-up and what
 *  binds. Returns: (transfer full), UTF-8. */
char *aft_size_text(const AftSizing *sizing, const AftTextStyle *style);

/** The same as Markdown. Returns: (transfer full), UTF-8. */
char *aft_size_markdown(const AftSizing *sizing);

/** A line a configuration, with the columns of aft_sized_table(). Returns: (transfer full), UTF-8.
 */
char *aft_size_csv(const AftSizing *sizing);

/** The answer and all configurations. Returns: (transfer full), UTF-8. */
char *aft_size_json(const AftSizing *sizing);
