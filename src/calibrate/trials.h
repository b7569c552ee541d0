/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trials.h - runs of all configurations at points of the line, on threads.
 *
 * A trial is fine, as its scenarios say, or coarse: those that sample I/O may then be off by 10 %,
 * and take a third of the time. Coarse trials are compared with each other alone: seeds are the
 * same, so that most of what they are off by is the same too. Nothing is run twice: scenarios that
 * are the same yield the same, which keys that they do not feel leave them. */
#pragma once

#include <aftershock/calibrate/calibrate.h>

/** The pull that keeps a key where it began, in residuals per unit of the line: a key that moves
 *  all the way between its bounds, some six units, costs as much as one cell that is off by half
 *  of its tolerance. */
#define AFT_TRIALS_PULL 0.08

/** A point, and what came of it. */
typedef struct {
    double *u;        /* of each key */
    double *residual; /* of each chosen cell */
    double cost;      /* sum of the squares of those that are fitted */
    double pull;      /* square of what draws keys back to where they began */
    gboolean coarse;
    gboolean rejected; /* it could not be run: all residuals are those of what is lost */
    double chance;     /* mean variance of a residual by the chance of the simulation */
} AftTrial;

typedef struct AftTrials AftTrials;

/** Returns: (transfer full): none yet. @setup is borrowed. */
AftTrials *aft_trials_new(const AftCalibrationSetup *setup);

void aft_trials_free(AftTrials *trials);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftTrials, aft_trials_free)

/** Runs all configurations at each of @n points @u, coarse or fine. Until one trial has come about,
 * one that cannot be run is an error; from then on it is rejected, since between bounds there may
 * be scenarios that are none. Returns: (transfer none): the trials, in that order, which live as
 * long as
 * @trials; NULL with @error, or when it was interrupted. */
AftTrial **aft_trials_try(AftTrials *trials, const double *const *u, guint n, gboolean coarse,
                          GError **error);

/** Cells that have a residual; 0 before the first trial. */
guint aft_trials_cells(const AftTrials *trials);

/** Leaves out of costs the cells that are TRUE in @left_out, of as many as have a residual
 * (copied); NULL: none. Costs of all trials change with it. */
void aft_trials_leave_out(AftTrials *trials, const gboolean *left_out);

/** The residual of @cell in @trial; 0 of one that is left out. */
double aft_trials_residual(const AftTrials *trials, const AftTrial *trial, guint cell);

/** Whether @cell is left out. */
gboolean aft_trials_leaves_out(const AftTrials *trials, guint cell);

/** The fine one of lowest cost and pull. Returns: (transfer none) (nullable): there is none yet. */
const AftTrial *aft_trials_best(const AftTrials *trials);

/** What was compared in @trial. Returns: (transfer full). */
AftComparison *aft_trial_comparison(const AftTrial *trial);

/** Trials that were rejected, and why the first of them was. Returns: (transfer none) (nullable):
 *  NULL when there are none. */
const char *aft_trials_rejected(const AftTrials *trials, guint *ret_n);

/** What residual @cell is of, and where that is in comparisons. Returns: (transfer none). */
const AftReferenceCell *aft_trials_cell(const AftTrials *trials, guint cell);
guint aft_trials_place(const AftTrials *trials, guint cell);

AftEffort aft_trials_effort(const AftTrials *trials);

/** Told, for progress, that of @ways down this is @way, from 0, and which of its steps, from 0,
 * this is. */
void aft_trials_begin(AftTrials *trials, guint way, guint ways);
void aft_trials_step(AftTrials *trials, guint step);
