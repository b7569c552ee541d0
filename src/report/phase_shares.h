/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phase_shares.h - a run of many phases, a line for each kind of phase: years of failures and
 * repairs are too long to be told one by one. */
#pragma once

#include "grid.h"

#include <aftershock/result/gather.h>

/** Phases from which on a table of them is this one. */
enum { AFT_MANY_PHASES = 30 };

/** One kind of phase, or AFT_WHOLE_RUN, and what all of it comes to. */
typedef struct {
    guint phase;
    AftGathered of;
} AftPhaseShare;

/** Kinds of @phases by where they occurred first, the whole run last.
 *  Returns: (transfer full): AftPhaseShare. */
GArray *aft_phase_shares(const GArray *phases);

/** "99.936 %": a share of time that met the requirement, with two digits of what is missing to all;
 *  "" of NaN. Returns: (transfer full). */
char *aft_phase_shares_met(double share);

/** How often each kind of phase occurred, for what share of the time and for how long each time,
 * what users had of it, and for what share of it the requirement was met. Returns: (transfer full).
 */
AftGrid *aft_phase_shares_grid(const AftResult *result, gboolean utf8);
