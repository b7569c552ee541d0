/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result.h - what a run yields, as plain values.
 *
 * A result is four tables and a summary. Rows are structs whose members carry the names of the
 * CSV columns; NaN is an empty cell: no I/O, or not applicable. files.h writes them and reads
 * them back. Times in a row are scenario time. Whoever drops rows from an array drops their texts
 * with them: the arrays clear what they hold.
 */
#pragma once

#include <aftershock/base/api.h>
#include <aftershock/scenario/phase.h>

#include <glib.h>

AFT_BEGIN_DECLS

/** One phase as it occurred. Means and percentiles are over the whole phase; _ci are half-widths
 *  at the run's confidence. */
typedef struct {
    AftPhase phase;
    double start_s, duration_s;
    double iops, iops_ci, read_iops, read_iops_ci, write_iops, write_iops_ci;
    double read_mean_ms, read_mean_ci_ms, write_mean_ms, write_mean_ci_ms;
    double read_p50_ms, read_p95_ms, read_p99_ms, write_p50_ms, write_p95_ms, write_p99_ms;
    double read_p995_ms, write_p995_ms; /* of 99.5 % */
    double read_p50_ci_ms, read_p95_ci_ms, read_p99_ci_ms;
    double write_p50_ci_ms, write_p95_ci_ms, write_p99_ci_ms;
    double read_p995_ci_ms, write_p995_ci_ms;
    double read_response_mean_ms, write_response_mean_ms; /* with the wait as owed work */
    double read_mb_per_s, write_mb_per_s;
    double owed_ios_end, shed_ios;
    double rebuild_bytes, rebalance_bytes, convert_bytes, encode_bytes, destage_bytes, scrub_bytes;
    double controller_util, nic_util, cache_util, capacity_util; /* mean over the live ones */
    double simulated_s;                                          /* of it at I/O level */
    double missed_s;   /* time of trace intervals that missed the requirement */
    double lost_pgs;   /* at the end of the phase */
    char *requirement; /* "met", "iops+write", or "" when nothing is required */
    char *flags;       /* joined by '+': "stall", "no_target", "no_space", "read_only", ... */
} AftPhaseRow;

/** One interval of the trace. */
typedef struct {
    double time_s;  /* its start */
    AftPhase phase; /* at its start */
    double read_iops, write_iops;
    double read_mean_ms, read_p50_ms, read_p95_ms, read_p99_ms;
    double write_mean_ms, write_p50_ms, write_p95_ms, write_p99_ms;
    double read_mb_per_s, write_mb_per_s;
    double owed_ios, degraded_pgs, lost_pgs; /* at its end */
    double rebuild_mb_per_s, rebalance_mb_per_s, convert_mb_per_s, encode_mb_per_s;
    double scrub_mb_per_s, destage_mb_per_s;
    double used_bytes, buffer_fill; /* at its end */
    double controller_util, nic_util, cache_util, capacity_util;
    double simulated_s;
} AftTraceRow;

/** Some of the client I/Os of a phase: those whose latency is at most upper_ms and above the
 *  upper_ms of the row before, of the same phase and direction. */
typedef struct {
    AftPhase phase; /* and when it began: as phases.csv has them */
    double start_s;
    gboolean write;
    double upper_ms;
    double count; /* weighted by the time that windows stand for */
    double share; /* of the phase's I/Os of this direction, up to here */
} AftLatencyRow;

/** A phase's latencies are kept in steps of 1/32 at most, of so many phases from the first on. */
enum { AFT_LATENCY_PHASES = 256 };

/** One thing that happened. */
typedef struct {
    double time_s;
    char *event;   /* "fail", "detect", "rebuild-start", ... */
    char *subject; /* "node 2" */
    char *detail;  /* free text, may be "" */
} AftEventRow;

typedef struct {
    double logical_bytes;   /* what clients stored */
    double protected_bytes; /* with copies and parity */
    double stored_bytes;    /* on the devices at the end of the run */
    double saved_bytes;     /* that two copies of the logical bytes would take beyond that */
    double raw_bytes;       /* what the devices could hold */
} AftSpace;

typedef struct {
    double lost_pgs;   /* groups past their tolerance at any time, be it for a sector */
    double lost_bytes; /* logical */
    double first_s;    /* when the first was lost; NaN: never */
} AftLoss;

/** How an event says that something planned was not done: by the end of its name. */
typedef enum {
    AFT_UNDONE_REFUSED,    /* "maintenance-refused", "upgrade-refused" */
    AFT_UNDONE_SKIPPED,    /* "upgrade-skipped": a node that was down when its turn came */
    AFT_UNDONE_UNFINISHED, /* "maintenance-unfinished", "upgrade-unfinished": at the end of the run
                            */
    AFT_UNDONE_KINDS
} AftUndone;

typedef struct {
    char *scenario; /* its name */
    char *label;    /* the configuration's, for comparisons */
    char *scenario_sha256;
    guint64 seed;
    char *version;  /* of the program */
    char *fidelity; /* "io", "sampled", "flow" */
    gboolean interrupted;
    double confidence;     /* of every _ci */
    double precision;      /* wanted half-width over mean, of IOPS and mean latencies; 0: none */
    guint64 simulated_ios; /* client I/Os simulated one by one */
    double simulated_s;
    guint64 events;                                            /* executed by the engine */
    double required_iops, required_read_ms, required_write_ms; /* 0: not required */
    char *requirement; /* "met", or the union of what phases missed, or "" */
    double missed_s;
    GArray *phases;   /* AftPhaseRow */
    GArray *trace;    /* AftTraceRow */
    GArray *timeline; /* AftEventRow */
    GArray *latency;  /* AftLatencyRow, by phase, reads before writes, and upper_ms; none of results
                         from before there were any */
    AftSpace space;
    AftLoss loss;
    guint64 shed_lost_ios;            /* of those that phases shed, whose data was lost */
    guint64 undone[AFT_UNDONE_KINDS]; /* such events of the timeline */
} AftResult;

/** Returns: (transfer full): a result with empty tables. */
AftResult *aft_result_new(void);

void aft_result_free(AftResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftResult, aft_result_free)

/** When the last phase has ended, in seconds; the start of the last interval if that is later. */
double aft_result_end_s(const AftResult *result);

/** When the interval of row @row of the trace ends: where the next begins, or the run has ended. */
double aft_result_interval_end_s(const AftResult *result, guint row);

/** Which of them @event ("upgrade-skipped") says; AFT_UNDONE_KINDS: none. */
AftUndone aft_event_undone(const char *event);

/** "skipped". Returns: (transfer none). */
const char *aft_undone_name(AftUndone undone);

/** A phase row of @phase in which every number is NaN and every text empty. The row owns its
 *  texts; appended to a result's array, the array does. */
void aft_phase_row_init(AftPhaseRow *row, AftPhase phase);

/** The same for a trace row. */
void aft_trace_row_init(AftTraceRow *row, AftPhase phase);

AFT_END_DECLS
