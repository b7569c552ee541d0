/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pace_parts.h - what a pace is made of: that of tasks, in pace_tasks.c, that of clients, in
 * pace_clients.c, and that of tiers, in pace_tiers.c. Times are scenario time. */
#pragma once

#include "model_parts.h"
#include "trend.h"

#include <aftershock/model/pace.h>
#include <aftershock/stats/batches.h>

#define AFT_PACE_CONFIDENCE 0.99 /* of intervals of paces */
#define AFT_PACE_STEPS      20 /* no slow variable moves more than this part of its span at once */
#define AFT_PACE_FEWEST     10 /* such parts, where figures need not be precise */

/* Sums over the windows of a stretch: what one machine or node does of the work of all. Chance is
 * large in a single window, and small in their sum; until the sum is large, it counts beside an
 * assumed amount at the mean pace of all. */
typedef struct {
    double amount, time_s;
    guint windows;
} AftMeasured;

/* One machine in the window. */
typedef struct {
    AftVm *vm;
    gint64 served_before, shed_before;
    double served_per_s, shed_per_s;
    gboolean owes;    /* it owed something all through the window */
    gboolean serves;  /* that, and it ran: one that is stopped owes, but serves nothing */
    AftMeasured part; /* served in the last windows, in all of which it owed */
} AftVmPace;

/* What one task writes to one node. */
typedef struct {
    double moved_before;
    guint64 idled_before;
    double waited;     /* when the last window ended */
    gboolean keeps_up; /* with what a scan feeds it: it has idled */
    gboolean works;
    AftMeasured part; /* bytes */
} AftLanePace;

typedef struct {
    AftLanePace *lanes; /* a node */
    guint n_working;    /* of them */
    AftTrend trend;     /* bytes a second to those */
    AftBatches moved;   /* bytes a second to one of those, in the mean */
    double span;        /* bytes: the most that waited in this stretch */
} AftTaskPace;

/* One buffer. While destage keeps up it stays as full as it is, and so does one that is full; else
 * it fills or empties, and one that is destaged from one mark to another does either in turn. */
typedef struct {
    double admitted_before, destaged_before, warm_before;
    gboolean moves;
    gboolean drains;                /* it is between its marks on the way down, or at its mark */
    gboolean turned;                /* it moves another way than in the window before */
    AftMeasured admitted, destaged; /* bytes, in the windows in which it moved */
    double admitted_per_s, destaged_per_s; /* in the last window */
    AftMeasured warmed;                    /* bytes */
    double warm_span;                      /* bytes that were not warm when the stretch began */
    guint64 turns_before;                  /* the window */
} AftBufferPace;

struct AftPace {
    AftModel *model;
    gint64 began_ns, length_ns; /* of the window; scenario time */
    guint working;              /* tasks at work in this stretch, as in the model */
    gboolean known;             /* a window was measured in this stretch */
    AftVmPace *vms;
    guint n_vms;
    guint n_owing;        /* machines that owe */
    guint n_serving;      /* of those, the ones that serve */
    AftTrend served;      /* by those, a second */
    double clock_per_s;   /* arrivals at those */
    double owed_span;     /* owed when the stretch began */
    gint64 writes_before; /* issued */
    double writes_chance; /* that many of the last window were expected, over how many there were */
    AftTaskPace task[AFT_TASKS];
    AftBufferPace *buffers;
    guint n_moving;     /* of them */
    guint n_draining;   /* of those */
    AftTrend destaged;  /* by those, bytes a second */
    AftBatches outflow; /* the same of all windows */
    AftTrend admitted;  /* bytes a second to those, but for the chance of how many are written */
    AftBatches growth;  /* bytes a second of one of those, in the mean */
    double buffered_before;
    double *written_before, *written_per_s; /* a pool */
    double *read_before, *read_per_s;       /* a pool */
};

/** Adds what was done in a window. */
static inline void aft_part_add(AftMeasured *part, double amount, double time_s)
{
    part->amount += amount;
    part->time_s += time_s;
    part->windows++;
}

/** The pace of @part, beside @assumed done at @mean_per_s. */
static inline double aft_part_per_s(const AftMeasured *part, double assumed, double mean_per_s)
{
    return mean_per_s > 0.0 ? (part->amount + assumed) / (part->time_s + assumed / mean_per_s)
                            : 0.0;
}

/** Forgets half of what was done when that is of @most windows: what moves is not followed by a
 *  mean of all times. */
static inline void aft_part_fade(AftMeasured *part, guint most)
{
    if (part->windows >= most) {
        *part = (AftMeasured){part->amount / 2.0, part->time_s / 2.0, part->windows / 2};
    }
}

/** The parts of its span that a slow variable moves at most at once. */
static inline double aft_pace_steps(const AftPace *pace)
{
    return MAX(AFT_PACE_STEPS / aft_pace_coarser(pace), AFT_PACE_FEWEST);
}

/** The middle of the window, and now; s. */
static inline double aft_pace_centre_s(const AftPace *pace)
{
    return (double)(pace->began_ns + pace->length_ns / 2) / 1e9;
}

static inline double aft_pace_now_s(const AftPace *pace)
{
    return (double)aft_engine_scenario_now(pace->model->engine) / 1e9;
}

/** How fast something moves, for deciding how long to skip: by all windows of the stretch and not
 *  by the latest, unless those say that it has become far faster. Were skips longer whenever the
 *  pace is thought to be lower than it is, and shorter when higher, too little would move. */
static inline double aft_pace_steady(double mean_per_s, double latest_per_s)
{
    return MAX(mean_per_s, 0.5 * latest_per_s);
}

/** For each part: forgets, begins a window, and ends one of @length_s. */
void aft_pace_forget_tasks(AftPace *pace);
void aft_pace_begin_tasks(AftPace *pace);
void aft_pace_end_tasks(AftPace *pace, double length_s);
void aft_pace_forget_clients(AftPace *pace);
void aft_pace_begin_clients(AftPace *pace);
void aft_pace_end_clients(AftPace *pace, double length_s);
void aft_pace_forget_tiers(AftPace *pace);
void aft_pace_begin_tiers(AftPace *pace);
void aft_pace_end_tiers(AftPace *pace, double length_s);

/** For tasks and tiers: how unsure their paces are, in what is wanted; 0: not at all. */
double aft_pace_tasks_doubt(const AftPace *pace);
double aft_pace_tiers_doubt(const AftPace *pace);

/** Whether writes are delayed ever more, by buffers that fill. */
gboolean aft_pace_delays_grow(const AftPace *pace);

/** For each part: how long a skip may be at most, s; INFINITY: no limit. */
double aft_pace_tasks_limit_s(const AftPace *pace);
double aft_pace_clients_limit_s(const AftPace *pace);
double aft_pace_tiers_limit_s(const AftPace *pace);

/** For tasks and clients: how long their work will still take, s; 0: there is none, or it does not
 * end. */
double aft_pace_tasks_remaining_s(const AftPace *pace);
double aft_pace_clients_remaining_s(const AftPace *pace);

/** For each part: moves on over a skip of @by_ns from @from_ns. */
void aft_pace_advance_tasks(AftPace *pace, gint64 from_ns, gint64 by_ns);
void aft_pace_advance_clients(AftPace *pace, gint64 from_ns, gint64 by_ns);
void aft_pace_advance_tiers(AftPace *pace, gint64 from_ns, gint64 by_ns);
