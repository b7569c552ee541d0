/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rates.h - what runs of fidelity `flow` have measured, to be measured once.
 *
 * How fast a cluster works depends on its scenario and on the state it is in, and on nothing else:
 * what is remembered for a state was measured in a model that was brought to that state, with
 * chance that is keyed by both. So it does not matter which run asks first, or on which thread.
 *
 *     g_autoptr(AftRates) rates = aft_rates_new();
 *     AftRunOptions options = {.replication = i, .rates = rates};
 *     aft_run(scenario, &options, &error);          the first time slow, then fast
 *
 * Threads may share them. Who asks for what another is just measuring waits for it.
 */
#pragma once

#include <aftershock/base/api.h>
#include <aftershock/scenario/scenario.h>

AFT_BEGIN_DECLS

typedef struct AftRates AftRates;

/** States that there is room for, unless said otherwise; one takes some 40 kB. */
enum { AFT_RATES_MOST_STATES = 2000 };

/** Returns: (transfer full): nothing is known yet. */
AftRates *aft_rates_new(void);

/** The same with room for @most_states. What is beyond that is remembered by the run that came to
 *  it, for as long as it lasts: the results are the same, but other runs measure it again. */
AftRates *aft_rates_new_for(guint most_states);

void aft_rates_free(AftRates *rates);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftRates, aft_rates_free)

/** SHA-256 over all of @scenario that rates depend on: not what happens when, nor for how long a
 * run lasts. Those with another digest share nothing. Returns: (transfer full). */
char *aft_rates_digest(const AftScenario *scenario);

/** States that have been asked for, be it in vain, and how much I/O it took to measure them, s of
 *  engine time; what is being measured on another thread counts as a state. */
guint aft_rates_states(AftRates *rates);
double aft_rates_simulated_s(AftRates *rates);

AFT_END_DECLS
