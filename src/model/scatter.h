/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scatter.h - what is seen again and again of each of several parts, and whether they differ.
 *
 * The means of parts that are alike differ too, by chance. How much chance makes of them is known
 * from how each part scatters about its own mean; what they differ by beyond that is theirs. (One
 * way analysis of variance; Searle, Casella, McCulloch: Variance Components, 1992, chapter 3.)
 */
#pragma once

#include <glib.h>

typedef struct {
    double sum, squares;
    guint n;
} AftScatter;

/** Adds what was seen of the part once: all zero, it was never. */
void aft_scatter_add(AftScatter *scatter, double value);

/** @scatter: n parts, of which those never seen do not count. @lasting: variance of a mean,
 *  besides, by chance that was the same all the times that a part was seen. Returns: the share of
 *  the variance between their means that is more than chance makes in 99 of 100 cases, 0 to 1; 0
 *  where that is not known. */
double aft_scatter_own(const AftScatter *const *scatter, guint n, double lasting);
