/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/stats/batches.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

void aft_batches_init(AftBatches *batches)
{
    *batches = (AftBatches){.joined = 1};
}

static void join_pairs(AftBatches *batches)
{
    batches->n /= 2;
    batches->joined *= 2;
    for (guint i = 0; i < batches->n; i++) {
        batches->numerator[i] = batches->numerator[2 * i] + batches->numerator[2 * i + 1];
        batches->denominator[i] = batches->denominator[2 * i] + batches->denominator[2 * i + 1];
    }
}

static void open_batch(AftBatches *batches)
{
    if (batches->n == AFT_BATCHES_MOST) {
        join_pairs(batches);
    }
    batches->numerator[batches->n] = 0.0;
    batches->denominator[batches->n] = 0.0;
    batches->n++;
    batches->filled = 0;
}

void aft_batches_add(AftBatches *batches, double numerator, double denominator, double weight)
{
    g_assert(batches->joined > 0 && denominator >= 0.0 && weight >= 0.0);
    if (batches->n == 0 || batches->filled == batches->joined) {
        open_batch(batches);
    }
    batches->numerator[batches->n - 1] += weight * numerator;
    batches->denominator[batches->n - 1] += weight * denominator;
    batches->filled++;
}

static double sum(const double *terms, guint n)
{
    double total = 0.0;
    for (guint i = 0; i < n; i++) {
        total += terms[i];
    }
    return total;
}

double aft_batches_ratio(const AftBatches *batches)
{
    double denominator = sum(batches->denominator, batches->n);
    return denominator > 0.0 ? sum(batches->numerator, batches->n) / denominator : NAN;
}

double aft_batches_half_width(const AftBatches *batches, double confidence)
{
    g_assert(confidence > 0.0 && confidence < 1.0);
    double ratio = aft_batches_ratio(batches), squares = 0.0;
    guint k = 0;
    for (guint i = 0; i < batches->n; i++) {
        double residual = batches->numerator[i] - ratio * batches->denominator[i];
        squares += residual * residual;
        k += batches->denominator[i] > 0.0;
    }
    if (k < 2) {
        return NAN;
    }
    double error = sqrt(k / (k - 1.0) * squares) / sum(batches->denominator, batches->n);
    return error * gsl_cdf_tdist_Pinv(0.5 + 0.5 * confidence, k - 1.0);
}
