/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.h - the way down from one starting point. */
#pragma once

#include "slopes.h"

/** Goes down from @start (tried) by at most as many steps as the setup allows, for the cells that
 *  @trials does not leave out. What it tries is in @trials. @slopes are those to begin with, if
 *  they are known around @start, and become those of the end. Returns: FALSE as aft_trials_try()
 *  does. */
gboolean aft_fit(AftTrials *trials, const AftCalibrationSetup *setup, const AftTrial *start,
                 AftSlopes *slopes, GError **error);
