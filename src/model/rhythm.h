/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rhythm.h - how the rate of a workload's arrivals changes, all its machines together: by the time
 * of day, and by bursts.
 *
 * Bursts come and go like the states of a Markov chain with two of them (MMPP): in one the rate is
 * `factor` times that in the other, its visits last `mean` on average, exponentially, and take
 * `share` of the time. With r the mean rate, p the share and f1, f2 the rates over r,
 *
 *     f2 = 1 / (1 - p + p factor)    f1 = factor f2    relaxation time t = mean (1 - p)
 *     index of dispersion of counts, over long times:  I = 1 + 2 r p (1 - p) (f1 - f2)^2 t
 *
 * Where t is a second at most, bursts are a part of I/O: they come in engine time, and windows,
 * which are never shorter than 2 t, see them as a mean. Longer ones are slow events of scenario
 * time, as are the changes of the day: each begins a stretch of its own.
 */
#pragma once

#include "clients.h"

/** Makes the load of @clients, who have their machines, as it is at time 0. */
void aft_rhythm_init(AftClients *clients, guint64 seed, guint32 replication);

/** Lets it change from now on: by bursts that are a part of I/O, and by slow events. */
void aft_rhythm_start_fast(AftClients *clients);
void aft_rhythm_start_slow(AftClients *clients);

/** Sets clocks by what the load is now, or stops them. */
void aft_rhythm_apply(AftClients *clients);

/** The relaxation time of bursts that windows are to see whole, ns; 0: there are none. */
gint64 aft_rhythm_relaxation_ns(const AftClients *clients);
