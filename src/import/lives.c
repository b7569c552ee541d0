/* SPDX-License-Identifier: GPL-3.0-or-later */
/* With ages over the largest one, x at exit and e at entry, shape k and scale s, the logarithm of
 * the likelihood is
 *
 *     d ln k - d k ln s + (k - 1) L - S(k) / s^k
 *
 * with d failures, L the sum of ln x over those and S(k) the sum of x^k - e^k over all. For a given
 * k the best s^k is S(k) / d. All that takes time is S, so it is put into a table first. */
#include <aftershock/import/lives.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_spline.h>
#include <math.h>

#define TAIL      (0.025)
#define DROP      (1.920729410347062) /* of the logarithm at a 95 % bound: half of 1.96 squared */
#define MEAN_SPAN (8.0)               /* how far from the best mean is looked, as a logarithm */
#define EXACT     (1e-9)

enum { NODES = 129, STEPS = 200, GRID = 64 };

/* What the data come to. */
typedef struct {
    double failures;
    double log_ages;   /* of failures, summed */
    double unit_hours; /* the largest age */
    double log_shape[NODES], log_sum[NODES];
    gsl_spline *spline;
    gsl_interp_accel *accel;
    double log_mean; /* for which the best shape is looked for */
    double wanted;   /* likelihood at a bound */
} Data;

typedef double (*Curve)(double x, void *data);

double aft_lives_rate(guint64 failures, double years, AftInterval *ret_interval)
{
    double n = (double)failures;
    ret_interval->low = failures > 0 ? gsl_cdf_gamma_Pinv(TAIL, n, 1.0) / years : 0.0;
    ret_interval->high = gsl_cdf_gamma_Qinv(TAIL, n + 1.0, 1.0) / years;
    return n / years;
}

static double power(double base, double exponent)
{
    return base > 0.0 ? exp(exponent * log(base)) : 0.0;
}

static double sum_of_powers(const AftLife *lives, gsize n, double unit_hours, double shape)
{
    double sum = 0.0;
    for (gsize i = 0; i < n; i++) {
        sum += power(lives[i].exit_hours / unit_hours, shape) -
               power(lives[i].entry_hours / unit_hours, shape);
    }
    return sum;
}

static void sum_up(Data *data, const AftLife *lives, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        g_assert(lives[i].entry_hours >= 0.0 && lives[i].exit_hours > lives[i].entry_hours);
        data->unit_hours = MAX(data->unit_hours, lives[i].exit_hours);
    }
    for (gsize i = 0; i < n; i++) {
        data->failures += lives[i].failed ? 1.0 : 0.0;
        data->log_ages += lives[i].failed ? log(lives[i].exit_hours / data->unit_hours) : 0.0;
    }
}

static void tabulate(Data *data, const AftLife *lives, gsize n)
{
    double low = log(AFT_LIVES_LEAST_SHAPE), high = log(AFT_LIVES_MOST_SHAPE);
    for (guint i = 0; i < NODES; i++) {
        data->log_shape[i] = i + 1 < NODES ? low + (high - low) * i / (NODES - 1) : high;
        data->log_sum[i] = log(sum_of_powers(lives, n, data->unit_hours, exp(data->log_shape[i])));
    }
    data->accel = gsl_interp_accel_alloc();
    data->spline = gsl_spline_alloc(gsl_interp_cspline, NODES);
    gsl_spline_init(data->spline, data->log_shape, data->log_sum, NODES);
}

static double log_sum(const Data *data, double log_shape)
{
    double x = CLAMP(log_shape, data->log_shape[0], data->log_shape[NODES - 1]);
    return gsl_spline_eval(data->spline, x, data->accel);
}

/* Minus the logarithm of the likelihood, for the best scale. */
static double cost_of_shape(double log_shape, void *user)
{
    const Data *data = user;
    double d = data->failures, k = exp(log_shape);
    return -(d * log_shape - d * (log_sum(data, log_shape) - log(d)) + (k - 1.0) * data->log_ages -
             d);
}

/* The same for the scale that gives the mean data->log_mean. */
static double cost_at_mean(double log_shape, void *user)
{
    const Data *data = user;
    double d = data->failures, k = exp(log_shape);
    double log_scale = data->log_mean - gsl_sf_lngamma(1.0 + 1.0 / k);
    return -(d * log_shape - d * k * log_scale + (k - 1.0) * data->log_ages -
             exp(log_sum(data, log_shape) - k * log_scale));
}

/* The place of the least of @cost on a grid. Returns: its index; the ends count as none. */
static guint look_around(const Data *data, Curve cost, double *ret_step)
{
    double low = data->log_shape[0];
    *ret_step = (data->log_shape[NODES - 1] - low) / GRID;
    guint best = 0;
    double least = cost(low, (void *)data);
    for (guint i = 1; i <= GRID; i++) {
        double here = cost(low + i * *ret_step, (void *)data);
        if (here < least) {
            least = here;
            best = i;
        }
    }
    return best;
}

/* Where @cost is least. Returns: FALSE when that is at an end. */
static gboolean minimise(Data *data, Curve cost, double *ret_log_shape)
{
    double step;
    guint best = look_around(data, cost, &step);
    double middle = data->log_shape[0] + best * step;
    *ret_log_shape = middle;
    if (best == 0 || best == GRID) {
        return FALSE;
    }
    gsl_function function = {cost, data};
    gsl_min_fminimizer *minimizer = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    int status = gsl_min_fminimizer_set(minimizer, &function, middle, middle - step, middle + step);
    for (guint i = 0; i < STEPS && status == GSL_SUCCESS; i++) {
        status = gsl_min_fminimizer_iterate(minimizer);
        if (status == GSL_SUCCESS && gsl_min_test_interval(gsl_min_fminimizer_x_lower(minimizer),
                                                           gsl_min_fminimizer_x_upper(minimizer),
                                                           EXACT, 0.0) == GSL_SUCCESS) {
            break;
        }
    }
    *ret_log_shape = gsl_min_fminimizer_x_minimum(minimizer); /* of a flat curve: as good as any */
    gsl_min_fminimizer_free(minimizer);
    return TRUE;
}

static double shape_excess(double log_shape, void *user)
{
    const Data *data = user;
    return cost_of_shape(log_shape, user) - data->wanted;
}

static double mean_excess(double log_mean, void *user)
{
    Data *data = user;
    double log_shape;
    data->log_mean = log_mean;
    minimise(data, cost_at_mean, &log_shape); /* at an end, that end is the best */
    return cost_at_mean(log_shape, data) - data->wanted;
}

/* Where @excess crosses 0 between @inside, where it is below, and @outside; there, if it does not.
 */
static double find_bound(Data *data, Curve excess, double inside, double outside)
{
    double beyond = excess(outside, data);
    if (!(beyond > 0.0) || !isfinite(beyond)) {
        return outside;
    }
    gsl_function function = {excess, data};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    int status =
        gsl_root_fsolver_set(solver, &function, MIN(inside, outside), MAX(inside, outside));
    for (guint i = 0; i < STEPS && status == GSL_SUCCESS; i++) {
        status = gsl_root_fsolver_iterate(solver);
        if (gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
                                   gsl_root_fsolver_x_upper(solver), 1e-6, 0.0) == GSL_SUCCESS) {
            break;
        }
    }
    double root = status == GSL_SUCCESS ? gsl_root_fsolver_root(solver) : outside;
    gsl_root_fsolver_free(solver);
    return root;
}

static AftInterval interval_of(Data *data, Curve excess, double best, double low, double high)
{
    return (AftInterval){exp(find_bound(data, excess, best, low)),
                         exp(find_bound(data, excess, best, high))};
}

static gboolean fit(Data *data, AftWeibull *fit)
{
    double log_shape;
    if (!minimise(data, cost_of_shape, &log_shape)) {
        return FALSE;
    }
    fit->shape = exp(log_shape);
    double log_scale = (log_sum(data, log_shape) - log(data->failures)) / fit->shape;
    double log_mean = log_scale + gsl_sf_lngamma(1.0 + 1.0 / fit->shape);
    data->wanted = cost_of_shape(log_shape, data) + DROP;
    fit->shape_interval =
        interval_of(data, shape_excess, log_shape, data->log_shape[0], data->log_shape[NODES - 1]);
    AftInterval mean =
        interval_of(data, mean_excess, log_mean, log_mean - MEAN_SPAN, log_mean + MEAN_SPAN);
    fit->mean_hours = exp(log_mean) * data->unit_hours;
    fit->mean_hours_interval =
        (AftInterval){mean.low * data->unit_hours, mean.high * data->unit_hours};
    return isfinite(fit->mean_hours) && isfinite(mean.high);
}

gboolean aft_lives_fit(const AftLife *lives, gsize n, AftWeibull *ret_fit)
{
    Data data = {0};
    AftWeibull result;
    sum_up(&data, lives, n);
    if (data.failures < AFT_LIVES_LEAST_FAILURES) {
        return FALSE;
    }
    tabulate(&data, lives, n);
    gboolean fitted = fit(&data, &result);
    gsl_spline_free(data.spline);
    gsl_interp_accel_free(data.accel);
    if (fitted) {
        *ret_fit = result;
    }
    return fitted;
}
