/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "slopes.h"

/* Wide enough that chance between runs of the same seeds hardly counts: of a key that may become
 * four times as much or a quarter, about a seventh. */
#define STEP 0.2

/* Towards the middle, where keys change faster. */
static double step_at(double u)
{
    return u > 0.0 ? -STEP : STEP;
}

gboolean aft_slopes_look(AftTrials *trials, const AftTrial *at, guint n_keys,
                         gsl_matrix *ret_slopes, GError **error)
{
    g_autoptr(GPtrArray) points = g_ptr_array_new_with_free_func(g_free);
    for (guint key = 0; key < n_keys; key++) {
        double *u = g_memdup2(at->u, n_keys * sizeof(double));
        u[key] += step_at(u[key]);
        g_ptr_array_add(points, u);
    }
    AftTrial **tried = aft_trials_try(trials, (const double *const *)points->pdata, n_keys, error);
    for (guint key = 0; tried != NULL && key < n_keys; key++) {
        for (guint cell = 0; cell < aft_trials_cells(trials); cell++) {
            double change = tried[key]->residual[cell] - at->residual[cell];
            double slope = tried[key]->rejected ? 0.0 : change / step_at(at->u[key]);
            gsl_matrix_set(ret_slopes, cell, key, slope);
        }
    }
    return tried != NULL;
}

void aft_slopes_update(gsl_matrix *slopes, const AftTrial *from, const AftTrial *to)
{
    double length = 0.0; /* of the step, squared */
    for (gsize key = 0; key < slopes->size2; key++) {
        length += (to->u[key] - from->u[key]) * (to->u[key] - from->u[key]);
    }
    for (gsize cell = 0; cell < slopes->size1 && length > 0.0; cell++) {
        double missed = to->residual[cell] - from->residual[cell];
        for (gsize key = 0; key < slopes->size2; key++) {
            missed -= gsl_matrix_get(slopes, cell, key) * (to->u[key] - from->u[key]);
        }
        for (gsize key = 0; key < slopes->size2; key++) {
            double *slope = gsl_matrix_ptr(slopes, cell, key);
            *slope += missed * (to->u[key] - from->u[key]) / length;
        }
    }
}
