/* SPDX-License-Identifier: GPL-3.0-or-later */
/* discrete.h - one of n things, each with a chance of its own, by the alias method (Walker 1977,
 * in the form of Vose 1991).
 *
 * All chances are cut so that n columns of equal height hold a part of one thing, and of one other
 * on top. A draw takes a column and a height: two random numbers, however many things there are.
 *
 *     g_autoptr(AftDiscrete) sizes = aft_discrete_new((const double[]){3.0, 1.0}, 2);
 *     guint size = aft_discrete_draw(sizes, &stream);     0 three times in four
 */
#pragma once

#include <aftershock/random/stream.h>

typedef struct {
    double height; /* of the column's own thing, 0 to 1 */
    guint32 alias; /* what is on top */
} AftColumn;

typedef struct {
    guint n;
    AftColumn column[];
} AftDiscrete;

/** Describes the chances of @n (1 or more) things, in proportion to @weight: finite, not below 0,
 *  not all 0. Returns: (transfer full). */
AftDiscrete *aft_discrete_new(const double *weight, guint n);

void aft_discrete_free(AftDiscrete *discrete);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftDiscrete, aft_discrete_free)

/** Draws one of the things, 0 to n - 1. */
static inline guint aft_discrete_draw(const AftDiscrete *discrete, AftStream *stream)
{
    guint i = (guint)aft_stream_below(stream, discrete->n);
    return aft_stream_uniform(stream) < discrete->column[i].height ? i : discrete->column[i].alias;
}
