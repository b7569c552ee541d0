/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sequential.h - whether something comes out well often enough, with as few trials as it takes.
 *
 * Wald's sequential probability ratio test of a share p of trials that come out well: p = c, not
 * enough, against p = 1 - (1 - c) / 5, plainly enough. After each trial the likelihood ratio of the
 * two is compared with 20 and 1/20, so that (Ville) of all sources with p at most c no more than
 * 5 % are ever taken for good, and of those with p at least 1 - (1 - c) / 5 no more than 5 % for
 * bad. In between it takes long, and may stay open.
 *
 * It was chosen over an interval after a fixed number of trials because what is plainly too small
 * shows after two or three; what is never seen to fail takes ln 20 / ln(p1 / c) trials, 73 at
 * c = 95 %, against the 59 that a bound of Clopper and Pearson would take, which has to be looked
 * at just once.
 */
#pragma once

#include <glib.h>

typedef enum { AFT_VERDICT_OPEN, AFT_VERDICT_HOLDS, AFT_VERDICT_FAILS } AftVerdict;

typedef struct {
    double well, badly; /* what a trial adds to the logarithm of the ratio */
    double ratio;       /* that logarithm */
    guint n, n_well;
} AftSequential;

/** Begins a test at c = @share, above 0 and below 1. */
void aft_sequential_init(AftSequential *ret_test, double share);

/** Takes one more trial, in order; not to be called once there is a verdict. */
AftVerdict aft_sequential_add(AftSequential *test, gboolean well);

/** How many trials it takes for the first verdict that something holds. */
guint aft_sequential_fewest(double share);
