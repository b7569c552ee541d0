/* SPDX-License-Identifier: GPL-3.0-or-later */
/* each_failure.h - which part would hurt most: each of one kind fails in a run of its own.
 *
 * All runs are of one scenario without the faults it has, with the same chance, and let one part
 * fail at the same time; so they differ by the part alone. Every part is run: that two are alike
 * cannot be proved, since placement is by chance and each holds other data.
 */
#pragma once

#include <aftershock/result/columns.h>
#include <aftershock/scenario/what_if.h>

enum { AFT_EACH_FAILURE_MOST = 20000 }; /* parts */

/** What followed when one part failed. The worst phase is, of those from the failure on, the one
 *  that missed the requirement and whose I/Os took longest in the mean; when none missed it, or
 *  nothing is required, the one whose I/Os took longest. A phase without I/O took for ever. */
typedef struct {
    char *part;       /* "node 2" */
    char *failure;    /* why there is no result, or "": then what follows is empty */
    double missed_s;  /* the requirement, from the start of the run; NaN: nothing is required */
    double rebuild_s; /* all phases "rebuild" together; NaN: there was none */
    char *phase;      /* the worst: "failed" */
    double iops;      /* in it, as are the next */
    double mean_ms;   /* of all I/Os; infinity: there was none */
    double read_mean_ms, write_mean_ms;
    double lost_pgs, lost_bytes;
    double duration_s; /* of the run */
    char *requirement; /* "met", what was missed, or "" */
} AftPartFailure;

/** Columns of AftPartFailure. Returns: (transfer none), for ever. */
const AftTable *aft_part_failure_table(void);

typedef struct {
    AftPartKind kind;  /* node, controller, device, cache, group or rack */
    gint64 at_ns;      /* when it fails */
    gint64 restore_ns; /* when it is back; AFT_WHAT_IF_NEVER */
    guint jobs;        /* runs at once, 1 or more */
    gint *interrupted; /* (nullable): set to non-zero, atomically, it ends early */

    /** The scenario (transfer full, resolved), anew; NULL with @error. Called by several threads at
     *  once. */
    AftScenario *(*make)(void *context, GError **error);
    void (*progress)(guint ended, guint of, void *context); /* (nullable); threads take turns */
    void *context;
} AftEachFailureSetup;

/** Runs the failures. What each comes to does not depend on @setup's jobs; those that had not ended
 *  when it was interrupted are left out.
 *  Returns: (transfer full) (nullable): AftPartFailure, the worst first: more data lost, then the
 *  requirement missed for longer, then a slower worst phase, then a longer rebuild; those without a
 *  result last. NULL with AFT_ERROR_UNKNOWN when there is no such part, AFT_ERROR_RANGE when it
 *  would fail after the end of the run, AFT_ERROR_LIMIT when there are too many, or what make()
 *  said. */
GArray *aft_each_failure(const AftEachFailureSetup *setup, GError **error);
