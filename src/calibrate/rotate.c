/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rotate.h"

#include "cells.h"
#include "fit.h"
#include "free_key.h"

#include <aftershock/base/error.h>

#include <math.h>

#define MOST_STEPS 3 /* of a fold: it begins near, with slopes that hold for most cells */

/* Of each residual, whether it is left out with @name. Returns: (transfer full). */
static gboolean *without(const AftCalibrationSetup *setup, const AftTrials *trials,
                         const char *name)
{
    guint n = aft_trials_cells(trials);
    gboolean *left_out = g_new(gboolean, n);
    for (guint i = 0; i < n; i++) {
        left_out[i] = aft_cells_is_of(aft_trials_cell(trials, i), setup->rotate, name);
    }
    return left_out;
}

GPtrArray *aft_rotate_groups(const AftCalibrationSetup *setup, const AftTrials *trials)
{
    GPtrArray *groups = g_ptr_array_new();
    guint n = setup->rotate != AFT_ROTATE_NOTHING ? aft_trials_cells(trials) : 0;
    for (guint i = 0; i < n; i++) {
        const char *name = aft_cells_group(aft_trials_cell(trials, i), setup->rotate);
        if (name != NULL && !g_ptr_array_find_with_equal_func(groups, name, g_str_equal, NULL)) {
            g_ptr_array_add(groups, (gpointer)name);
        }
    }
    return groups;
}

gboolean aft_rotate_check(const AftCalibrationSetup *setup, const AftTrials *trials, GError **error)
{
    g_autoptr(GPtrArray) groups = aft_rotate_groups(setup, trials);
    for (guint group = 0; group < groups->len; group++) {
        g_autofree gboolean *left_out = without(setup, trials, groups->pdata[group]);
        guint left = 0;
        for (guint i = 0; i < aft_trials_cells(trials); i++) {
            left += left_out[i] ? 0 : 1;
        }
        if (left == 0) {
            g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE,
                        "no cell is left to be fitted without %s",
                        (const char *)groups->pdata[group]);
            return FALSE;
        }
    }
    return TRUE;
}

static void fold_free(gpointer data)
{
    AftFold *fold = data;
    g_free(fold->left_out);
    g_free(fold->values);
    g_free(fold->left);
    aft_comparison_free(fold->comparison);
    g_free(fold);
}

/* Adds the absolute errors of the cells that @fold left out and are of @figures (AFT_FIGURES: any),
 * as they were fitted and as they were predicted. */
static void add_errors(const AftCalibration *it, const AftFold *fold, AftFigures figures,
                       GArray *fitted, GArray *predicted)
{
    for (guint i = 0; i < it->comparison->cells->len; i++) {
        const AftComparedCell *before = &g_array_index(it->comparison->cells, AftComparedCell, i);
        const AftComparedCell *after = &g_array_index(fold->comparison->cells, AftComparedCell, i);
        gboolean its = figures == AFT_FIGURES || aft_cells_figures(before->cell) == figures;
        if (fold->left[i] && its) {
            const double errors[] = {fabs(before->error), fabs(after->error)};
            g_array_append_val(fitted, errors[0]);
            g_array_append_val(predicted, errors[1]);
        }
    }
}

/* Of the folds from @first on, @n. */
static AftErrorPair errors_of(const AftCalibration *it, const GPtrArray *folds, guint first,
                              guint n, AftFigures figures)
{
    g_autoptr(GArray) fitted = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GArray) predicted = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = first; i < first + n; i++) {
        add_errors(it, folds->pdata[i], figures, fitted, predicted);
    }
    return (AftErrorPair){aft_cells_errors(fitted), aft_cells_errors(predicted)};
}

/* Adds the fold without @name, whose residuals are @left_out, that came to @best. */
static void add_fold(AftCalibration *it, const AftCalibrationSetup *setup, const AftTrials *trials,
                     const AftTrial *best, const char *name, const gboolean *left_out)
{
    GPtrArray *folds = it->rotation->folds;
    AftFold *fold = g_new0(AftFold, 1);
    fold->left_out = g_strdup(name);
    fold->values = g_new(double, setup->n_keys);
    for (guint i = 0; i < setup->n_keys; i++) {
        fold->values[i] = aft_free_key_value(&setup->keys[i], best->u[i]);
    }
    fold->comparison = aft_trial_comparison(best);
    fold->left = g_new0(gboolean, fold->comparison->cells->len);
    for (guint i = 0; i < aft_trials_cells(trials); i++) {
        guint place = aft_trials_place(trials, i);
        AftComparedCell *cell = &g_array_index(fold->comparison->cells, AftComparedCell, place);
        fold->left[place] = left_out[i];
        cell->role = left_out[i] ? "left out" : aft_role_name(AFT_ROLE_FITTED);
    }
    g_ptr_array_add(folds, fold);
    fold->errors = errors_of(it, folds, folds->len - 1, 1, AFT_FIGURES);
}

/* Fits without @name. */
static gboolean leave_out(AftCalibration *it, const AftCalibrationSetup *setup, AftTrials *trials,
                          const AftTrial *from, const AftSlopes *around, const char *name,
                          GError **error)
{
    g_autofree gboolean *left_out = without(setup, trials, name);
    g_auto(AftSlopes) slopes;
    aft_slopes_init(&slopes, trials, setup->n_keys);
    aft_slopes_copy(&slopes, around);
    slopes.settled = TRUE;
    aft_trials_leave_out(trials, left_out);
    AftCalibrationSetup fold = *setup;
    fold.iterations = MOST_STEPS;
    if (!aft_fit(trials, &fold, from, &slopes, error)) {
        return FALSE;
    }
    add_fold(it, setup, trials, aft_trials_best(trials), name, left_out);
    return TRUE;
}

gboolean aft_rotate(AftCalibration *it, const AftCalibrationSetup *setup, AftTrials *trials,
                    const AftTrial *best, const AftSlopes *slopes, GError **error)
{
    g_autoptr(GPtrArray) groups = aft_rotate_groups(setup, trials);
    it->rotation = g_new0(AftRotation, 1);
    it->rotation->by = setup->rotate;
    it->rotation->folds = g_ptr_array_new_with_free_func(fold_free);
    guint starts = MAX(setup->starts, 1);
    gboolean fine = TRUE;
    for (guint i = 0; fine && i < groups->len; i++) {
        aft_trials_begin(trials, starts + i, starts + groups->len);
        fine = leave_out(it, setup, trials, best, slopes, groups->pdata[i], error);
    }
    const GPtrArray *folds = it->rotation->folds;
    for (AftFigures figures = 0; figures < AFT_FIGURES; figures++) {
        it->rotation->kind[figures] = errors_of(it, folds, 0, folds->len, figures);
    }
    it->rotation->all = errors_of(it, folds, 0, folds->len, AFT_FIGURES);
    return fine;
}

void aft_rotation_free(AftRotation *rotation)
{
    if (rotation != NULL) {
        g_ptr_array_unref(rotation->folds);
        g_free(rotation);
    }
}
