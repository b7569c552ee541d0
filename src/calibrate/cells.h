/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cells.h - which cells are fitted, and how far each is from where it should be. */
#pragma once

#include <aftershock/calibrate/calibrate.h>

/** Chooses by @setup among the cells of @comparison, which name all that can be compared. Returns:
 *  (transfer full): guint each, the places in it of those that are fitted. @ret_roles (nullable):
 * as many as there are cells. */
GArray *aft_cells_choose(const AftCalibrationSetup *setup, const AftComparison *comparison,
                         AftRole *ret_roles);

/** The residual of @it; 0: it is where it may be. */
double aft_cells_residual(const AftComparedCell *it);

/** The standard deviation of that residual by the chance of the simulation; 0: it is not known. */
double aft_cells_chance(const AftComparedCell *it);

/** Whether @cell is of @name, a configuration or a phase as @by says; a ratio is of both of its
 *  configurations. */
gboolean aft_cells_is_of(const AftReferenceCell *cell, AftRotate by, const char *name);

/** What cells are of, one each: the label, or the phase; NULL: of none. Returns: (transfer none).
 */
const char *aft_cells_group(const AftReferenceCell *cell, AftRotate by);

AftFigures aft_cells_figures(const AftReferenceCell *cell);

/** Sums up absolute errors (double each, NaN: absent), which are sorted by that. */
AftErrors aft_cells_errors(GArray *errors);
