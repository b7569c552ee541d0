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

/* The ratios of batches that hold anything, and how much they hold. Returns: how many. */
static guint filled_batches(const AftBatches *batches, double *ret_ratio, double *ret_size)
{
    guint k = 0;
    for (guint i = 0; i < batches->n; i++) {
        if (batches->denominator[i] > 0.0) {
            ret_ratio[k] = batches->numerator[i] / batches->denominator[i];
            ret_size[k++] = batches->denominator[i];
        }
    }
    return k;
}

/* The variance of batch @i of @k by how it differs from its neighbours, who have a say by their
 * size: a second in which everything stood still says little of the minutes after it. */
static double local_variance(const double *ratio, const double *size, guint i, guint k)
{
    double before = i > 0 ? ratio[i] - ratio[i - 1] : 0.0, before_size = i > 0 ? size[i - 1] : 0.0;
    double after = i + 1 < k ? ratio[i + 1] - ratio[i] : 0.0;
    double after_size = i + 1 < k ? size[i + 1] : 0.0;
    return 0.5 * (before_size * before * before + after_size * after * after) /
           (before_size + after_size);
}

double aft_batches_half_width(const AftBatches *batches, double confidence)
{
    g_assert(confidence > 0.0 && confidence < 1.0);
    double ratio[AFT_BATCHES_MOST], size[AFT_BATCHES_MOST];
    guint k = filled_batches(batches, ratio, size);
    if (k < 2) {
        return NAN;
    }
    double squares = 0.0, sizes_squared = 0.0, total = sum(size, k);
    for (guint i = 0; i < k; i++) {
        squares += size[i] * size[i] * local_variance(ratio, size, i, k);
        sizes_squared += size[i] * size[i];
    }
    double alike = total * total / sizes_squared; /* so many batches of one size weigh as much */
    double freedom = 2.0 * (alike - 1.0) * (alike - 1.0) / (3.0 * alike - 4.0);
    return sqrt(squares) / total * gsl_cdf_tdist_Pinv(0.5 + 0.5 * confidence, MAX(freedom, 1.0));
}
