/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration.h - a calibration for people and for programs: the keys with their intervals, which
 * of them the cells do not tell, and how far fitted and held out cells are off. */
#pragma once

#include <aftershock/calibrate/calibrate.h>
#include <aftershock/report/phases.h>

/** Returns: (transfer full), UTF-8, ending in a line feed. */
char *aft_calibration_text(const AftCalibration *calibration, const AftTextStyle *style);

/** The same as JSON: `keys` (path, start, value, half_width, low, high in base units, told,
 *  at_bound), `directions` (singular, parts by path), `fitted` and `held_out` (cells, median,
 *  largest), `before`, `after`, `runs`, `interrupted`. What is not known is null.
 *  Returns: (transfer full). */
char *aft_calibration_json(const AftCalibration *calibration);
