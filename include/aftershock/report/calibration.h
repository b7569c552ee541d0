/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration.h - a calibration for people and for programs: the keys with their intervals, which
 * of them the cells do not tell, and how far fitted and held out cells are off, and those that
 * rotation left out. */
#pragma once

#include <aftershock/calibrate/calibrate.h>
#include <aftershock/report/phases.h>

/** Returns: (transfer full), UTF-8, ending in a line feed. */
char *aft_calibration_text(const AftCalibration *calibration, const AftTextStyle *style);

/** The same, whole, as Markdown. Returns: (transfer full), UTF-8. */
char *aft_calibration_markdown(const AftCalibration *calibration);

/** A line a cell as aft_compare_csv() has it, with its `role`; then one for each cell that
 *  rotation left out, as it was predicted, with what was `left_out`. Returns: (transfer full). */
char *aft_calibration_csv(const AftCalibration *calibration);

/** The same as JSON: `keys` (path, start, value, half_width, low, high in base units, told,
 *  at_bound), `directions` (singular, parts by path), `fitted` and `held_out` (cells, absent,
 *  median, largest), `before`, `after`, `runs`, `coarse_runs`, `spared_runs`, `simulated_ios`,
 *  `rejected`, `interrupted`, `cells` as the lines of the CSV; and, if there was one, `rotation`:
 * `by`, `folds` (left_out, fitted, predicted, values by path), and fitted and predicted of `iops`,
 *  `latencies`, `minutes`, `others` and `all`. What is not known is null.
 *  Returns: (transfer full). */
char *aft_calibration_json(const AftCalibration *calibration);
