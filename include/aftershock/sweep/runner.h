/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runner.h - runs what a sweep asks for, on several threads, into a store.
 *
 * Which replications are run depends on the sweep alone. A point with a fixed number gets that; one
 * that is to be as precise as some figure asks gets AFT_SWEEP_BLOCK at a time, looked at in the
 * order of their index when all of a block are done, so that neither threads nor interruptions
 * change what is in the end. A shard owns whole points, each shards-th.
 *
 * Replications of a point share their rates (rates.h). While the first of them measures most of
 * these, other threads rather begin with other points.
 */
#pragma once

#include <aftershock/sweep/points.h>
#include <aftershock/sweep/store.h>

/** How far a sweep has come. What is done is on disk. */
typedef struct {
    guint64 done, failed; /* in the store, this run's and earlier ones' */
    guint64 total;        /* that are known to be wanted so far */
    guint64 begun_with;   /* of done, those that were there at the beginning */
    gboolean final;       /* no more can be wanted */
    guint ended;          /* points of which no more is wanted */
    guint wide;    /* of these, those that got all they may and are not as precise as asked */
    guint in_vain; /* of those, the ones without a single value of the figure asked for */
} AftSweepProgress;

typedef struct {
    const AftSweep *sweep;
    const AftPoints *points;
    AftStore *store;
    guint64 seed;      /* of all replications */
    guint jobs;        /* at once, 1 or more */
    gint *interrupted; /* (nullable): set to non-zero, atomically, it ends early */

    /** The scenario (transfer full, resolved) with @settings, NULL-terminated "path=value"; NULL
     *  with @error. Called by several threads at once. */
    AftScenario *(*make)(const char *const *settings, void *context, GError **error);
    /** (nullable): a setting for what is refused as it is, "run.fidelity=sampled" for what `flow`
     *  has no rates for; @fell_back tells which replication was run with it, and why,
     *  from any thread but one at a time. */
    const char *otherwise;
    void (*fell_back)(guint point, guint replication, const GError *why, void *context);
    void (*progress)(const AftSweepProgress *progress, void *context); /* (nullable) */
    void *context;
} AftSweepSetup;

/** Runs what is not in the store yet; what failed before is tried again. A run that fails is kept
 *  with its reason, and the rest goes on. @ret_progress (nullable) is how far it came.
 *  Returns: FALSE with AFT_ERROR_FILE when results cannot be kept; what was is. */
gboolean aft_sweep_run(const AftSweepSetup *setup, AftSweepProgress *ret_progress, GError **error);
