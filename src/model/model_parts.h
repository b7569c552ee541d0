/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_parts.h - what a model is made of, for the files that make it move. */
#pragma once

#include "adaptive.h"
#include "clients.h"
#include "curator.h"
#include "destage.h"
#include "machines.h"
#include "pool.h"
#include "replay.h"
#include "request.h"
#include "rhythm.h"
#include "topology.h"

#include <aftershock/model/model.h>

typedef struct AftMaintenance AftMaintenance;
typedef struct AftUpgrade AftUpgrade;
typedef struct AftLifetimes AftLifetimes;

/** One action of the timeline that waits. */
typedef struct {
    AftModel *model;
    const AftAction *action;
} AftPlanned;

/** A pool whose cold data is to be encoded. */
typedef struct {
    AftModel *model;
    AftPool *pool;
    AftEvent due; /* (slow) */
} AftAgeing;

/** What was told of buffers that are full. */
typedef struct {
    guint level;              /* of how many they are: 0, 1, 2 or 3, 4 to 7, ... */
    gboolean turned;          /* it was told since somebody asked */
    gint64 first_ns, last_ns; /* when it was told, scenario time; first below 0: never */
} AftFullness;

struct AftModel {
    const AftScenario *scenario; /* borrowed */
    AftEngine *engine;           /* borrowed */
    AftModelWatch watch;
    AftTopology topology;
    GPtrArray *pools; /* AftPool */
    AftExecutor *executor;
    AftCurator *curator;
    AftDestager *destager;
    AftClients *clients;
    guint n_clients;
    AftAdaptive adaptive;    /* zeroed unless the scheduler is */
    GPtrArray *outages;      /* AftOutage: that last, or whose end does */
    guint64 n_outages;       /* so far */
    GPtrArray *slowdowns;    /* of parts that are slow */
    GPtrArray *maintenances; /* AftMaintenance: that last */
    AftUpgrade *upgrade;     /* (nullable) */
    AftLifetimes *lifetimes;
    GPtrArray *fault_replays; /* AftFaultReplay */
    AftPlanned *planned;      /* an action of the timeline */
    guint n_waiting;          /* actions still to come, or that are not over */
    gboolean some_full;       /* devices were when writes last tried: some may wait for room */
    AftAgeing *ageing;        /* a pool */

    AftPhase phase;
    guint working;     /* bit per task that has transfers */
    double rate_per_s; /* what clients with a clock want in all; 0: none have one */
    AftFullness fullness;
    gint64 owed_low, owed_high; /* below the one catchup ends, above the other it begins */
    gboolean behind;            /* more than those was owed, and has not been worked off yet */
};

/** Derives the phase from the state; tells the watch what changed. Call after every change of
 *  members, nodes or transfers. */
void aft_phases_update(AftModel *model);

/** AftFlags that hold now. Looks at all groups while members are missing. */
guint aft_phases_flags(const AftModel *model);

/** Called whenever owed work changes: updates the phase when it matters. */
void aft_phases_owed_changed(void *model);

/** Owed work of all clients with a clock, I/Os. */
gint64 aft_phases_owed(const AftModel *model);

/** Tells from now on when buffers become full, or are so no longer. */
void aft_fullness_start(AftModel *model);

/** Puts the timeline on the slow calendar. */
void aft_faults_plan(AftModel *model);

/** Lets placement decide again over what is in. */
void aft_model_rehome(AftModel *model);

/** Lets I/O that waits for news try again. */
void aft_model_retry_stalled(AftModel *model);

/** Lets the part that @action names be slow for a while. */
void aft_slow_begin(AftModel *model, const AftAction *action);

/** Lets what is written once be encoded, where a pool says so, when it is old enough. */
void aft_goals_plan(AftModel *model);

/** Begins the conversion that an action of the timeline asks for, after the delay of its task. */
void aft_goals_convert(AftPlanned *planned);

/** Lets the background and the phase follow from a slow event, and tells the watch. */
void aft_model_changed(AftModel *model);

/** Tells the watch that something happened. */
void aft_model_tell(const AftModel *model, const char *event, const char *subject,
                    const char *detail);
