/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sequential.h"

#include <math.h>

#define ERROR_RATE 0.05 /* of both kinds */
#define FIFTH      0.2  /* of what c leaves to go wrong, is plainly enough */

void aft_sequential_init(AftSequential *ret_test, double share)
{
    g_assert(share > 0.0 && share < 1.0);
    double plenty = 1.0 - FIFTH * (1.0 - share);
    *ret_test = (AftSequential){.well = log(plenty / share), .badly = log(FIFTH)};
}

AftVerdict aft_sequential_add(AftSequential *test, gboolean well)
{
    test->n++;
    test->n_well += well ? 1 : 0;
    /* From counts, not summed up, so that no rounding piles up. */
    test->ratio = test->n_well * test->well + (test->n - test->n_well) * test->badly;
    return test->ratio >= -log(ERROR_RATE)  ? AFT_VERDICT_HOLDS
           : test->ratio <= log(ERROR_RATE) ? AFT_VERDICT_FAILS
                                            : AFT_VERDICT_OPEN;
}

guint aft_sequential_fewest(double share)
{
    AftSequential test;
    aft_sequential_init(&test, share);
    while (aft_sequential_add(&test, TRUE) == AFT_VERDICT_OPEN) {
    }
    return test.n;
}
