/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "slopes.h"

#include <math.h>

/* Wide enough that chance between runs of the same seeds hardly counts: of a key that may become
 * four times as much or a quarter, about a seventh. */
#define STEP  0.2
#define SHORT 0.1 /* steps that hardly change slopes, and show more of chance than of them */

void aft_slopes_init(AftSlopes *ret_slopes, const AftTrials *trials, guint n_keys)
{
    *ret_slopes = (AftSlopes){.matrix = gsl_matrix_calloc(aft_trials_cells(trials), n_keys)};
}

void aft_slopes_clear(AftSlopes *slopes)
{
    g_clear_pointer(&slopes->matrix, gsl_matrix_free);
}

void aft_slopes_copy(AftSlopes *slopes, const AftSlopes *other)
{
    gsl_matrix *matrix = slopes->matrix;
    gsl_matrix_memcpy(matrix, other->matrix);
    *slopes = *other;
    slopes->matrix = matrix;
}

/* Towards the middle, where keys change faster. */
static double step_at(double u)
{
    return u > 0.0 ? -STEP : STEP;
}

/* @at, and a point next to it for each key. Returns: (transfer full). */
static GPtrArray *points_around(const AftTrial *at, gsize n_keys)
{
    GPtrArray *points = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(points, g_memdup2(at->u, n_keys * sizeof(double)));
    for (gsize key = 0; key < n_keys; key++) {
        double *u = g_memdup2(at->u, n_keys * sizeof(double));
        u[key] += step_at(u[key]);
        g_ptr_array_add(points, u);
    }
    return points;
}

gboolean aft_slopes_look(AftSlopes *slopes, AftTrials *trials, const AftTrial *at, GError **error)
{
    gsl_matrix *matrix = slopes->matrix;
    g_autoptr(GPtrArray) points = points_around(at, matrix->size2);
    AftTrial **tried =
        aft_trials_try(trials, (const double *const *)points->pdata, points->len, TRUE, error);
    if (tried == NULL) {
        return FALSE;
    }
    for (gsize key = 0; key < matrix->size2; key++) {
        const AftTrial *beside = tried[key + 1];
        gboolean known = !beside->rejected && !tried[0]->rejected;
        for (gsize cell = 0; cell < matrix->size1; cell++) {
            double change = beside->residual[cell] - tried[0]->residual[cell];
            gsl_matrix_set(matrix, cell, key, known ? change / step_at(at->u[key]) : 0.0);
        }
    }
    slopes->at = slopes->looked = at;
    slopes->updates = 0;
    return TRUE;
}

gboolean aft_slopes_are_near(const AftSlopes *slopes, const AftTrial *at)
{
    gboolean near = slopes->looked != NULL;
    for (gsize key = 0; near && key < slopes->matrix->size2; key++) {
        near = fabs(at->u[key] - slopes->looked->u[key]) <= SHORT;
    }
    return near;
}

void aft_slopes_learn(AftSlopes *slopes, const AftTrial *to)
{
    gsl_matrix *matrix = slopes->matrix;
    const AftTrial *from = slopes->at;
    double length = 0.0; /* of the step, squared */
    for (gsize key = 0; key < matrix->size2; key++) {
        length += (to->u[key] - from->u[key]) * (to->u[key] - from->u[key]);
    }
    if (length < SHORT * SHORT) {
        return;
    }
    for (gsize cell = 0; cell < matrix->size1; cell++) {
        double missed = to->residual[cell] - from->residual[cell];
        for (gsize key = 0; key < matrix->size2; key++) {
            missed -= gsl_matrix_get(matrix, cell, key) * (to->u[key] - from->u[key]);
        }
        for (gsize key = 0; key < matrix->size2; key++) {
            double *slope = gsl_matrix_ptr(matrix, cell, key);
            *slope += missed * (to->u[key] - from->u[key]) / length;
        }
    }
    slopes->updates++;
}
