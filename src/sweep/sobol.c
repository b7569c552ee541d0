/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/sweep/points.h>

#include <aftershock/random/stream.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

enum { RESAMPLES = 200 };

/* A figure at the three points of a row that an axis takes. */
typedef struct {
    double a, b, mixed; /* mixed: A with the column of the axis from B */
} Row;

/* Without rows that have anything else than numbers: indices of all axes are of the same rows. */
static GArray *gather(const double *values, guint rows, guint axes, guint axis)
{
    GArray *kept = g_array_new(FALSE, FALSE, sizeof(Row));
    for (guint i = 0; i < rows; i++) {
        const double *value = values + (gsize)i * (axes + 2);
        gboolean finite = TRUE;
        for (guint column = 0; column < axes + 2; column++) {
            finite = finite && isfinite(value[column]);
        }
        if (finite) {
            Row row = {value[0], value[1], value[axis + 2]};
            g_array_append_val(kept, row);
        }
    }
    return kept;
}

/* Takes the mean of A and B off all values, which changes no index but makes estimates sharper. */
static void centre(GArray *rows)
{
    double sum = 0.0;
    for (guint i = 0; i < rows->len; i++) {
        const Row *row = &g_array_index(rows, Row, i);
        sum += row->a + row->b;
    }
    double mean = sum / (2.0 * rows->len);
    for (guint i = 0; i < rows->len; i++) {
        Row *row = &g_array_index(rows, Row, i);
        *row = (Row){row->a - mean, row->b - mean, row->mixed - mean};
    }
}

typedef struct {
    double first, total;
} Pair;

/* The indices of those rows, or of as many drawn among them. */
static Pair estimate(const GArray *rows, AftStream *stream)
{
    double sum = 0.0, square = 0.0, first = 0.0, total = 0.0;
    for (guint i = 0; i < rows->len; i++) {
        guint at = stream != NULL ? (guint)aft_stream_below(stream, rows->len) : i;
        const Row *row = &g_array_index(rows, Row, at);
        sum += row->a + row->b;
        square += row->a * row->a + row->b * row->b;
        first += row->b * (row->mixed - row->a);
        total += (row->a - row->mixed) * (row->a - row->mixed) / 2.0;
    }
    double n = rows->len;
    double variance = square / (2.0 * n) - pow(sum / (2.0 * n), 2.0);
    return (Pair){first / n / variance, total / n / variance};
}

static AftSobolIndex with_intervals(const GArray *rows)
{
    double first[RESAMPLES], total[RESAMPLES];
    AftStream stream;
    aft_stream_init(&stream, 0, 0, "sweep.bootstrap", 0);
    for (guint i = 0; i < RESAMPLES; i++) {
        Pair pair = estimate(rows, &stream);
        first[i] = pair.first;
        total[i] = pair.total;
    }
    double z = gsl_cdf_ugaussian_Pinv(0.975);
    Pair pair = estimate(rows, NULL);
    return (AftSobolIndex){pair.first, z * gsl_stats_sd(first, 1, RESAMPLES), pair.total,
                           z * gsl_stats_sd(total, 1, RESAMPLES)};
}

static gboolean varies(const GArray *rows)
{
    const Row *start = &g_array_index(rows, Row, 0);
    for (guint i = 0; i < rows->len; i++) {
        const Row *row = &g_array_index(rows, Row, i);
        if (row->a != start->a || row->b != start->a) {
            return TRUE;
        }
    }
    return FALSE;
}

AftSobolIndex aft_sobol_index(const double *values, guint rows, guint axes, guint axis)
{
    g_assert(axis < axes);
    g_autoptr(GArray) kept = gather(values, rows, axes, axis);
    if (kept->len < 2 || !varies(kept)) {
        double nan = (double)NAN;
        return (AftSobolIndex){nan, nan, nan, nan};
    }
    centre(kept);
    return with_intervals(kept);
}
