/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phase_grid.h - the table of a result's phases, before anyone says how wide or in what form. */
#pragma once

#include "grid.h"

/** The phases of @result, or from AFT_MANY_PHASES on the kinds of them, with all columns that have
 *  something to say. Returns: (transfer full). */
AftGrid *aft_phase_grid_new(const AftResult *result);
