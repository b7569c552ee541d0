/* SPDX-License-Identifier: GPL-3.0-or-later */
/* identify.h - what the cells tell of the keys, by slopes around the best trial. */
#pragma once

#include "trials.h"

#include <gsl/gsl_matrix.h>

/** Fills in the intervals of the keys and the directions of @calibration, whose keys have their
 *  values, from @slopes around @at. */
void aft_identify(AftCalibration *calibration, const AftTrial *at, const gsl_matrix *slopes);
