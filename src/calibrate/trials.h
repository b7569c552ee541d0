/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trials.h - runs of all configurations at points of the line, on threads. */
#pragma once

#include <aftershock/calibrate/calibrate.h>

/** A point, and what came of it. */
typedef struct {
    double *u;         /* of each key */
    double *residual;  /* of each chosen cell */
    double cost;       /* sum of their squares */
    gboolean rejected; /* it could not be run: all residuals are those of what is lost */
    double chance;     /* mean variance of a residual by the chance of the simulation */
} AftTrial;

typedef struct AftTrials AftTrials;

/** Returns: (transfer full): none yet. @setup is borrowed. */
AftTrials *aft_trials_new(const AftCalibrationSetup *setup);

void aft_trials_free(AftTrials *trials);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftTrials, aft_trials_free)

/** Runs all configurations at each of @n points @u. Until one trial has come about, one that cannot
 *  be run is an error; from then on it is rejected, since between bounds there may be scenarios
 * that are none. Returns: (transfer none): the trials, in that order, which live as long as
 * @trials; NULL with @error, or when it was interrupted. */
AftTrial **aft_trials_try(AftTrials *trials, const double *const *u, guint n, GError **error);

/** Cells that have a residual; 0 before the first trial. */
guint aft_trials_cells(const AftTrials *trials);

/** The one of lowest cost. Returns: (transfer none) (nullable): there is none yet. */
const AftTrial *aft_trials_best(const AftTrials *trials);

/** What was compared in @trial. Returns: (transfer none). */
AftComparison *aft_trial_comparison(const AftTrial *trial);

/** Trials that were rejected, and why the first of them was. Returns: (transfer none) (nullable):
 *  NULL when there are none. */
const char *aft_trials_rejected(const AftTrials *trials, guint *ret_n);

/** Runs done. */
guint aft_trials_runs(const AftTrials *trials);

/** Told which start this is, for progress. */
void aft_trials_begin(AftTrials *trials, guint start);
