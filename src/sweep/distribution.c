/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/sweep/sweep.h>

#include <aftershock/base/error.h>

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#define LEAST_SHAPE (0.1) /* as of the spreads of a scenario */
#define MOST_SHAPE  (100.0)

static double uniform(const double *parameter, double p)
{
    return gsl_cdf_flat_Pinv(p, parameter[0], parameter[1]);
}

static double log_uniform(const double *parameter, double p)
{
    return parameter[0] * pow(parameter[1] / parameter[0], p);
}

static double normal(const double *parameter, double p)
{
    return parameter[0] + gsl_cdf_gaussian_Pinv(p, parameter[1]);
}

/* The logarithm is normal; its variance and mean follow from those of the value. */
static double lognormal(const double *parameter, double p)
{
    double variance = log1p(pow(parameter[1] / parameter[0], 2.0));
    return gsl_cdf_lognormal_Pinv(p, log(parameter[0]) - variance / 2.0, sqrt(variance));
}

static double exponential(const double *parameter, double p)
{
    return gsl_cdf_exponential_Pinv(p, parameter[0]);
}

static double weibull(const double *parameter, double p)
{
    return gsl_cdf_weibull_Pinv(p, parameter[0] / tgamma(1.0 + 1.0 / parameter[1]), parameter[1]);
}

static const struct {
    const char *name;
    guint parameters;
    double (*quantile)(const double *parameter, double p);
    const char *help;
} kinds[AFT_DISTRIBUTIONS] = {
    [AFT_DISTRIBUTION_UNIFORM] = {"uniform", 2, uniform,
                                  "[low, high]: all between them equally likely"},
    [AFT_DISTRIBUTION_LOG_UNIFORM] = {"log-uniform", 2, log_uniform,
                                      "[low, high]: all orders of magnitude equally likely"},
    [AFT_DISTRIBUTION_NORMAL] = {"normal", 2, normal, "[mean, standard deviation]"},
    [AFT_DISTRIBUTION_LOGNORMAL] = {"lognormal", 2, lognormal,
                                    "[mean, standard deviation] of the value itself"},
    [AFT_DISTRIBUTION_EXPONENTIAL] = {"exponential", 1, exponential, "mean"},
    [AFT_DISTRIBUTION_WEIBULL] = {"weibull", 2, weibull,
                                  "[mean, shape]: shape below 1 early, above 1 late"},
};

const char *aft_distribution_name(AftDistributionKind kind)
{
    return kinds[kind].name;
}

const char *aft_distribution_help(AftDistributionKind kind)
{
    return kinds[kind].help;
}

gboolean aft_distribution_find(const char *name, AftDistributionKind *ret_kind)
{
    for (guint i = 0; i < AFT_DISTRIBUTIONS; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            *ret_kind = (AftDistributionKind)i;
            return TRUE;
        }
    }
    return FALSE;
}

guint aft_distribution_parameters(AftDistributionKind kind)
{
    return kinds[kind].parameters;
}

/* What is wrong with the parameters. Returns: (nullable): NULL: nothing. */
static const char *complaint(AftDistributionKind kind, const double *parameter)
{
    gboolean bounds = kind == AFT_DISTRIBUTION_UNIFORM || kind == AFT_DISTRIBUTION_LOG_UNIFORM;
    if (bounds && !(parameter[0] < parameter[1])) {
        return "expected the lower bound first, and the higher one after it";
    }
    if (kind == AFT_DISTRIBUTION_UNIFORM) {
        return NULL;
    }
    if (kind != AFT_DISTRIBUTION_NORMAL && !(parameter[0] > 0.0)) {
        return bounds ? "expected bounds above 0" : "expected a mean above 0";
    }
    if (kind == AFT_DISTRIBUTION_WEIBULL) {
        return parameter[1] >= LEAST_SHAPE && parameter[1] <= MOST_SHAPE
                   ? NULL
                   : "expected a shape of 0.1 to 100";
    }
    gboolean deviation = kind == AFT_DISTRIBUTION_NORMAL || kind == AFT_DISTRIBUTION_LOGNORMAL;
    return deviation && !(parameter[1] > 0.0) ? "expected a standard deviation above 0" : NULL;
}

gboolean aft_distribution_check(const AftDistribution *distribution, GError **error)
{
    const char *wrong = NULL;
    for (guint i = 0; i < kinds[distribution->kind].parameters; i++) {
        if (!isfinite(distribution->parameter[i])) {
            wrong = "expected finite numbers";
        }
    }
    wrong = wrong != NULL ? wrong : complaint(distribution->kind, distribution->parameter);
    if (wrong != NULL) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE, "%s: %s", kinds[distribution->kind].name,
                    wrong);
    }
    return wrong == NULL;
}

double aft_distribution_quantile(const AftDistribution *distribution, double p)
{
    g_assert(p > 0.0 && p < 1.0);
    return kinds[distribution->kind].quantile(distribution->parameter, p);
}

/* The whole number at @p: between bounds each has the room up to the next one, elsewhere half the
 * way to both. */
static double whole_quantile(const AftDistribution *distribution, double p)
{
    AftDistribution wider = *distribution;
    if (distribution->kind == AFT_DISTRIBUTION_UNIFORM ||
        distribution->kind == AFT_DISTRIBUTION_LOG_UNIFORM) {
        wider.parameter[1] += 1.0;
        double value = floor(aft_distribution_quantile(&wider, p));
        return fmin(value, distribution->parameter[1]); /* rounding must not yield one more */
    }
    return round(aft_distribution_quantile(distribution, p));
}

double aft_axis_quantile(const AftAxis *axis, double p)
{
    double value = axis->whole ? whole_quantile(&axis->distribution, p)
                               : aft_distribution_quantile(&axis->distribution, p);
    return CLAMP(value, axis->minimum, axis->maximum);
}
