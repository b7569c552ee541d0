/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h - one replication of an experiment: from a scenario to a result.
 *
 * Under fidelity `io` every I/O is simulated. Under `sampled` I/O is simulated in windows, and
 * between them time is skipped while the slow state moves on at the pace just measured. Under
 * `flow` nothing is simulated but, once for every state that the cluster comes to, how fast it
 * works there. All walk the same model and fill the same result.
 */
#pragma once

#include <aftershock/base/api.h>
#include <aftershock/result/result.h>
#include <aftershock/run/observer.h>
#include <aftershock/run/rates.h>
#include <aftershock/scenario/scenario.h>

AFT_BEGIN_DECLS

/** How far a run has come. */
typedef struct {
    double done;       /* share of the scenario's duration, 0 to 1 */
    const char *phase; /* its name now */
    double scenario_s;
} AftProgress;

typedef struct {
    const char *label; /* (nullable): of the configuration; NULL: the scenario's name */
    guint32 replication;
    AftRates *rates;   /* (nullable): of `flow`, shared with other runs; NULL: its own */
    gint *interrupted; /* (nullable): set to non-zero, atomically, it ends the run early */
    void (*progress)(const AftProgress *progress, void *context); /* (nullable): now and then */
    void *context;
    const AftRunObserver *observer; /* (nullable) */
} AftRunOptions;

/** Runs @scenario (resolved) as @options (nullable) say. What it yields depends on the scenario
 *  and the replication alone, to the last bit.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_LIMIT when the cluster is larger than
 *  this program can hold, with AFT_ERROR_CONFLICT when `flow` has no rates for what is in it.
 * Interrupted, the result holds what happened so far and says so. */
AftResult *aft_run(const AftScenario *scenario, const AftRunOptions *options, GError **error);

AFT_END_DECLS
