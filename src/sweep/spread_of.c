/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/sweep/tables.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

#define CONFIDENCE 0.95

/* Puts the values that are there in front. Returns: how many. */
static guint drop_none(double *values, guint n)
{
    guint kept = 0;
    for (guint i = 0; i < n; i++) {
        if (!isnan(values[i])) {
            values[kept++] = values[i];
        }
    }
    return kept;
}

AftSpreadOf aft_spread_of(double *values, guint n)
{
    const double none = (double)NAN;
    AftSpreadOf spread = {drop_none(values, n), none, none, none, none, none};
    if (spread.n > 0) {
        spread.mean = gsl_stats_mean(values, 1, spread.n);
        double deviation = spread.n > 1 ? gsl_stats_sd_m(values, 1, spread.n, spread.mean) : none;
        double t =
            spread.n > 1 ? gsl_cdf_tdist_Pinv((1.0 + CONFIDENCE) / 2.0, spread.n - 1.0) : none;
        spread.ci = t * deviation / sqrt(spread.n);
        gsl_sort(values, 1, spread.n);
        spread.p5 = gsl_stats_quantile_from_sorted_data(values, 1, spread.n, 0.05);
        spread.p50 = gsl_stats_quantile_from_sorted_data(values, 1, spread.n, 0.5);
        spread.p95 = gsl_stats_quantile_from_sorted_data(values, 1, spread.n, 0.95);
    }
    return spread;
}
