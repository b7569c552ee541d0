/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slopes that are brought up to date by steps, and what singular values tell. */
#include "identify.h"
#include "slopes.h"
#include "test.h"

#define KEYS  3
#define CELLS 4

static const double truth[CELLS][KEYS] = {{1.0, 0.0, 0.5},
                                          {0.0, 2.0, -1.0},
                                          {1.0, 1.0, 0.0},
                                          {0.3, -0.2, 4.0}};

/* A trial at @u of cells that are linear in it. */
static AftTrial trial_at(const double *u, double *residual)
{
    AftTrial trial = {.u = (double *)u, .residual = residual};
    for (guint cell = 0; cell < CELLS; cell++) {
        residual[cell] = 7.0;
        for (guint key = 0; key < KEYS; key++) {
            residual[cell] += truth[cell][key] * u[key];
        }
        trial.cost += residual[cell] * residual[cell];
    }
    return trial;
}

/* After a step along each key in turn all slopes are known, from nothing. */
static void steps_show_the_slopes(void **state G_GNUC_UNUSED)
{
    g_auto(AftSlopes) slopes = {.matrix = gsl_matrix_calloc(CELLS, KEYS)};
    double u[KEYS + 1][KEYS] = {{0}}, residual[KEYS + 1][CELLS];
    for (guint step = 0; step < KEYS; step++) {
        memcpy(u[step + 1], u[step], sizeof u[0]);
        u[step + 1][step] += 0.5;
        AftTrial from = trial_at(u[step], residual[step]);
        AftTrial to = trial_at(u[step + 1], residual[step + 1]);
        slopes.at = &from;
        aft_slopes_learn(&slopes, &to);
    }
    for (guint cell = 0; cell < CELLS; cell++) {
        for (guint key = 0; key < KEYS; key++) {
            assert_within(gsl_matrix_get(slopes.matrix, cell, key), truth[cell][key], 1e-12);
        }
    }
    assert_int_equal(slopes.updates, KEYS);
}

/* Within 0.1 on the line, of each key. */
static void slopes_are_known_near_by(void **state G_GNUC_UNUSED)
{
    g_auto(AftSlopes) slopes = {.matrix = gsl_matrix_calloc(CELLS, KEYS)};
    double u[KEYS] = {1.0, -1.0, 0.0}, residual[CELLS] = {0};
    AftTrial looked = trial_at((const double[KEYS]){0.95, -0.95, 0.08}, residual);
    AftTrial at = trial_at(u, residual);
    assert_false(aft_slopes_are_near(&slopes, &at));
    slopes.looked = &looked;
    assert_true(aft_slopes_are_near(&slopes, &at));
    u[2] = -0.05;
    assert_false(aft_slopes_are_near(&slopes, &at));
}

static AftCalibration *calibration_of(guint n)
{
    AftCalibration *it = g_new0(AftCalibration, 1);
    it->n_keys = n;
    it->keys = g_new0(AftFittedKey, n);
    it->directions = g_new0(AftDirection, n);
    for (guint i = 0; i < n; i++) {
        it->keys[i].key =
            (AftFreeKey){.unit = AFT_UNIT_TIME, .start = 2.0, .low = 1.0, .high = 4.0};
    }
    return it;
}

/* Cells feel the first key, and of the two others nothing but their sum. */
static void keys_that_only_count_together_are_not_told(void **state G_GNUC_UNUSED)
{
    gsl_matrix *slopes = gsl_matrix_calloc(CELLS, KEYS);
    for (guint cell = 0; cell < CELLS; cell++) {
        gsl_matrix_set(slopes, cell, 0, cell == 0 ? 5.0 : 0.0);
        gsl_matrix_set(slopes, cell, 1, cell == 1 ? 3.0 : 0.0);
        gsl_matrix_set(slopes, cell, 2, cell == 1 ? 3.0 : 0.0);
    }
    g_autoptr(AftCalibration) it = calibration_of(KEYS);
    double u[KEYS] = {0}, residual[CELLS] = {0};
    AftTrial at = {.u = u, .residual = residual, .cost = 0.01};
    aft_identify(it, &at, slopes);
    assert_true(it->keys[0].told);
    assert_false(it->keys[1].told || it->keys[2].told);
    assert_true(isfinite(it->keys[0].half_width) && isinf(it->keys[1].half_width));
    assert_within(it->directions[KEYS - 1].singular, 0.0, 1e-9);
    const double *part = it->directions[KEYS - 1].part;
    assert_within(fabs(part[1]), sqrt(0.5), 1e-9);
    assert_within(part[1] + part[2], 0.0, 1e-9);
    gsl_matrix_free(slopes);
}

/* One key, cells of the same slope: the interval is Student's. Variance 0.03 / 3, slopes 2 each of
 * 4 cells, so 0.1 / 4 on the line; 3.182 of that for 95 % with 3 degrees of freedom. The key is
 * 2 x 2^(w - 1/2) x ..., which is known at the ends. */
static void intervals_are_those_of_a_straight_line(void **state G_GNUC_UNUSED)
{
    gsl_matrix *slopes = gsl_matrix_alloc(CELLS, 1);
    gsl_matrix_set_all(slopes, 2.0);
    g_autoptr(AftCalibration) it = calibration_of(1);
    double u[] = {0.0}, residual[CELLS] = {0};
    AftTrial at = {.u = u, .residual = residual, .cost = 0.03};
    aft_identify(it, &at, slopes);
    double half = 3.1824463 * 0.1 / 4.0;
    double high = pow(4.0, 1.0 / (1.0 + exp(-half))), low = pow(4.0, 1.0 / (1.0 + exp(half)));
    assert_within(it->keys[0].half_width, (high - low) / 2.0, 1e-6);
    gsl_matrix_free(slopes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_show_the_slopes),
        cmocka_unit_test(slopes_are_known_near_by),
        cmocka_unit_test(keys_that_only_count_together_are_not_told),
        cmocka_unit_test(intervals_are_those_of_a_straight_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
