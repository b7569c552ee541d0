/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch.h - several runs at a time, each on its own, with one line on stderr for all. */
#pragma once

#include <aftershock/result/result.h>
#include <aftershock/scenario/scenario.h>

/** What is to be compared: a result, or a scenario that one is yet to come of. */
typedef struct {
    char *label;
    char *file;            /* (nullable): of the scenario */
    char **settings;       /* (nullable): that went over it, NULL-terminated */
    AftScenario *scenario; /* (nullable) */
    AftResult *result;     /* (nullable) */
    GError *error;         /* (nullable): why there is none */
} AftJob;

/** Returns: (transfer full): no jobs; elements are AftJob, which the array frees. */
GPtrArray *aft_jobs_new(void);

/** Runs the jobs that have no result yet, at most @threads (1 or more) at a time. What each yields
 *  does not depend on that. When @interrupted becomes non-zero those that run end early, with a
 *  result that says so, and no more begin.
 *  Returns: how many there were to run. */
guint aft_jobs_run(GPtrArray *jobs, guint threads, gint *interrupted);
