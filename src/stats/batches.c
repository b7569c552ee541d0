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
        batches->squared[i] = batches->squared[2 * i] + batches->squared[2 * i + 1];
    }
}

static void open_batch(AftBatches *batches)
{
    if (batches->n == AFT_BATCHES_MOST) {
        join_pairs(batches);
    }
    batches->numerator[batches->n] = 0.0;
    batches->denominator[batches->n] = 0.0;
    batches->squared[batches->n] = 0.0;
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
    batches->squared[batches->n - 1] += weight * weight * denominator;
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

typedef struct {
    double ratio;
    double size;   /* what it stands for */
    double chance; /* its variance, for a variance of 1 a unit measured */
} Batch;

/* Those that hold anything. Returns: how many. */
static guint filled_batches(const AftBatches *batches, Batch *ret_batches)
{
    guint k = 0;
    for (guint i = 0; i < batches->n; i++) {
        double size = batches->denominator[i];
        if (size > 0.0) {
            ret_batches[k++] =
                (Batch){batches->numerator[i] / size, size, batches->squared[i] / (size * size)};
        }
    }
    return k;
}

/* What the difference between @batch and @neighbour says of the variance of @batch: its part of
 * the chance that both have. */
static double variance_beside(const Batch *batch, const Batch *neighbour)
{
    double difference = batch->ratio - neighbour->ratio;
    return difference * difference * batch->chance / (batch->chance + neighbour->chance);
}

/* The variance of batch @i of @k; the larger neighbour has more say. */
static double local_variance(const Batch *batches, guint i, guint k)
{
    double sum = 0.0, size = 0.0;
    if (i > 0) {
        sum += batches[i - 1].size * variance_beside(&batches[i], &batches[i - 1]);
        size += batches[i - 1].size;
    }
    if (i + 1 < k) {
        sum += batches[i + 1].size * variance_beside(&batches[i], &batches[i + 1]);
        size += batches[i + 1].size;
    }
    return sum / size;
}

double aft_batches_half_width(const AftBatches *batches, double confidence)
{
    g_assert(confidence > 0.0 && confidence < 1.0);
    Batch filled[AFT_BATCHES_MOST];
    guint k = filled_batches(batches, filled);
    if (k < 2) {
        return NAN;
    }
    double squares = 0.0, sizes_squared = 0.0, total = 0.0;
    for (guint i = 0; i < k; i++) {
        double size = filled[i].size;
        squares += size * size * local_variance(filled, i, k);
        sizes_squared += size * size;
        total += size;
    }
    double alike = total * total / sizes_squared; /* so many batches of one size weigh as much */
    double freedom = 2.0 * (alike - 1.0) * (alike - 1.0) / (3.0 * alike - 4.0);
    return sqrt(squares) / total * gsl_cdf_tdist_Pinv(0.5 + 0.5 * confidence, MAX(freedom, 1.0));
}
