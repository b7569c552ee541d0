/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slopes.h - how residuals change with the keys: differences between trials. */
#pragma once

#include "trials.h"

#include <gsl/gsl_matrix.h>

/** Fills @ret_slopes, a row a cell and a column a key, with what residuals change per unit of the
 *  line around @at (tried). A trial for each key; where it is rejected, nothing is known of its
 *  slopes, and they are 0. Returns: FALSE as aft_trials_try() does. */
gboolean aft_slopes_look(AftTrials *trials, const AftTrial *at, guint n_keys,
                         gsl_matrix *ret_slopes, GError **error);

/** Brings @slopes, around @from, up to date by what the step to @to has shown (Broyden 1965). */
void aft_slopes_update(gsl_matrix *slopes, const AftTrial *from, const AftTrial *to);
