/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - the cluster at work: what it is built of, what it holds, who uses it, what breaks.
 *
 * A model lives on an engine and schedules itself; whoever runs the engine decides how far. It
 * prints nothing and keeps no results: a watch is told what happens, and the state can be read.
 *
 *     g_autoptr(AftEngine) engine = aft_engine_new();
 *     g_autoptr(AftModel) model = aft_model_new(scenario, engine, 0, &watch);
 *     aft_engine_run(engine, one_hour_ns);
 *
 * Between windows of I/O the slow state can be carried forward: see pace.h.
 */
#pragma once

#include <aftershock/engine/engine.h>
#include <aftershock/scenario/phase.h>
#include <aftershock/scenario/scenario.h>

typedef struct AftModel AftModel;

/** One client I/O that was served. */
typedef struct {
    guint workload;
    gboolean write;
    guint64 bytes;
    gint64 latency_ns; /* from taking a slot to completion: what a benchmark prints */
    gint64 waited_ns;  /* as owed work, before that */
} AftCompletion;

/** What a model tells. Every function may be NULL. Times can be had from the engine. */
typedef struct {
    void *context;
    void (*completed)(void *context, const AftCompletion *completion);
    /** The phase is another now; read it with aft_model_phase(). */
    void (*phase_changed)(void *context);
    /** Something happened: "fail", "node 2", "". The texts are borrowed for the call. */
    void (*happened)(void *context, const char *event, const char *subject, const char *detail);
    /** A slow event changed how the cluster works, whether or not the phase is another. */
    void (*disturbed)(void *context);
    /** What users ask for is another, by itself: the cluster works as before. */
    void (*load_changed)(void *context);
} AftModelWatch;

/** Things that are true of a moment and worth saying beside its phase. */
typedef enum {
    AFT_FLAG_STALL = 1 << 0,       /* a part has died and the cluster has not noticed */
    AFT_FLAG_NO_TARGET = 1 << 1,   /* a lost member has no node left to go to */
    AFT_FLAG_NO_SPACE = 1 << 2,    /* a lost member, or a conversion, finds no room */
    AFT_FLAG_OWED = 1 << 3,        /* more than a second of load is owed */
    AFT_FLAG_LOSS = 1 << 4,        /* groups are lost */
    AFT_FLAG_UNBOUNDED = 1 << 5,   /* ever more I/O is in flight; no time is skipped */
    AFT_FLAG_BUFFER_FULL = 1 << 6, /* writes wait for room in a cache device */
    AFT_FLAG_READ_ONLY = 1 << 7    /* a device is full: writes to its groups wait */
} AftFlags;

typedef enum {
    AFT_USE_CONTROLLER,
    AFT_USE_NIC,
    AFT_USE_CACHE,
    AFT_USE_CAPACITY,
    AFT_USES
} AftUseKind;

/** What the parts of one kind did, summed over the live ones: sums that only grow. */
typedef struct {
    double busy_ns;
    double capable_ns; /* what they could have been busy: 0 when there are none */
} AftUse;

/** A moment of the cluster. */
typedef struct {
    guint degraded_groups; /* with a member missing, not lost */
    guint lost_groups;
    guint harmed_groups;   /* with sectors lost, whatever became of them since, but for lost ones */
    double lost_bytes;     /* logical, of lost groups and of lost sectors */
    double used_bytes;     /* on all capacity devices */
    double buffer_fill;    /* of all write buffers, 0 to 1; NaN: there are none */
    gint64 owed;           /* I/Os */
    guint in_flight;       /* client I/Os */
    guint units_in_flight; /* of background tasks */
    guint destages;        /* in flight */
} AftMoment;

/** Builds the cluster of @scenario (resolved; borrowed) at time 0 on @engine (borrowed), with the
 *  chance of @replication; @watch is copied, and (nullable). Returns: (transfer full). */
AftModel *aft_model_new(const AftScenario *scenario, AftEngine *engine, guint32 replication,
                        const AftModelWatch *watch);

/** The same, but nobody issues I/O: clients none, the curator no units, caches no destages. All
 *  that is slow works, the load by times of day and slow bursts only if @load_changes. How fast
 *  it moves has to be told: see motion.h. */
AftModel *aft_model_new_quiet(const AftScenario *scenario, AftEngine *engine, guint32 replication,
                              const AftModelWatch *watch, gboolean load_changes);

/** Lets clients of a quiet @model issue I/O from now on, and destages begin; then the curator its
 *  units. Call each once. */
void aft_model_wake_clients(AftModel *model);
void aft_model_wake_curator(AftModel *model);

void aft_model_free(AftModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftModel, aft_model_free)

AftPhase aft_model_phase(const AftModel *model);

/** AftFlags that hold now, as far as the model knows: AFT_FLAG_UNBOUNDED is for whoever watches it
 *  over time. */
guint aft_model_flags(const AftModel *model);

/** "stall", for one flag. Returns: (transfer none). */
const char *aft_flag_name(guint flag);

AftMoment aft_model_moment(const AftModel *model);

/** The share of every station that background work may have now: below 1 only while the scheduler
 *  is adaptive and clients are, or have been, slow. */
double aft_model_throttle(const AftModel *model);

/** What the parts of @kind have done so far. */
AftUse aft_model_use(const AftModel *model, AftUseKind kind);

/** What the data of all pools takes with its protection, as it is now. Looks at all groups. */
double aft_model_protected_bytes(const AftModel *model);

/** Units of all tasks, and destages, done so far; a part of one counts as such. */
double aft_model_units_done(const AftModel *model);

/** Bytes that @task has written so far, to all targets. */
double aft_model_moved_bytes(const AftModel *model, AftTaskKind task);

/** Bytes that @task has before it, as far as they wait already. */
double aft_model_waiting_bytes(const AftModel *model, AftTaskKind task);

/** Bytes destaged so far. */
double aft_model_destaged_bytes(const AftModel *model);

/** Whether buffers have become full, or are so no longer, in places enough to change how the
 * cluster works, since this was asked last. */
gboolean aft_model_buffers_turned(AftModel *model);

/** Client I/Os so far: shed, those of them whose data was lost, and completed. */
gint64 aft_model_shed(const AftModel *model);
gint64 aft_model_shed_lost(const AftModel *model);
gint64 aft_model_completed(const AftModel *model);

/** Whether a trace is being replayed: then no time stands for another. */
gboolean aft_model_replays(const AftModel *model);

/** The longest relaxation time of what varies by itself in the rate of arrivals and is to be seen
 *  whole by windows, ns; 0: nothing does. */
gint64 aft_model_relaxation_ns(const AftModel *model);

/** The longest time between units of background work that a cap on bandwidth spaces, ns; 0: none.
 */
gint64 aft_model_beat_ns(const AftModel *model);

/** Why the model cannot go on, as when a trace cannot be read. Returns: (transfer none)
 *  (nullable): it can. */
const GError *aft_model_error(const AftModel *model);

/** Whether all of the timeline has happened, everything that follows from it by time alone, and all
 *  traces are over that end. */
gboolean aft_model_is_settled(const AftModel *model);

/** Tells the watch which planned maintenance has not taken its node down yet, and an upgrade that
 * is not over. Call at the end. */
void aft_model_tell_unfinished(const AftModel *model);

/** Asserts the identities: at every station (aft_station_audit()), and that every client I/O that
 *  arrived was served, shed, is owed or is in flight. */
void aft_model_audit(const AftModel *model);
