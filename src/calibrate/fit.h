/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.h - the way down from one starting point. */
#pragma once

#include "trials.h"

/** The pull that keeps a key where it began, in residuals per unit of the line: a key that moves
 *  all the way between its bounds, some six units, costs as much as one cell that is off by half
 *  of its tolerance. */
#define AFT_FIT_PULL 0.08

/** Goes down from @start (tried) by at most as many steps as the setup allows. What it tries is in
 *  @trials. Returns: FALSE as aft_trials_try() does. */
gboolean aft_fit(AftTrials *trials, const AftCalibrationSetup *setup, const AftTrial *start,
                 GError **error);
