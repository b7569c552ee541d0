/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells.h"
#include "fit.h"
#include "free_key.h"
#include "identify.h"
#include "slopes.h"

#include <aftershock/base/error.h>

#include <gsl/gsl_qrng.h>
#include <math.h>

#define SPREAD 0.6 /* of the way between bounds, in the middle, is where other starts are */

/* The starts: the keys' own values, then Sobol points. Returns: (transfer full): points of the
 * line. */
static GPtrArray *starts_of(const AftCalibrationSetup *setup)
{
    GPtrArray *starts = g_ptr_array_new_with_free_func(g_free);
    gsl_qrng *sobol = gsl_qrng_alloc(gsl_qrng_sobol, setup->n_keys);
    g_autofree double *ways = g_new(double, setup->n_keys);
    for (guint start = 0; start < MAX(setup->starts, 1); start++) {
        double *u = g_new(double, setup->n_keys);
        gsl_qrng_get(sobol, ways);
        for (guint i = 0; i < setup->n_keys; i++) {
            double way = 0.5 + SPREAD * (ways[i] - 0.5);
            u[i] = start == 0 ? aft_free_key_line(&setup->keys[i], setup->keys[i].start)
                              : log(way / (1.0 - way));
        }
        g_ptr_array_add(starts, u);
    }
    gsl_qrng_free(sobol);
    return starts;
}

static AftCalibration *calibration_new(const AftCalibrationSetup *setup)
{
    AftCalibration *it = g_new0(AftCalibration, 1);
    it->n_keys = setup->n_keys;
    it->keys = g_new0(AftFittedKey, setup->n_keys);
    it->directions = g_new0(AftDirection, setup->n_keys);
    for (guint i = 0; i < setup->n_keys; i++) {
        it->keys[i].key = setup->keys[i];
        it->keys[i].key.path = g_strdup(setup->keys[i].path);
        it->keys[i].value = setup->keys[i].start;
        it->keys[i].half_width = INFINITY;
    }
    return it;
}

static double mean_square(double cost, guint cells)
{
    return sqrt(cost / MAX(cells, 1));
}

static AftComparison *comparison_copy(const AftComparison *comparison)
{
    AftComparison *copy = g_new(AftComparison, 1);
    *copy = *comparison;
    copy->cells = g_array_copy(comparison->cells);
    copy->summaries = g_array_copy(comparison->summaries);
    return copy;
}

/* What @best is like. */
static void settle(AftCalibration *it, const AftCalibrationSetup *setup, const AftTrials *trials,
                   const AftTrial *best)
{
    for (guint i = 0; i < setup->n_keys; i++) {
        it->keys[i].value = aft_free_key_value(&setup->keys[i], best->u[i]);
    }
    it->comparison = comparison_copy(aft_trial_comparison(best));
    it->held = g_new0(gboolean, it->comparison->cells->len + 1);
    g_array_unref(aft_cells_choose(setup, it->comparison, it->held));
    it->fitted = aft_cells_errors(it->comparison, it->held, FALSE);
    it->held_out = aft_cells_errors(it->comparison, it->held, TRUE);
    it->after = mean_square(best->cost, aft_trials_cells(trials));
}

static gboolean identify(AftCalibration *it, AftTrials *trials, const AftTrial *best,
                         GError **error)
{
    gsl_matrix *slopes = gsl_matrix_alloc(aft_trials_cells(trials), it->n_keys);
    gboolean fine = aft_slopes_look(trials, best, it->n_keys, slopes, error);
    if (fine) {
        aft_identify(it, best, slopes);
    }
    gsl_matrix_free(slopes);
    return fine;
}

/* Goes down from every start. Returns: FALSE when it failed or was interrupted. */
static gboolean search(AftCalibration *it, const AftCalibrationSetup *setup, AftTrials *trials,
                       GError **error)
{
    g_autoptr(GPtrArray) starts = starts_of(setup);
    for (guint i = 0; i < starts->len; i++) {
        aft_trials_begin(trials, i + 1);
        const double *u = starts->pdata[i];
        AftTrial **tried = aft_trials_try(trials, &u, 1, error);
        if (tried == NULL) {
            return FALSE;
        }
        if (aft_trials_cells(trials) == 0) {
            g_set_error_literal(error, AFT_ERROR, AFT_ERROR_RANGE, "no cell is left to be fitted");
            return FALSE;
        }
        if (i == 0) {
            it->before = mean_square(tried[0]->cost, aft_trials_cells(trials));
        }
        if (!tried[0]->rejected && !aft_fit(trials, setup, tried[0], error)) {
            return FALSE;
        }
    }
    return TRUE;
}

AftCalibration *aft_calibrate(const AftCalibrationSetup *setup, GError **error)
{
    g_assert(setup->n_keys >= 1 && setup->n_keys <= AFT_CALIBRATION_MOST_KEYS);
    g_autoptr(GError) failure = NULL;
    g_autoptr(AftTrials) trials = aft_trials_new(setup);
    g_autoptr(AftCalibration) it = calibration_new(setup);
    gboolean fine = search(it, setup, trials, &failure);
    const AftTrial *best = aft_trials_best(trials); /* and not one of those around it */
    if (failure == NULL && best != NULL) {
        settle(it, setup, trials, best);
        fine = fine && identify(it, trials, best, &failure);
    }
    it->interrupted = !fine;
    it->runs = aft_trials_runs(trials);
    it->refusal = g_strdup(aft_trials_rejected(trials, &it->rejected));
    if (failure != NULL) {
        g_propagate_error(error, g_steal_pointer(&failure));
        return NULL;
    }
    return g_steal_pointer(&it);
}

void aft_calibration_free(AftCalibration *calibration)
{
    if (calibration == NULL) {
        return;
    }
    for (guint i = 0; i < calibration->n_keys; i++) {
        aft_free_key_clear(&calibration->keys[i].key);
        g_free(calibration->directions[i].part);
    }
    g_free(calibration->keys);
    g_free(calibration->directions);
    g_free(calibration->held);
    g_free(calibration->refusal);
    g_clear_pointer(&calibration->comparison, aft_comparison_free);
    g_free(calibration);
}
