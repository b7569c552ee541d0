/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protection.h - a protection scheme is a table of plans: what an operation costs, in stages.
 *
 * A stripe has `width` members, each on a failure domain of its own; a member is current, or it is
 * not. For every operation and every set of current members the scheme says which members are
 * read and which are written. A stage starts when the one before is complete:
 *
 *     RAID-5 small write to unit 1   stage 0: read 1 and parity    stage 1: write 1 and parity
 *     the same, unit 1 missing       stage 0: read the other data  stage 1: write parity
 *
 * Everything known as write penalty, degraded read or rebuild traffic follows from these plans;
 * nothing about a scheme lives anywhere else. Plans need no engine: explain and tests read them
 * too.
 *
 * Members 0 to k - 1 hold data, those behind them parity, of an LRC the l local ones first; under
 * replication every member is a copy.
 */
#pragma once

#include <aftershock/scenario/scenario.h>

#define AFT_STEPS_MOST  (3 * AFT_WIDTH_MOST) /* all members read and written, and a log before */
#define AFT_STAGES_MOST 2

typedef enum {
    AFT_OPERATION_READ,   /* a client reads units `first` to `first` + `units` - 1 */
    AFT_OPERATION_WRITE,  /* a client writes them */
    AFT_OPERATION_REPAIR, /* member `first` is made again from the others */
    AFT_OPERATION_MOVE,   /* member `first` is copied to another place */
    AFT_OPERATION_SCRUB   /* it is read where it is */
} AftOperation;

typedef struct {
    guint8 member;
    guint8 write; /* 0: a read */
} AftStep;

typedef struct {
    gboolean possible; /* FALSE: the data is not readable; the rest is empty then */
    gboolean degraded; /* a member it would have used is missing: it costs extra work */
    guint n_stages;
    guint stage_begin[AFT_STAGES_MOST + 1]; /* stage s is steps [s] to [s + 1] - 1 */
    AftStep step[AFT_STEPS_MOST];
} AftPlan;

/** What is asked of a scheme. */
typedef struct {
    AftOperation operation;
    guint first;
    guint units;     /* client operations: 1 to k; otherwise 1 */
    guint32 current; /* bit per member */
    guint turn;      /* any number: spreads the choice where several sources would do */
} AftPlanRequest;

typedef struct {
    const char *name;
    const char *help;
    gboolean striped; /* data is divided among members; FALSE: each holds all of it */

    /** Whether the members @current give all data back. */
    gboolean (*readable)(const AftProtectionSpec *spec, guint32 current);

    /** How many members more than those missing in @current, which is readable, may be lost,
     *  whichever they are. */
    guint (*spare)(const AftProtectionSpec *spec, guint32 current);

    void (*plan)(const AftProtectionSpec *spec, const AftPlanRequest *request, AftPlan *ret_plan);
} AftProtection;

/** The scheme that serves @kind. Returns: (transfer none). */
const AftProtection *aft_protection_get(AftSchemeKind kind);

/** All schemes, in the order of the table. Returns: (transfer none): @ret_n of them. */
const AftProtection *aft_protection_all(guint *ret_n);

/** Members of a stripe: k + m, k + l + r, or the number of copies. */
guint aft_protection_width(const AftProtectionSpec *spec);

/** Whether the data can be read from the members @current. */
gboolean aft_protection_readable(const AftProtectionSpec *spec, guint32 current);

/** How many of the members @current, which must be readable, can be lost with the data still
 *  readable, whichever they are: m of k + m, m - 1 when one is missing. */
guint aft_protection_spare(const AftProtectionSpec *spec, guint32 current);

/** Units of a stripe that a block of @block_bytes covers, 1 to k: part of one, whole ones, or the
 *  whole stripe. Of a longer block each data member takes an equal part. */
guint aft_protection_units(const AftProtectionSpec *spec, guint64 block_bytes);

/** Choices of `first` that a client operation of @units has: the units a read may start at. */
guint aft_protection_choices(const AftProtectionSpec *spec, guint units);

/** A bit for each member. */
guint32 aft_protection_everyone(const AftProtectionSpec *spec);

/** Bytes stored per byte of client data: width / k. */
double aft_protection_overhead(const AftProtectionSpec *spec);

/** Plans @request under @spec. */
void aft_protection_plan(const AftProtectionSpec *spec, const AftPlanRequest *request,
                         AftPlan *ret_plan);
