/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slopes.h - how residuals change with the keys: differences between coarse trials. */
#pragma once

#include "trials.h"

#include <gsl/gsl_matrix.h>

/** Slopes, and around what. */
typedef struct {
    gsl_matrix *matrix;     /* a row a cell, a column a key: change per unit of the line */
    const AftTrial *at;     /* (nullable): around which they are known */
    const AftTrial *looked; /* (nullable): around which all were looked at last */
    guint updates;          /* since then */
    gboolean settled;       /* they are only brought up to date, not looked at again */
} AftSlopes;

/** Fills in @ret_slopes: not known yet, of as many cells as @trials has. */
void aft_slopes_init(AftSlopes *ret_slopes, const AftTrials *trials, guint n_keys);

void aft_slopes_clear(AftSlopes *slopes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AftSlopes, aft_slopes_clear)

/** Makes @slopes, of as many, what @other is. */
void aft_slopes_copy(AftSlopes *slopes, const AftSlopes *other);

/** Looks at all of @slopes anew, around @at (tried): a coarse trial there and one for each key,
 *  next to it; where that is rejected, nothing is known of its slopes, and they are 0. Returns:
 *  FALSE as aft_trials_try() does. */
gboolean aft_slopes_look(AftSlopes *slopes, AftTrials *trials, const AftTrial *at, GError **error);

/** Whether the last look was so near to @at that slopes are hardly others there. */
gboolean aft_slopes_are_near(const AftSlopes *slopes, const AftTrial *at);

/** Brings @slopes up to date by what the step to @to, as fine as `at`, has shown (Broyden 1965),
 *  unless it was too short to show anything; they stay around where they were. */
void aft_slopes_learn(AftSlopes *slopes, const AftTrial *to);
