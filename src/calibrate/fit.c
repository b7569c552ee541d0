/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit.h"

#include "free_key.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#define ENOUGH_STEP   0.01 /* of every key, on the line: chance is more than that */
#define ENOUGH_GAIN   1e-3 /* of the cost: so is that */
#define ENOUGH_CHANCE 0.1  /* of what chance lets keys gain: off by a third of its error */
#define FRESH_STEPS   4    /* that slopes may be brought up to date by, before all are looked at */
#define MOST_MISSES   3    /* trials in a row that are no better, before slopes are in doubt */
#define FIRST_RADIUS                                                                              \
    1.0               /* of a step, on the line: of a key that may become four times as much or a \
                       * quarter, a factor of two */
#define POOR     0.25 /* share of the gain expected below which steps become shorter */
#define GOOD     0.75 /* and above which they may become longer */
#define HALVINGS 60   /* that find how much to damp */

typedef struct {
    AftTrials *trials;
    const AftCalibrationSetup *setup;
    const AftTrial *at;
    AftSlopes *slopes;
    double radius; /* that steps are no longer than */
} Way;

/* A step from where the way stands, by the slopes. */
typedef struct {
    double *by; /* of each key */
    double length, gain;
} Step;

static void step_clear(Step *step)
{
    g_free(step->by);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Step, step_clear)

/* Residuals and their slopes where the way stands, those of the pull behind those of cells, in
 * their singular values: slopes = U S V'. */
typedef struct {
    gsl_matrix *u, *v;
    gsl_vector *s, *residual;
    gsl_vector *part; /* U' residual */
} Linear;

static void linear_clear(Linear *it)
{
    gsl_matrix_free(it->u);
    gsl_matrix_free(it->v);
    gsl_vector_free(it->s);
    gsl_vector_free(it->residual);
    gsl_vector_free(it->part);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Linear, linear_clear)

static void fill_cells(const Way *way, Linear *it)
{
    for (guint cell = 0; cell < aft_trials_cells(way->trials); cell++) {
        gboolean out = aft_trials_leaves_out(way->trials, cell);
        gsl_vector_set(it->residual, cell, aft_trials_residual(way->trials, way->at, cell));
        for (guint key = 0; key < way->setup->n_keys; key++) {
            double slope = gsl_matrix_get(way->slopes->matrix, cell, key);
            gsl_matrix_set(it->u, cell, key, out ? 0.0 : slope);
        }
    }
}

static void fill_pull(const Way *way, Linear *it)
{
    guint cells = aft_trials_cells(way->trials);
    for (guint key = 0; key < way->setup->n_keys; key++) {
        const AftFreeKey *free_key = &way->setup->keys[key];
        double moved = way->at->u[key] - aft_free_key_line(free_key, free_key->start);
        gsl_vector_set(it->residual, cells + key, AFT_TRIALS_PULL * moved);
        gsl_matrix_set(it->u, cells + key, key, AFT_TRIALS_PULL);
    }
}

static void linear_init(Linear *it, const Way *way)
{
    gsize n = way->setup->n_keys, rows = aft_trials_cells(way->trials) + n;
    *it = (Linear){gsl_matrix_calloc(rows, n), gsl_matrix_alloc(n, n), gsl_vector_alloc(n),
                   gsl_vector_alloc(rows), gsl_vector_alloc(n)};
    fill_cells(way, it);
    fill_pull(way, it);
    gsl_vector *work = gsl_vector_alloc(n);
    gsl_linalg_SV_decomp(it->u, it->v, it->s, work);
    gsl_vector_free(work);
    gsl_blas_dgemv(CblasTrans, 1.0, it->u, it->residual, 0.0, it->part);
}

/* Fills in @step, damped: each direction goes s / (s^2 + damping) of its part. */
static void damp(const Linear *it, double damping, Step *step)
{
    gsize n = it->s->size;
    double squares = 0.0;
    step->gain = 0.0;
    memset(step->by, 0, n * sizeof(double));
    for (gsize k = 0; k < n; k++) {
        double s = gsl_vector_get(it->s, k), part = gsl_vector_get(it->part, k);
        double way = -part * s / (s * s + damping), left = part + s * way;
        squares += way * way;
        step->gain += part * part - left * left;
        for (gsize key = 0; key < n; key++) {
            step->by[key] += way * gsl_matrix_get(it->v, key, k);
        }
    }
    step->length = sqrt(squares);
}

/* The best step that is no longer than the radius (Levenberg 1944, Marquardt 1963, More 1978). */
static void choose_step(const Way *way, Step *ret_step)
{
    g_auto(Linear) it;
    linear_init(&it, way);
    *ret_step = (Step){.by = g_new0(double, way->setup->n_keys)};
    damp(&it, 0.0, ret_step);
    double low = 0.0, high = gsl_blas_dnrm2(it.part) * gsl_vector_get(it.s, 0) / way->radius;
    if (ret_step->length > way->radius) {
        for (guint i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2.0;
            damp(&it, middle, ret_step);
            *(ret_step->length > way->radius ? &low : &high) = middle;
        }
        damp(&it, high, ret_step);
    }
}

/* What keys gain from chance alone is its variance for each. */
static double enough_gain(const Way *way)
{
    double by_chance = way->setup->n_keys * way->at->chance;
    return MAX(ENOUGH_GAIN * (way->at->cost + way->at->pull), ENOUGH_CHANCE * by_chance);
}

static gboolean is_worth(const Way *way, const Step *step)
{
    double furthest = 0.0;
    for (guint key = 0; key < way->setup->n_keys; key++) {
        furthest = MAX(furthest, fabs(step->by[key]));
    }
    return step->gain > enough_gain(way) && furthest >= ENOUGH_STEP;
}

/* Returns: (nullable): it failed. */
static const AftTrial *try_step(const Way *way, const Step *step, GError **error)
{
    g_autofree double *u = g_new(double, way->setup->n_keys);
    for (guint key = 0; key < way->setup->n_keys; key++) {
        u[key] = way->at->u[key] + step->by[key];
    }
    const double *point = u;
    AftTrial **tried = aft_trials_try(way->trials, &point, 1, FALSE, error);
    return tried != NULL ? tried[0] : NULL;
}

/* Learns from @trial, a @step from where the way stands. Returns: what was gained. */
static double learn(Way *way, const Step *step, const AftTrial *trial)
{
    double gained = way->at->cost + way->at->pull - trial->cost - trial->pull;
    if (!trial->rejected) {
        aft_slopes_learn(way->slopes, trial);
    }
    if (gained < POOR * step->gain) {
        way->radius = step->length / 2.0;
    } else if (gained > GOOD * step->gain) {
        way->radius = MAX(way->radius, 2.0 * step->length);
    }
    return gained;
}

typedef enum {
    MOVED,
    IDLE,   /* slopes promise nothing */
    MISSED, /* what they promise is not there */
    ARRIVED,
    FAILED
} Outcome;

/* Takes a step, a shorter one if it is none. */
static Outcome take_step(Way *way, GError **error)
{
    for (guint miss = 0; miss < MOST_MISSES; miss++) {
        g_auto(Step) step;
        choose_step(way, &step);
        if (!is_worth(way, &step)) {
            return IDLE;
        }
        const AftTrial *trial = try_step(way, &step, error);
        if (trial == NULL) {
            return FAILED;
        }
        double gained = learn(way, &step, trial), enough = enough_gain(way);
        if (gained > 0.0) {
            way->at = way->slopes->at = trial;
            return gained > enough ? MOVED : ARRIVED;
        }
    }
    return MISSED;
}

/* Whether slopes are to blame, or may have become others since all were looked at. */
static gboolean is_doubtful(const Way *way, Outcome outcome)
{
    const AftSlopes *slopes = way->slopes;
    return !slopes->settled && ((outcome == MISSED && slopes->looked != way->at) ||
                                (outcome == IDLE && !aft_slopes_are_near(slopes, way->at)) ||
                                (outcome == MOVED && slopes->updates >= FRESH_STEPS));
}

static gboolean look(Way *way, GError **error)
{
    way->radius = FIRST_RADIUS;
    return aft_slopes_look(way->slopes, way->trials, way->at, error);
}

gboolean aft_fit(AftTrials *trials, const AftCalibrationSetup *setup, const AftTrial *start,
                 AftSlopes *slopes, GError **error)
{
    Way way = {trials, setup, start, slopes, FIRST_RADIUS};
    Outcome outcome = slopes->at == start || look(&way, error) ? MOVED : FAILED;
    for (guint i = 0; i < setup->iterations && outcome == MOVED; i++) {
        aft_trials_step(trials, i + 1);
        outcome = take_step(&way, error);
        if (is_doubtful(&way, outcome)) {
            outcome = look(&way, error) ? MOVED : FAILED;
        }
    }
    return outcome != FAILED;
}
