/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lives.h - what failures and ages of many drives tell of how long one lasts.
 *
 * A drive is watched from one age to another. That it reached the first says nothing about failing
 * before (left truncation), and one that still runs at the last fails some time later (right
 * censoring): both are accounted for, so drives may come and go as they like.
 */
#pragma once

#include <glib.h>

typedef struct {
    double low, high;
} AftInterval;

/** One drive. */
typedef struct {
    double entry_hours; /* its age when it was seen first, 0 or more */
    double exit_hours;  /* when it was seen last, or failed: more than that */
    gboolean failed;
} AftLife;

/** Lives that follow a Weibull distribution, from new. Intervals hold 95 %. */
typedef struct {
    double shape; /* below 1: early deaths; above: wear */
    double mean_hours;
    AftInterval shape_interval;      /* by the ratio of profile likelihoods, as the other is */
    AftInterval mean_hours_interval; /* to where it was looked for, when nothing bounds it */
} AftWeibull;

/** Failures a year, and the exact 95 % interval for a Poisson count of @failures in @years (above
 *  0) of drives together. */
double aft_lives_rate(guint64 failures, double years, AftInterval *ret_interval);

/** Fits a Weibull distribution to @n @lives by maximum likelihood.
 *  Returns: FALSE when there are fewer than AFT_LIVES_LEAST_FAILURES, when no shape between
 *  AFT_LIVES_LEAST_SHAPE and AFT_LIVES_MOST_SHAPE is the likeliest, or when mean lives come to more
 *  than a number holds. */
gboolean aft_lives_fit(const AftLife *lives, gsize n, AftWeibull *ret_fit);

#define AFT_LIVES_LEAST_FAILURES 5
#define AFT_LIVES_LEAST_SHAPE    (0.1)
#define AFT_LIVES_MOST_SHAPE     (20.0)
