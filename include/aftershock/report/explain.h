/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.h - bounds for people and for programs: what operations cost, where that is scarce. */
#pragma once

#include <aftershock/bounds/bounds.h>
#include <aftershock/report/phases.h>

/** @bounds as a text for a terminal or a file, ending in a line feed, headed by the scenario's
 *  name and @label. Lines below the tables end after a comma where they can; tables are as wide as
 *  they must. Returns: (transfer full), UTF-8. */
char *aft_explain_text(const AftBounds *bounds, const char *label, const AftTextStyle *style);

/** The same as JSON, with all figures; what does not apply, or has no limit, is null.
 *  Returns: (transfer full), UTF-8, ending in a line feed. */
char *aft_explain_json(const AftBounds *bounds, const char *label);
