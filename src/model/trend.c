/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trend.h"

#include <gsl/gsl_fit.h>
#include <string.h>

/* A line is followed ahead for this share of the time it was seen over: the chance of its slope
 * grows with every step beyond, while a drift that matters comes back with the next window. */
#define AHEAD 0.25

void aft_trend_clear(AftTrend *trend)
{
    trend->n = 0;
}

void aft_trend_add(AftTrend *trend, double time_s, double pace)
{
    if (trend->n == AFT_TREND_MOST) {
        trend->n--;
        memmove(trend->time_s, trend->time_s + 1, trend->n * sizeof(double));
        memmove(trend->pace, trend->pace + 1, trend->n * sizeof(double));
    }
    trend->time_s[trend->n] = time_s;
    trend->pace[trend->n++] = pace;
}

static double mean(const AftTrend *trend)
{
    double sum = 0.0;
    for (guint i = 0; i < trend->n; i++) {
        sum += trend->pace[i];
    }
    return sum / trend->n;
}

double aft_trend_at(const AftTrend *trend, double time_s)
{
    if (trend->n == 0) {
        return 0.0;
    }
    if (trend->n < 3) {
        return mean(trend);
    }
    double c0, c1, cov00, cov01, cov11, squares;
    gsl_fit_linear(trend->time_s, 1, trend->pace, 1, trend->n, &c0, &c1, &cov00, &cov01, &cov11,
                   &squares);
    double first_s = trend->time_s[0], last_s = trend->time_s[trend->n - 1];
    double furthest_s = last_s + AHEAD * (last_s - first_s);
    return MAX(c0 + c1 * MIN(time_s, furthest_s), 0.0);
}
