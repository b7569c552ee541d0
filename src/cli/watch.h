/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch.h - run --watch: a run as it goes, on stderr.
 *
 * A terminal has a few lines that are drawn anew, ten times a second at most, and are gone when the
 * run is over. Anything else, a log or a terminal that cannot move its cursor, gets a line when
 * there is another phase, and every ten seconds.
 */
#pragma once

#include <aftershock/run/observer.h>
#include <aftershock/scenario/scenario.h>

typedef struct AftWatch AftWatch;

/** Returns: (transfer full): of a run of @scenario (borrowed). */
AftWatch *aft_watch_new(const AftScenario *scenario);

/** Wipes the lines away. */
void aft_watch_free(AftWatch *watch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftWatch, aft_watch_free)

/** What the run is to tell. Returns: (transfer none), as long as @watch lives. */
const AftRunObserver *aft_watch_observer(const AftWatch *watch);
