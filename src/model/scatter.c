/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scatter.h"

#include <gsl/gsl_statistics.h>
#include <math.h>

#define SURE 2.326 /* standard deviations that chance stays below in 99 of 100 cases */

void aft_scatter_add(AftScatter *scatter, double value)
{
    scatter->sum += value;
    scatter->squares += value * value;
    scatter->n++;
}

/* What a ratio of two variances that are the same, of @above and @below degrees of freedom, stays
 * below in 99 of 100 cases (Paulson: An approximate normalization of the analysis of variance
 * distribution, 1942). That of GSL gives up where there are many. */
static double most_ratio(double above, double below)
{
    double u = 2.0 / (9.0 * above), v = 2.0 / (9.0 * below);
    double divisor = (1.0 - v) * (1.0 - v) - SURE * SURE * v;
    if (divisor <= 0.0) {
        return INFINITY; /* of so few it is not known */
    }
    double product = (1.0 - u) * (1.0 - v);
    double root = sqrt(product * product - divisor * ((1.0 - u) * (1.0 - u) - SURE * SURE * u));
    return pow((product + root) / divisor, 3.0);
}

double aft_scatter_own(const AftScatter *const *scatter, guint n, double lasting)
{
    g_autofree double *means = g_new(double, n);
    double within = 0.0, inverse = 0.0;
    guint known = 0, spare = 0;
    for (guint i = 0; i < n; i++) {
        const AftScatter *it = scatter[i];
        if (it->n > 0) {
            means[known++] = it->sum / it->n;
            within += it->squares - it->sum * it->sum / it->n;
            inverse += 1.0 / it->n;
            spare += it->n - 1;
        }
    }
    if (known < 2 || spare == 0) {
        return 0.0;
    }
    double between = gsl_stats_variance(means, 1, known);
    double chance = MAX(within, 0.0) / spare * inverse / known + lasting;
    double most = chance > 0.0 ? chance * most_ratio(known - 1, spare) : 0.0;
    return between > most ? 1.0 - most / between : 0.0;
}
