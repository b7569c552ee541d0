/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rotate.h - the fit again, without each configuration in turn, or each phase. */
#pragma once

#include "slopes.h"

/** The configurations or phases that have fitted cells, in the order of the reference, as the setup
 *  rotates; none, if it does not. Returns: (transfer container): const char * each. */
GPtrArray *aft_rotate_groups(const AftCalibrationSetup *setup, const AftTrials *trials);

/** Whether cells are left to be fitted without each of them; else FALSE with AFT_ERROR_RANGE. */
gboolean aft_rotate_check(const AftCalibrationSetup *setup, const AftTrials *trials,
                          GError **error);

/** Fits without each of them, from @best with @slopes around it, which remain what they are, and
 *  gives @it, fitted and told, its rotation; what is done by then, if it is interrupted. Returns:
 *  FALSE as aft_trials_try() does. */
gboolean aft_rotate(AftCalibration *it, const AftCalibrationSetup *setup, AftTrials *trials,
                    const AftTrial *best, const AftSlopes *slopes, GError **error);

void aft_rotation_free(AftRotation *rotation);
