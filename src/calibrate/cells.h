/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cells.h - which cells are fitted, and how far each is from where it should be. */
#pragma once

#include <aftershock/calibrate/calibrate.h>

/** Chooses by @setup among the cells of @comparison, which name all that can be compared. Returns:
 *  (transfer full): guint each, their places in it. @ret_held (nullable): as many as there are
 *  cells; whether each was held out. */
GArray *aft_cells_choose(const AftCalibrationSetup *setup, const AftComparison *comparison,
                         gboolean *ret_held);

/** The residual of @it; 0: it is where it may be. */
double aft_cells_residual(const AftComparedCell *it);

/** The standard deviation of that residual by the chance of the simulation; 0: it is not known. */
double aft_cells_chance(const AftComparedCell *it);

/** Errors of the cells of @comparison that have a value and are held, or are not. Suspect cells do
 *  not count. */
AftErrors aft_cells_errors(const AftComparison *comparison, const gboolean *held, gboolean wanted);
