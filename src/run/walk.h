/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk.h - the parts of a run, and how its clock is moved. */
#pragma once

#include <aftershock/model/model.h>
#include <aftershock/model/pace.h>
#include <aftershock/probe/probe.h>
#include <aftershock/run/run.h>

/** Windows that are to see one state. */
typedef struct AftWalkGoal {
    guint windows;                         /* at least, where there is time for them */
    double most_s;                         /* of I/O, at most, for more of them */
    void (*begin)(void *context);          /* the fast side has forgotten how it began */
    gboolean (*is_reached)(void *context); /* the state has been left */
    gint64 (*left_ns)(void *context);      /* how long that will take; 0: skip nothing */
    void *context;
} AftWalkGoal;

struct AftWalk {
    const AftScenario *scenario;
    const AftRunOptions *options;
    AftResult *result;
    AftEngine *engine;
    AftModel *model;
    AftProbe *probe;
    AftPace *pace;
    AftPhase phase;          /* that spans are being added to */
    gint64 phase_began_ns;   /* scenario time, as is all below */
    guint windows;           /* in it so far */
    gint64 changed_ns;       /* when the last slow event changed how the cluster works */
    gboolean changed;        /* there was one since the span began */
    gboolean measures;       /* one state, to be remembered */
    gint64 goal_began_ns;    /* engine time */
    const AftWalkGoal *goal; /* (nullable): of windows */
    gboolean disturbed;      /* there was one, or users ask for something else, since then */
};

/** Where the run ends, as far as is known now: at its duration, or once it has been steady for
 *  long enough. */
gint64 aft_walk_end_ns(const AftWalk *walk);

/** Whether the run is over or was interrupted. */
gboolean aft_walk_is_over(const AftWalk *walk);

/** Simulates I/O up to @until_ns, or to the next change of phase or disturbance.
 *  Returns: TRUE when @until_ns was reached undisturbed. */
gboolean aft_walk_run(AftWalk *walk, gint64 until_ns);

/** Closes the open span; if the phase has changed, ends it and begins the next. */
void aft_walk_close_span(AftWalk *walk);

/** Simulates every I/O, in spans of at most @span_ns, until @until_ns, the next change of phase
 *  or disturbance, or the end. Returns: TRUE when it was reached undisturbed. */
gboolean aft_walk_simulate(AftWalk *walk, gint64 until_ns, gint64 span_ns);

/** After a span: if the phase has changed, ends it and begins the next. */
void aft_walk_note_changes(AftWalk *walk);

/** What the model of @walk (borrowed) is to tell. */
AftModelWatch aft_walk_watch(AftWalk *walk);

/** Walks to the end of the run by windows and skips. */
void aft_walk_sampled(AftWalk *walk);

/** Walks to the end by rates: those that the options share, and @own (borrowed until the probe is
 *  freed) where these have no room, or there are none. Returns early with @error set when it cannot
 *  go on. */
void aft_walk_flow(AftWalk *walk, AftRates *own, GError **error);

/** Whether `flow` can do @scenario. Returns: FALSE with AFT_ERROR_CONFLICT. */
gboolean aft_flow_can(const AftScenario *scenario, GError **error);

/** Simulates until the fast side has forgotten how it began, whatever happens. */
void aft_walk_settle(AftWalk *walk);

/** A transient, then windows with skips between them, until the goal is reached or they are precise
 * enough. Returns: how many there were. */
guint aft_walk_windows(AftWalk *walk, const AftWalkGoal *goal);
