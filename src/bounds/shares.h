/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shares.h - what of a pool's data each node has.
 *
 * Placement draws members one after another, each in proportion to the bytes of what is left: a
 * node of twice the size has less than twice the data, since no stripe has two members there. With
 * exponential clocks, one for each domain and running as fast as it is large, the members of a
 * stripe are on the domains whose clocks ring first (Efraimidis and Spirakis 2006); integrating
 * over when a clock rings, the chance that fewer others have rung before is a convolution of
 * binomials, one for each size.
 */
#pragma once

#include <aftershock/bounds/bounds.h>

/** Chances that a stripe of @width members has one on a domain of each of @n sizes, @size[i] above
 *  0 with @count[i] of them; @width is at most as many as there are. Returns: (transfer full). */
double *aft_shares_chances(const double *size, const guint *count, guint n, guint width);

/** The share of the members of @pool on each node of the start; they sum to 1.
 *  Returns: (transfer full). */
double *aft_shares_of_nodes(const AftScenario *scenario, const AftPoolSpec *pool);
