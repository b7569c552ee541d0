/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tables.h - what a store says, as files to look at: made from the store alone, so that a sweep, a
 * resumed one and a merged one of the same replications write the same bytes.
 *
 *     points.csv        point,<axes>,phase,metric,n,mean,ci,p5,p50,p95,miss_probability,
 *                       saturated_probability,loss_probability,unit
 *     replications.csv  point,replication, and the columns of aft_replication_table()
 *     ranking.csv       rank,point,<axes>,n,met,missed_s,ci,worse_s,worse_ci,loss_probability
 *     indices.csv       phase,metric,axis,first,first_ci,total,total_ci: of a Sobol design
 *
 * points.csv has a line for every metric (yields.h) of every phase that occurred at a point, and of
 * the whole run, as phase "all", in the metric's unit. n counts the replications that have it; `ci`
 * is half of the 95 % interval of the mean over replications (Student's t); percentiles are over
 * replications. Probabilities are shares of the replications in which the phase occurred: that it
 * missed the requirement (empty without one); that it owed more than a second of load, shed, or had
 * more and more in flight; that groups were lost by its end. Failed replications are in none.
 *
 * The ranking puts points that lose data less often in front, and among those that lose it as often
 * the ones that miss the requirement for a shorter time, in the mean. `worse_s` is how much longer
 * it was missed than at the first, the mean over pairs of replications with the same chance, and
 * `worse_ci` its interval:
 * narrower than that of two means by themselves where both points feel the same chance.
 */
#pragma once

#include <aftershock/sweep/store.h>

#include <stdio.h>

/** Statistics of one yield at one point. */
typedef struct {
    guint n;
    double mean, ci; /* NaN: fewer than 1, or 2, values */
    double p5, p50, p95;
} AftSpreadOf;

/** Those of @values (n of them, which are sorted; NaN are none). The mean is summed in the order
 *  they come in. */
AftSpreadOf aft_spread_of(double *values, guint n);

/** One point in the ranking. */
typedef struct {
    guint point;
    char **axes; /* "path=text" */
    guint n;     /* replications, without failed ones */
    double met;  /* share of time in which the requirement was met; NaN: nothing is required */
    double missed_s, ci;
    double worse_s, worse_ci; /* than the first; NaN for itself, or without pairs */
    double loss_probability;
} AftRanked;

/** Returns: (transfer full) (nullable): AftRanked, the best first; NULL with AFT_ERROR_FILE. */
GPtrArray *aft_tables_rank(AftStore *store, GError **error);

/** Write the files to @out, line by line: memory does not grow with replications, but for the
 *  values of one yield at a point; of the others there is a temporary file (TMPDIR). Returns: FALSE
 * with AFT_ERROR_FILE. */
gboolean aft_tables_points(AftStore *store, FILE *out, GError **error);
gboolean aft_tables_replications(AftStore *store, FILE *out, GError **error);
gboolean aft_tables_ranking(AftStore *store, const GPtrArray *ranking, FILE *out, GError **error);
gboolean aft_tables_indices(AftStore *store, FILE *out, GError **error);

/** Writes all files into @directory, each whole or not at all. @ranking is what
 *  aft_tables_rank() says. Returns: FALSE with AFT_ERROR_FILE. */
gboolean aft_tables_write(AftStore *store, const GPtrArray *ranking, const char *directory,
                          GError **error);
