/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.h - results by what yields them, on threads: no scenario of a configuration is run twice.
 *
 *     name = aft_runs_ask(runs, label, scenario);      as many as are wanted
 *     aft_runs_do(runs);
 *     result = aft_runs_result(runs, name, &error);
 */
#pragma once

#include <aftershock/calibrate/calibrate.h>

typedef struct AftRuns AftRuns;

/** Returns: (transfer full): none yet. @setup is borrowed. @told (with @context) hears, from one
 *  thread at a time, what share of those asked for is done. */
AftRuns *aft_runs_new(const AftCalibrationSetup *setup, void (*told)(double share, void *context),
                      void *context);

void aft_runs_free(AftRuns *runs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftRuns, aft_runs_free)

/** A run from which figures may be off by this share is coarse, and gets no coarser. */
#define AFT_RUNS_COARSE 0.10

/** Asks for a run of @scenario (transfer full, resolved) of configuration @label, unless its result
 *  is known. Returns: (transfer full): the name of the result. */
char *aft_runs_ask(AftRuns *runs, guint label, AftScenario *scenario);

/** Does what was asked for. Returns: FALSE when it was interrupted. */
gboolean aft_runs_do(AftRuns *runs);

/** What can be compared of the result called @name, of its trace the first row. Returns: (transfer
 *  none): NULL with AFT_ERROR_LIMIT from its run. */
AftResult *aft_runs_result(const AftRuns *runs, const char *name, GError **error);

AftEffort aft_runs_effort(const AftRuns *runs);
