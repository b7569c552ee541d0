/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state_parts.h - what a state is made of, for the files that make it: state.c looks where a model
 * is, state_news.c what has happened to it, state_text.c writes that down, state_edge.c says how
 * long it stays so, state_enter.c brings a model there. */
#pragma once

#include "model_parts.h"
#include "outage.h"

#include <aftershock/model/state.h>

#define AFT_STATE_PARTS 8 /* of what is left of work at a step, and of what is warm */

#define AFT_STATE_OCTAVE 8 /* steps of what was written are this part of a power of two */

#define AFT_STATE_WRITTEN_LEAST (-24 * AFT_STATE_OCTAVE) /* below that, nothing was written */
#define AFT_STATE_ALL_WARM      0.995

typedef enum {
    AFT_STEP_FAIL,
    AFT_STEP_DETECT,
    AFT_STEP_OUT,
    AFT_STEP_RESTORE,
    AFT_STEP_IN,
    AFT_STEP_WRITTEN, /* `amount`: a member's bytes by 2^(amount / 8), to pool `index` */
    AFT_STEP_LEFT     /* `amount` eighths of the work of task `index` */
} AftStepKind;

typedef struct {
    AftStepKind kind;
    AftPart part;
    guint index;
    int amount;      /* coarse; of none of it there is no step */
    double members;  /* AFT_STEP_WRITTEN: exactly */
    double *at_node; /* AFT_STEP_LEFT: bytes, exactly */
} AftStateStep;

/* A group whose data is lost. */
typedef struct {
    guint pool, group;
} AftLostGroup;

/* Of one task. */
typedef struct {
    gboolean works;
    int parts, bin; /* that it is divided in, and those that are done */
    guint lanes;    /* nodes that write; of many a multiple of some */
} AftWork;

typedef struct {
    double day, burst;
} AftLoad;

/* Where the cluster is, in bins. */
typedef struct {
    AftWork work[AFT_TASKS];
    guint8 *owes;   /* a machine */
    guint32 *nodes; /* a machine: where it runs; AFT_NOWHERE: it does not */
    AftLoad *loads; /* a workload */
    int *fills;     /* a buffer */
    int *warms;     /* a buffer: eighths */
} AftPresent;

struct AftState {
    AftModel *model;
    guint n_vms, n_buffers, n_pools, n_clients;
    GArray *known;  /* AftOutageLook: outages when it was last looked at */
    GArray *lost;   /* AftLostGroup: when all else was whole */
    GArray *steps;  /* AftStateStep: since then */
    gboolean exact; /* amounts in steps are told exactly: coarsely, they lead to another state */
    AftPresent now, calm;
    gboolean transient;
    gboolean noted;  /* there are steps that have not been looked at */
    guint n_calm;    /* of a transient state: steps of the calm one */
    guint n_before;  /* of a transient state: steps before the first that it has of its own */
    char *calm_text; /* of a transient state */
    double base_bytes[AFT_TASKS]; /* work there was after the last step, or came since */
    int parts[AFT_TASKS];         /* that this is divided in */
    double *at_node[AFT_TASKS];   /* bytes of work there are, when last looked at */
    double left[AFT_TASKS];       /* share of it, when last looked at; 1: or there was none */
    double *written_base;         /* a pool: bytes, at the last step */
    double *written;              /* a pool: members since, when last looked at */
    GString *text;
};

/** Bytes of @task that wait for @node; whole cluster with AFT_NOWHERE. */
static inline double aft_state_work(const AftModel *model, guint task, guint32 node)
{
    return MAX(aft_curator_waiting_bytes(model->curator, (AftTaskKind)task, node), 0.0);
}

/** Nodes to which @task writes; of many a multiple of some. */
guint aft_state_lanes(const AftModel *model, guint task);

/** What @vm owes from where on it is one that owes. */
double aft_state_owes_from(const AftVm *vm);

/** Whether anything has happened to parts since they were looked at; adds it as steps, and before
 * it, what time has done since the last step, which it finds. */
gboolean aft_state_has_news(const AftState *state);
void aft_state_add_amounts(AftState *state);
void aft_state_add_news(AftState *state);

/** Whether @step makes a difference, as finely as amounts are told. */
gboolean aft_state_counts(const AftState *state, const AftStateStep *step);

/** Frees what a step holds, as a GDestroyNotify. */
void aft_state_step_clear(gpointer step);

/** Writes the text anew. */
void aft_state_write(AftState *state);
