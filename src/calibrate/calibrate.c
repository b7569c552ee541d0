/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells.h"
#include "fit.h"
#include "free_key.h"
#include "identify.h"
#include "rotate.h"

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

/* Errors of the cells of @it in @role. */
static AftErrors errors_in(const AftCalibration *it, AftRole role)
{
    g_autoptr(GArray) errors = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < it->comparison->cells->len; i++) {
        if (it->roles[i] == role) {
            const AftComparedCell *cell = &g_array_index(it->comparison->cells, AftComparedCell, i);
            double error = fabs(cell->error);
            g_array_append_val(errors, error);
        }
    }
    return aft_cells_errors(errors);
}

/* What @best is like. */
static void settle(AftCalibration *it, const AftCalibrationSetup *setup, const AftTrials *trials,
                   const AftTrial *best)
{
    for (guint i = 0; i < setup->n_keys; i++) {
        it->keys[i].value = aft_free_key_value(&setup->keys[i], best->u[i]);
    }
    it->comparison = aft_trial_comparison(best);
    it->roles = g_new0(AftRole, it->comparison->cells->len + 1);
    g_array_unref(aft_cells_choose(setup, it->comparison, it->roles));
    for (guint i = 0; i < it->comparison->cells->len; i++) {
        g_array_index(it->comparison->cells, AftComparedCell, i).role = aft_role_name(it->roles[i]);
    }
    it->fitted = errors_in(it, AFT_ROLE_FITTED);
    it->held_out = errors_in(it, AFT_ROLE_HELD_OUT);
    it->after = mean_square(best->cost, aft_trials_cells(trials));
}

/* Looks at slopes around @best, unless they are known from near by. */
static gboolean identify(AftCalibration *it, AftTrials *trials, const AftTrial *best,
                         AftSlopes *slopes, GError **error)
{
    if (!aft_slopes_are_near(slopes, best) && !aft_slopes_look(slopes, trials, best, error)) {
        return FALSE;
    }
    slopes->at = best;
    aft_identify(it, best, slopes->matrix);
    return TRUE;
}

/* Goes down from @start, and keeps the slopes in @best_slopes if nothing was better before. */
static gboolean go_down(AftTrials *trials, const AftCalibrationSetup *setup, const AftTrial *start,
                        AftSlopes *best_slopes, GError **error)
{
    g_auto(AftSlopes) slopes;
    aft_slopes_init(&slopes, trials, setup->n_keys);
    gboolean fine = aft_fit(trials, setup, start, &slopes, error);
    if (slopes.at != NULL && aft_slopes_are_near(&slopes, aft_trials_best(trials))) {
        aft_slopes_copy(best_slopes, &slopes);
    }
    return fine;
}

static guint count_ways(const AftCalibrationSetup *setup, const AftTrials *trials)
{
    g_autoptr(GPtrArray) groups = aft_rotate_groups(setup, trials);
    return MAX(setup->starts, 1) + groups->len;
}

/* Returns: (nullable): what was tried at @u; NULL: it failed or was interrupted. */
static const AftTrial *try_one(AftTrials *trials, const double *u, GError **error)
{
    AftTrial **tried = aft_trials_try(trials, &u, 1, FALSE, error);
    return tried != NULL ? tried[0] : NULL;
}

/* Whether there is something to fit, which is known after the first trial. */
static gboolean check(const AftCalibrationSetup *setup, const AftTrials *trials, GError **error)
{
    if (aft_trials_cells(trials) == 0) {
        g_set_error_literal(error, AFT_ERROR, AFT_ERROR_RANGE, "no cell is left to be fitted");
        return FALSE;
    }
    return aft_rotate_check(setup, trials, error);
}

/* Goes down from every start. Returns: FALSE when it failed or was interrupted. */
static gboolean search(AftCalibration *it, const AftCalibrationSetup *setup, AftTrials *trials,
                       AftSlopes *slopes, GError **error)
{
    g_autoptr(GPtrArray) starts = starts_of(setup);
    const AftTrial *start = try_one(trials, starts->pdata[0], error);
    if (start == NULL || !check(setup, trials, error)) {
        return FALSE;
    }
    it->before = mean_square(start->cost, aft_trials_cells(trials));
    aft_slopes_init(slopes, trials, setup->n_keys);
    for (guint i = 0; i < starts->len; i++) {
        aft_trials_begin(trials, i, count_ways(setup, trials));
        start = i > 0 ? try_one(trials, starts->pdata[i], error) : start;
        if (start == NULL || (!start->rejected && !go_down(trials, setup, start, slopes, error))) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Says what is known of the fit, and rotates. */
static gboolean tell(AftCalibration *it, const AftCalibrationSetup *setup, AftTrials *trials,
                     AftSlopes *slopes, gboolean complete, GError **error)
{
    const AftTrial *best = aft_trials_best(trials); /* and not one of those around it */
    if (best != NULL) {
        settle(it, setup, trials, best);
    }
    return complete && identify(it, trials, best, slopes, error) &&
           (setup->rotate == AFT_ROTATE_NOTHING ||
            aft_rotate(it, setup, trials, best, slopes, error));
}

AftCalibration *aft_calibrate(const AftCalibrationSetup *setup, GError **error)
{
    g_assert(setup->n_keys >= 1 && setup->n_keys <= AFT_CALIBRATION_MOST_KEYS);
    g_autoptr(GError) failure = NULL;
    g_autoptr(AftTrials) trials = aft_trials_new(setup);
    g_autoptr(AftCalibration) it = calibration_new(setup);
    g_auto(AftSlopes) slopes = {0};
    gboolean fine = search(it, setup, trials, &slopes, &failure);
    if (failure == NULL) {
        fine = tell(it, setup, trials, &slopes, fine, &failure);
    }
    it->interrupted = !fine;
    it->effort = aft_trials_effort(trials);
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
    g_free(calibration->roles);
    g_clear_pointer(&calibration->rotation, aft_rotation_free);
    g_free(calibration->refusal);
    g_clear_pointer(&calibration->comparison, aft_comparison_free);
    g_free(calibration);
}
