/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/base/error.h>
#include <aftershock/random/variate.h>
#include <math.h>

#define CV_MOST       100.0
#define ERLANG_MOST   1e6
#define WEIBULL_LEAST 0.1
#define WEIBULL_MOST  100.0

static gboolean fail(GError **error, const char *what, double found)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_RANGE, "%s, got %g", what, found);
    return FALSE;
}

static gboolean plain_init(AftVariate *variate, const AftSpread *spread,
                           G_GNUC_UNUSED GError **error)
{
    variate->scv = spread->kind == AFT_SPREAD_EXPONENTIAL ? 1.0 : 0.0;
    return TRUE;
}

/* exp(m + s N) has mean exp(m + s^2 / 2) and squared coefficient of variation exp(s^2) - 1. */
static gboolean lognormal_init(AftVariate *variate, const AftSpread *spread, GError **error)
{
    if (!(spread->cv > 0.0 && spread->cv <= CV_MOST)) {
        return fail(error, "lognormal: expected a cv above 0, at most 100", spread->cv);
    }
    variate->scv = spread->cv * spread->cv;
    double variance = log1p(variate->scv);
    variate->lognormal.mean = -0.5 * variance;
    variate->lognormal.deviation = sqrt(variance);
    return TRUE;
}

static double lognormal_draw(const AftVariate *variate, AftStream *stream)
{
    double normal = aft_stream_normal(stream);
    return exp(variate->lognormal.mean + variate->lognormal.deviation * normal);
}

static gboolean erlang_init(AftVariate *variate, const AftSpread *spread, GError **error)
{
    double stages = spread->shape;
    if (!(stages >= 1.0 && stages <= ERLANG_MOST && stages == floor(stages))) {
        return fail(error, "erlang: expected a whole shape from 1 to 1000000", stages);
    }
    double centre = stages - 1.0 / 3.0;
    variate->scv = 1.0 / stages;
    variate->erlang.scale = centre / stages;
    variate->erlang.centre = centre;
    variate->erlang.width = 1.0 / sqrt(9.0 * centre);
    return TRUE;
}

/* Marsaglia and Tsang, "A simple method for generating gamma variables", 2000: a cubed normal,
 * with a rejection so rare that hundreds of stages cost as much as one. */
static double erlang_draw(const AftVariate *variate, AftStream *stream)
{
    for (;;) {
        double normal = aft_stream_normal(stream);
        double root = 1.0 + variate->erlang.width * normal;
        double cube = root * root * root;
        if (cube <= 0.0) {
            continue;
        }
        double square = normal * normal;
        double uniform = 1.0 - aft_stream_uniform(stream); /* above 0 */
        if (uniform < 1.0 - 0.0331 * square * square ||
            log(uniform) < 0.5 * square + variate->erlang.centre * (1.0 - cube + log(cube))) {
            return variate->erlang.scale * cube;
        }
    }
}

static gboolean weibull_init(AftVariate *variate, const AftSpread *spread, GError **error)
{
    if (!(spread->shape >= WEIBULL_LEAST && spread->shape <= WEIBULL_MOST)) {
        return fail(error, "weibull: expected a shape from 0.1 to 100", spread->shape);
    }
    double exponent = 1.0 / spread->shape;
    double mean = tgamma(1.0 + exponent);
    variate->scv = tgamma(1.0 + 2.0 * exponent) / (mean * mean) - 1.0;
    variate->weibull.scale = 1.0 / mean;
    variate->weibull.exponent = exponent;
    return TRUE;
}

static double weibull_draw(const AftVariate *variate, AftStream *stream)
{
    return variate->weibull.scale * pow(aft_stream_exponential(stream), variate->weibull.exponent);
}

/* Fills @variate from values whose sum is @sum. */
static void empirical_scale(AftVariate *variate, const AftSpread *spread, double sum)
{
    double mean = sum / spread->n_values, squares = 0.0;
    double *values = g_new(double, spread->n_values);
    for (guint i = 0; i < spread->n_values; i++) {
        values[i] = spread->values[i] / mean;
        squares += (values[i] - 1.0) * (values[i] - 1.0);
    }
    variate->scv = squares / spread->n_values;
    variate->empirical.values = values;
    variate->empirical.n = spread->n_values;
}

static gboolean empirical_init(AftVariate *variate, const AftSpread *spread, GError **error)
{
    double sum = 0.0;
    for (guint i = 0; i < spread->n_values; i++) {
        if (!(spread->values[i] > 0.0)) {
            return fail(error, "empirical: expected values above 0", spread->values[i]);
        }
        sum += spread->values[i];
    }
    if (spread->n_values == 0 || !isfinite(sum)) {
        return fail(error, "empirical: expected one or more values of finite sum", sum);
    }
    empirical_scale(variate, spread, sum);
    return TRUE;
}

static double empirical_draw(const AftVariate *variate, AftStream *stream)
{
    return variate->empirical.values[aft_stream_below(stream, variate->empirical.n)];
}

static const struct {
    const char *name;
    gboolean (*init)(AftVariate *variate, const AftSpread *spread, GError **error);
} kinds[] = {
    [AFT_SPREAD_DETERMINISTIC] = {"deterministic", plain_init},
    [AFT_SPREAD_EXPONENTIAL] = {"exponential", plain_init},
    [AFT_SPREAD_LOGNORMAL] = {"lognormal", lognormal_init},
    [AFT_SPREAD_ERLANG] = {"erlang", erlang_init},
    [AFT_SPREAD_WEIBULL] = {"weibull", weibull_init},
    [AFT_SPREAD_EMPIRICAL] = {"empirical", empirical_init},
};

AftVariate *aft_variate_new(const AftSpread *spread, GError **error)
{
    g_assert(spread != NULL && (guint)spread->kind < G_N_ELEMENTS(kinds));
    AftVariate variate = {.kind = spread->kind};
    if (!kinds[spread->kind].init(&variate, spread, error)) {
        return NULL;
    }
    AftVariate *copy = g_new(AftVariate, 1);
    *copy = variate;
    return copy;
}

void aft_variate_free(AftVariate *variate)
{
    if (variate != NULL && variate->kind == AFT_SPREAD_EMPIRICAL) {
        g_free(variate->empirical.values);
    }
    g_free(variate);
}

double aft_variate_draw_shaped(const AftVariate *variate, AftStream *stream)
{
    switch (variate->kind) {
    case AFT_SPREAD_LOGNORMAL:
        return lognormal_draw(variate, stream);
    case AFT_SPREAD_ERLANG:
        return erlang_draw(variate, stream);
    case AFT_SPREAD_WEIBULL:
        return weibull_draw(variate, stream);
    case AFT_SPREAD_EMPIRICAL:
        return empirical_draw(variate, stream);
    case AFT_SPREAD_DETERMINISTIC:
    case AFT_SPREAD_EXPONENTIAL:
        break;
    }
    g_assert_not_reached();
}

const char *aft_spread_name(AftSpreadKind kind)
{
    g_assert((guint)kind < G_N_ELEMENTS(kinds));
    return kinds[kind].name;
}
