/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clients.h - the virtual machines of one workload, and their I/O.
 *
 * A virtual machine has a number of slots. Whatever the kind of workload, I/O that arrives is
 * owed first and then takes a free slot, so one rule covers all:
 *
 *     arrived = served + in flight + owed          (shed I/O never arrived)
 *
 * The kind decides what makes I/O arrive (a slot that came free, or a clock), and whether what
 * finds no slot waits or is shed. When its host dies a machine stops: what it had in flight is
 * owed again, or shed, and it goes on elsewhere after a while.
 */
#pragma once

#include "destage.h"
#include "owed.h"
#include "plan_book.h"
#include "pool.h"
#include "request.h"
#include "skew.h"

#include <aftershock/model/model.h>
#include <aftershock/random/discrete.h>

typedef struct AftClients AftClients;
typedef struct AftVm AftVm;
typedef struct AftReplay AftReplay;

/** What a kind of workload does: one const struct, one row in the table of workloads.c; kinds.h has
 *  its name. */
typedef struct {
    gboolean sheds;                      /* what finds no slot is shed, not owed */
    void (*start)(AftVm *vm);            /* once, at the beginning */
    void (*served)(AftVm *vm);           /* (nullable): one of its I/Os has completed */
    void (*paused)(AftClients *clients); /* `paused` of the clients is another now */
} AftWorkloadPolicy;

/** Where one of the sequential streams of a machine is. */
typedef struct {
    guint32 chunk;
    guint64 offset; /* in that, of the next block */
} AftSpot;

struct AftVm {
    AftClients *clients;
    guint index;
    guint home, node;
    gboolean running;
    guint slots;
    guint in_flight;
    AftUpdates *updates;    /* (nullable): by layout of the pool; NULL: nothing waits for any */
    double share_per_s;     /* its part of `rate`, if it has a clock */
    double rate_per_s;      /* of its clock now */
    double mean_rate_per_s; /* the same, but for bursts that windows see as a mean */
    gboolean ticks;         /* it has a clock, which was started */
    AftEvent tick;          /* of that, unless it stands */
    double gaps_left;       /* until then, in means of gaps, while it stands */
    guint parked;           /* closed slots that are paused */
    AftSpot *spots;         /* (nullable): of its streams; NULL: it goes anywhere */
    guint turn;             /* the stream whose turn it is */
    double left_ns;         /* of the gaps so far, less than one */
    gint64 owed_most;       /* beyond this, arrivals are shed */
    AftOwed owed;
    gint64 served, shed;
    gint64 shed_lost; /* of those shed, for data that was lost */
    AftStream arrivals, addresses;
    gint64 restart_ns; /* stopped, it may go on elsewhere from then on; scenario time */
    gint64 home_ns;    /* it moves back to its home then; G_MAXINT64: it does not */
};

/** What of its rate a workload has now, see rhythm.h. */
typedef struct {
    double day, burst;
    gboolean bursts;
    double dispersion; /* index of dispersion of the counts that windows see */
    AftStream chance;
} AftRhythm;

/** A node, as a place for machines of one workload. */
typedef struct {
    guint machines; /* that run there */
    gboolean named; /* the workload names it */
} AftHost;

/** One kind of a workload's I/O: those of one size; of a trace, those that cover as many units of
 *  a stripe, one more than the number of the kind, as far as a layout has so many. */
typedef struct {
    guint32 block_bytes;
    double read_share;
    gint64 read_work_ns, write_work_ns; /* of data services at the coordinator */
} AftBlockKind;

/** How I/O of one kind goes to groups of one layout. */
typedef struct {
    AftPlanBook *plans;
    guint units;             /* of a stripe that it covers */
    guint32 step_bytes;      /* of one step of a plan; 0: an equal part of the I/O */
    guint choices;           /* units a block may begin at */
    gint64 decode_ns;        /* mean extra controller time of a degraded operation */
    gint64 update_ns;        /* the same of an update of parity */
    double written_per_byte; /* of a step of a write: bytes per member of hot chunks, the mean */
    double read_per_byte;    /* of a step of a read: the same of the chunks worked on */
} AftWay;

struct AftClients {
    const AftWorkloadSpec *spec; /* borrowed */
    const AftWorkloadPolicy *policy;
    guint index;
    AftPool *pool;
    const AftWorkingSet *set; /* borrowed from the pool */
    AftBlockKind *kinds;
    guint n_kinds;
    AftDiscrete *mix; /* (nullable): chances of the kinds; NULL: there is one */
    AftWay *ways;     /* layout of the pool x n_kinds + kind */
    AftSkew *skew;    /* (nullable): all of the working set alike */
    AftHeat *heat;    /* (nullable): the same, for caches */
    AftRhythm rhythm;
    gboolean paused;
    gboolean quiet;    /* nothing is issued: see aft_model_new_quiet() */
    AftReplay *replay; /* (nullable): the trace that is played */
    GError *error;     /* (nullable): it cannot be played on */
    gboolean plain;    /* one kind of I/O, anywhere in the working set */
    AftExecutor *executor;
    AftTopology *topology;
    AftVm *vms;
    guint n_vms;
    AftHost *hosts;          /* a node */
    AftDestager *destager;   /* (nullable): writes go to a log, and it carries them out */
    AftRequestQueue stalled; /* wait for a failure to be noticed */
    gint64 owed;             /* of all machines */
    gint64 writes;           /* issued so far */
    AftModelWatch watch;
    void (*owed_changed)(void *model);
    void *model;
};

/** The policy of @kind. Returns: (transfer none). */
const AftWorkloadPolicy *aft_workload_policy(AftWorkloadKind kind);

/** Makes the clients of workload @index on @pool, not yet started. Clear with
 *  aft_clients_clear(). */
void aft_clients_init(AftClients *clients, const AftScenario *scenario, guint index, AftPool *pool,
                      AftExecutor *executor, guint32 replication);

/** Lets writes go to a log, whose destage carries them out. */
void aft_clients_log_to(AftClients *clients, AftDestager *destager);

void aft_clients_clear(AftClients *clients);

/** Starts every machine's I/O, what it owes first. */
void aft_clients_start(AftClients *clients);

/** Stops what makes I/O arrive, or lets it go on where it stood: clocks do not tick, closed slots
 *  stop after their present I/O, traces stand still. What is owed is served all the same. */
void aft_clients_pause(AftClients *clients, gboolean paused);

/** One I/O arrives at @vm: it takes a slot, is owed, or is shed. */
void aft_vm_arrive(AftVm *vm);

/** Owed I/O of @vm takes the slots that are free. */
void aft_vm_take_slots(AftVm *vm);

/** What is owed by all machines grows by @by. */
void aft_clients_change_owed(AftClients *clients, gint64 by);

/** Whether @vm runs, and on @node. */
static inline gboolean aft_vm_runs_on(const AftVm *vm, guint node)
{
    return vm->running && vm->node == node;
}

/** Scenario time, ns. */
static inline gint64 aft_vm_now_ns(const AftVm *vm)
{
    return aft_engine_scenario_now(vm->clients->topology->engine);
}

/** What machines that run on @node have in flight is nobody's any more; they still count it. */
void aft_clients_abort(AftClients *clients, guint node);

/** I/O that waited for a failure to be noticed, or for data to be there again, tries again. */
void aft_clients_retry_stalled(AftClients *clients);

/** What users ask for is another from now on. */
void aft_clients_tell_other_load(const AftClients *clients);

/** I/Os in flight, of all machines. */
guint aft_clients_in_flight(const AftClients *clients);

/** Asserts that what arrived was served, is in flight or is owed. */
void aft_clients_audit(const AftClients *clients);
