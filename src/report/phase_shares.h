/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phase_shares.h - a run of many phases, a line for each kind of phase: years of failures and
 * repairs are too long to be told one by one. */
#pragma once

#include "grid.h"

#include <aftershock/result/result.h>

/** Phases from which on a table of them is this one. */
enum { AFT_MANY_PHASES = 30 };

/** How often each kind of phase occurred, for what share of the time and for how long each time,
 * what users had of it, and for what share of it the requirement was met. Returns: (transfer full).
 */
AftGrid *aft_phase_shares_grid(const AftResult *result, gboolean utf8);
