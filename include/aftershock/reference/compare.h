/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.h - what was simulated beside what was published, or beside another simulation.
 *
 *     g_autoptr(AftComparison) comparison = aft_compare(reference, results, n);
 *     gboolean agrees = comparison->breaches == 0;
 *
 * Configurations are known by their labels. A cell whose configuration was not simulated is left
 * out; one whose phase did not occur is a breach if the cell is stated or derived.
 */
#pragma once

#include <aftershock/reference/reference.h>

typedef enum {
    AFT_VERDICT_WITHIN, /* its tolerance */
    AFT_VERDICT_OUTSIDE,
    AFT_VERDICT_PREDICTION, /* the source leaves it open */
    AFT_VERDICT_FREE,       /* there is a value, and no tolerance */
    AFT_VERDICT_ABSENT,     /* the phase did not occur, or had no such figure */
    AFT_VERDICTS
} AftVerdict;

typedef struct {
    const AftReferenceCell *cell; /* borrowed from the reference */
    AftFigure simulated;
    double error; /* (simulated - published) / published; NaN without one of them */
    AftVerdict verdict;
    gboolean breach;  /* stated or derived, and outside or absent */
    const char *role; /* (nullable): what it was to a fit, if there was one: "fitted",
                         "predicted", or what the fit says */
} AftComparedCell;

/** Median and largest of the absolute errors of cells that are alike. Ratios are summed up apart
 *  from what they are ratios of. */
typedef struct {
    const AftMetric *metric; /* (nullable): all metrics */
    gboolean ratio;
    AftMark mark;
    guint n;
    double median, largest;
} AftErrorSummary;

typedef struct {
    GArray *cells;     /* AftComparedCell, in the order of the reference */
    GArray *summaries; /* AftErrorSummary: by metric and mark, then all metrics by mark */
    guint breaches;
    guint skipped; /* cells whose configuration was not simulated */
} AftComparison;

/** Compares the @n results (borrowed) with @reference (borrowed; it has to outlive what is
 *  returned). Of results of the same label the last counts. Returns: (transfer full). */
AftComparison *aft_compare(const AftReference *reference, AftResult *const *results, guint n);

void aft_comparison_free(AftComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftComparison, aft_comparison_free)

/** One figure of two results. */
typedef struct {
    AftPhase phase;   /* AFT_PHASES: of the whole run */
    guint occurrence; /* of the phase, from 1; a phase that only one result has is left out */
    const AftMetric *metric;
    AftFigure before, after;
    double change;    /* (after - before) / before; NaN where that is 0 or nothing */
    gboolean known;   /* both have intervals */
    gboolean differs; /* known, and by more than the intervals make of chance: the root of the sum
                         of their squares */
} AftDifference;

typedef struct {
    GArray *differences; /* AftDifference, by phase and metric; what is 0 in both is left out */
    char *phases_before, *phases_after; /* "steady failed rebuild ..." */
} AftRunComparison;

/** Compares two results of this program. Returns: (transfer full). */
AftRunComparison *aft_compare_runs(const AftResult *before, const AftResult *after);

void aft_run_comparison_free(AftRunComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftRunComparison, aft_run_comparison_free)
