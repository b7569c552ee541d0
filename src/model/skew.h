/* SPDX-License-Identifier: GPL-3.0-or-later */
/* skew.h - draws chunks of a working set by Zipf's law: the chunk of rank r with a chance in
 * proportion to r^-theta. Which chunk has which rank is drawn once, so hot chunks are nowhere in
 * particular, and no two workloads share them.
 *
 * Lost chunks are left out: who draws one draws again, and the others keep their proportions. Where
 * that takes long, since little is left of what was hot, a table is made of what is.
 */
#pragma once

#include "working_set.h"

#include <aftershock/random/discrete.h>

typedef struct AftSkew AftSkew;

/** For @set (borrowed) with exponent @theta, ranks by @ranks. Returns: (transfer full). */
AftSkew *aft_skew_new(const AftWorkingSet *set, double theta, AftStream *ranks);

void aft_skew_free(AftSkew *skew);

/** Draws a chunk that is not lost; there must be one. */
guint32 aft_skew_draw(AftSkew *skew, AftStream *stream);

/** The chance of @chunk while nothing is lost. */
double aft_skew_chance(const AftSkew *skew, guint32 chunk);
