/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heat.h - how unevenly a workload reads and writes its working set, and what a cache makes of it.
 *
 * Under `skew: zipf` the chunk of rank r gets a share of the I/Os in proportion to r^-theta; inside
 * a chunk all blocks are alike. What a cache holds follows from that by Che's approximation for
 * caches that drop what was used longest ago (Che, Tung and Wang 2002): there is a time t since
 * when everything that was used is there, so a block that is used with rate p is there with
 * probability 1 - exp(-p t). Over all n blocks, by the I/Os that each gets,
 *
 *     filled  X(t) = 1 - mean of exp(-n p t)         hits  F(t) = 1 - sum of p exp(-n p t)
 *
 * so what is filled to x serves F(t) with X(t) = x. What two hold, filled from different times on,
 * is there if either has it: F(t1 + t2). Where all is used alike, F(t) = X(t), and the chance that
 * neither has it is (1 - x1) (1 - x2).
 *
 * Who goes through all of it in sequence comes back to a block after all others, when a cache has
 * dropped it, unless all has room: a *scan* hits always or never.
 */
#pragma once

#include <aftershock/scenario/scenario.h>

typedef struct AftHeat AftHeat;

/** The heat of @n chunks, 1 or more, under zipf with exponent @theta, 0 or more.
 *  Returns: (transfer full). */
AftHeat *aft_heat_new(guint n, double theta);

/** The heat of a scan. Returns: (transfer full). */
AftHeat *aft_heat_new_scan(void);

/** That of workload @index of @scenario (resolved). Returns: (transfer full) (nullable): NULL when
 *  it uses all alike. */
AftHeat *aft_heat_of_workload(const AftScenario *scenario, guint index);

void aft_heat_free(AftHeat *heat);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftHeat, aft_heat_free)

/** The chance that an I/O finds its block where the shares @x and @y, 0 to 1, of all blocks are.
 *  @heat is (nullable): all alike. */
double aft_heat_hits(const AftHeat *heat, double x, double y);

/** How many chunks the data of pool @index of @scenario (resolved) is. */
guint aft_heat_chunks(const AftScenario *scenario, guint index);
