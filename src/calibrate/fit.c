/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit.h"

#include "slopes.h"

#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <string.h>

#define ENOUGH_STEP 0.01 /* of a key on the line, relative: chance is more than that */
#define ENOUGH_GAIN 1e-4 /* of the cost */
#define FRESH_STEPS 4    /* that slopes may be brought up to date by, before all are looked at */
#define REJECTED    1e3  /* residual of a trial that could not be run */

/* What GSL is to know nothing of. */
typedef struct {
    AftTrials *trials;
    const AftCalibrationSetup *setup;
    const AftTrial *start; /* of this way down */
    const AftTrial *last;  /* tried last */
    const AftTrial *at;    /* (nullable): around which slopes are known */
    gsl_matrix *slopes;    /* of cells alone */
    guint updates;         /* since all were looked at */
    guint tried;           /* since slopes were asked for */
    gboolean failed;
    GError **error;
} Way;

static gboolean is_at(const Way *way, const AftTrial *trial, const gsl_vector *u)
{
    return memcmp(trial->u, gsl_vector_const_ptr(u, 0), way->setup->n_keys * sizeof(double)) == 0;
}

/* What was tried at @u, now if not before. Returns: (nullable): it failed. */
static const AftTrial *try_at(Way *way, const gsl_vector *u)
{
    const double *point = gsl_vector_const_ptr(u, 0);
    if (is_at(way, way->last, u)) {
        return way->last;
    }
    AftTrial **tried = way->failed ? NULL : aft_trials_try(way->trials, &point, 1, way->error);
    way->failed |= tried == NULL;
    way->tried++;
    if (tried != NULL) {
        way->last = tried[0];
    }
    return tried != NULL ? tried[0] : NULL;
}

static int residuals(const gsl_vector *u, void *data, gsl_vector *f)
{
    Way *way = data;
    const AftTrial *trial = try_at(way, u);
    guint cells = aft_trials_cells(way->trials);
    for (guint i = 0; i < cells; i++) {
        gsl_vector_set(f, i, trial != NULL ? trial->residual[i] : REJECTED);
    }
    for (guint key = 0; key < way->setup->n_keys; key++) {
        double moved = gsl_vector_get(u, key) - way->start->u[key];
        gsl_vector_set(f, cells + key, AFT_FIT_PULL * moved);
    }
    return GSL_SUCCESS;
}

/* Looks at all slopes again where steps had to be taken back, or too many have been taken. */
static gboolean know_slopes(Way *way, const AftTrial *at)
{
    gboolean stale = way->at == NULL || way->tried > 1 || way->updates == FRESH_STEPS;
    if (!stale && way->at != at) {
        aft_slopes_update(way->slopes, way->at, at);
        way->updates++;
    } else if (stale) {
        way->failed |=
            !aft_slopes_look(way->trials, at, way->setup->n_keys, way->slopes, way->error);
        way->updates = 0;
    }
    way->at = at;
    way->tried = 0;
    return !way->failed;
}

static int slopes(const gsl_vector *u, void *data, gsl_matrix *jacobian)
{
    Way *way = data;
    const AftTrial *trial = try_at(way, u);
    guint cells = aft_trials_cells(way->trials), n_keys = way->setup->n_keys;
    gsl_matrix_set_zero(jacobian);
    if (trial == NULL || !know_slopes(way, trial)) {
        return GSL_SUCCESS; /* it ends at the next look */
    }
    way->last = trial;
    for (guint key = 0; key < n_keys; key++) {
        for (guint cell = 0; cell < cells; cell++) {
            gsl_matrix_set(jacobian, cell, key, gsl_matrix_get(way->slopes, cell, key));
        }
        gsl_matrix_set(jacobian, cells + key, key, AFT_FIT_PULL);
    }
    return GSL_SUCCESS;
}

static void go_down(Way *way, gsl_multifit_nlinear_workspace *work)
{
    int info = 0;
    for (guint i = 0; i < way->setup->iterations && !way->failed; i++) {
        int status = gsl_multifit_nlinear_iterate(work);
        if (status != GSL_SUCCESS || way->failed ||
            gsl_multifit_nlinear_test(ENOUGH_STEP, 0.0, ENOUGH_GAIN, &info, work) == GSL_SUCCESS) {
            return;
        }
    }
}

gboolean aft_fit(AftTrials *trials, const AftCalibrationSetup *setup, const AftTrial *start,
                 GError **error)
{
    guint cells = aft_trials_cells(trials);
    Way way = {.trials = trials,
               .setup = setup,
               .start = start,
               .last = start,
               .slopes = gsl_matrix_alloc(cells, setup->n_keys),
               .error = error};
    gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf fdf = {.f = residuals,
                                    .df = slopes,
                                    .n = cells + setup->n_keys,
                                    .p = setup->n_keys,
                                    .params = &way};
    gsl_multifit_nlinear_workspace *work =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, fdf.n, fdf.p);
    gsl_vector_const_view begin = gsl_vector_const_view_array(start->u, setup->n_keys);
    gsl_multifit_nlinear_init(&begin.vector, &fdf, work);
    go_down(&way, work);
    gsl_multifit_nlinear_free(work);
    gsl_matrix_free(way.slopes);
    return !way.failed;
}
