/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify.h"

#include "free_key.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

#define ALL_THE_WAY 6.0  /* units of the line from 5 to 95 % of the way between the bounds */
#define NOTHING     1e-9 /* of the largest singular value: none */
#define AT_BOUND    0.01 /* of the way */

/* slopes = U S V'. @ret_v has a column a direction. */
static void decompose(const gsl_matrix *slopes, gsl_matrix *ret_v, gsl_vector *ret_s)
{
    gsize n = slopes->size2,
          rows = MAX(slopes->size1, n); /* GSL wants no fewer rows than columns */
    gsl_matrix *u = gsl_matrix_calloc(rows, n);
    for (gsize row = 0; row < slopes->size1; row++) {
        for (gsize key = 0; key < n; key++) {
            gsl_matrix_set(u, row, key, gsl_matrix_get(slopes, row, key));
        }
    }
    gsl_vector *work = gsl_vector_alloc(n);
    gsl_linalg_SV_decomp(u, ret_v, ret_s, work);
    gsl_vector_free(work);
    gsl_matrix_free(u);
}

/* Variance of key @i on the line, for residuals of variance 1: sum of (v_ik / s_k)^2. */
static double variance_of(const gsl_matrix *v, const gsl_vector *s, guint i)
{
    double sum = 0.0;
    for (gsize k = 0; k < s->size; k++) {
        double part = gsl_matrix_get(v, i, k), singular = gsl_vector_get(s, k);
        if (singular > NOTHING * gsl_vector_get(s, 0)) {
            sum += part * part / singular / singular;
        } else if (part * part > NOTHING) {
            return INFINITY;
        }
    }
    return sum;
}

/* Residuals are in tolerances, of which nobody knows how they stand to what is really unsure: that
 * is taken from how large they are at the end. Chance moves figures of a configuration together,
 * which residuals do not show, so that of the simulation is added, and as much for what was
 * measured. */
static double residual_variance(const AftTrial *at, gsize cells, gsize keys)
{
    double chance = 2.0 * at->chance;
    return cells > keys ? at->cost / (double)(cells - keys) + chance : NAN;
}

static void set_interval(AftFittedKey *it, double u, double deviation, double t)
{
    double half = t * deviation; /* on the line */
    double low = aft_free_key_value(&it->key, u - half);
    double high = aft_free_key_value(&it->key, u + half);
    double way = 1.0 / (1.0 + exp(-u));
    it->half_width = isfinite(half) ? (high - low) / 2.0 : (double)INFINITY;
    it->at_bound = way < AT_BOUND || way > 1.0 - AT_BOUND;
    it->told = half < ALL_THE_WAY / 2.0;
}

static void set_direction(AftDirection *direction, const gsl_matrix *v, const gsl_vector *s,
                          guint k, guint n)
{
    *direction =
        (AftDirection){.singular = ALL_THE_WAY * gsl_vector_get(s, k), .part = g_new(double, n)};
    for (guint i = 0; i < n; i++) {
        direction->part[i] = gsl_matrix_get(v, i, k);
    }
}

void aft_identify(AftCalibration *calibration, const AftTrial *at, const gsl_matrix *slopes)
{
    guint n = calibration->n_keys;
    gsl_matrix *v = gsl_matrix_alloc(n, n);
    gsl_vector *s = gsl_vector_alloc(n);
    decompose(slopes, v, s);
    double variance = residual_variance(at, slopes->size1, n);
    double t = slopes->size1 > n ? gsl_cdf_tdist_Pinv(0.975, (double)(slopes->size1 - n)) : NAN;
    for (guint i = 0; i < n; i++) {
        double deviation = sqrt(variance * variance_of(v, s, i));
        set_interval(&calibration->keys[i], at->u[i], isnan(deviation) ? INFINITY : deviation,
                     isnan(t) ? 1.0 : t);
        set_direction(&calibration->directions[i], v, s, i, n);
    }
    gsl_vector_free(s);
    gsl_matrix_free(v);
}
