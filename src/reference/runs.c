/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/reference/compare.h>

#include <math.h>

/* Returns: (transfer full): "steady failed rebuild". */
static char *phases_of(const AftResult *result)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < result->phases->len; i++) {
        const AftPhaseRow *row = &g_array_index(result->phases, AftPhaseRow, i);
        g_string_append_printf(text, "%s%s", i > 0 ? " " : "", aft_phase_name(row->phase));
    }
    return g_string_free(text, FALSE);
}

/* Which occurrence of its phase row @index is, from 1. */
static guint occurrence_of(const AftResult *result, guint index)
{
    guint n = 0;
    AftPhase phase = g_array_index(result->phases, AftPhaseRow, index).phase;
    for (guint i = 0; i <= index; i++) {
        n += g_array_index(result->phases, AftPhaseRow, i).phase == phase;
    }
    return n;
}

/* NULL: @phase did not occur as often. */
static const AftPhaseRow *find_row(const AftResult *result, AftPhase phase, guint occurrence)
{
    for (guint i = 0; i < result->phases->len; i++) {
        const AftPhaseRow *row = &g_array_index(result->phases, AftPhaseRow, i);
        occurrence -= row->phase == phase;
        if (occurrence == 0) {
            return row;
        }
    }
    return NULL;
}

/* Adds @difference, of which the figures are missing. */
static void add(GArray *differences, AftDifference difference, AftFigure before, AftFigure after)
{
    if (isnan(before.value) || isnan(after.value) || (before.value == 0.0 && after.value == 0.0)) {
        return;
    }
    double change = after.value - before.value;
    double chance = hypot(before.half_width, after.half_width); /* NaN without one of them */
    difference.before = before;
    difference.after = after;
    difference.change = before.value != 0.0 ? change / before.value : (double)NAN;
    difference.known = !isnan(chance);
    difference.differs = difference.known && fabs(change) > chance;
    g_array_append_val(differences, difference);
}

static void compare_rows(GArray *differences, guint occurrence, const AftPhaseRow *before,
                         const AftPhaseRow *after)
{
    guint n = 0;
    const AftMetric *metrics = aft_metrics(&n);
    for (guint i = 0; i < n; i++) {
        if (!metrics[i].whole) {
            add(differences,
                (AftDifference){.phase = before->phase,
                                .occurrence = occurrence,
                                .metric = &metrics[i]},
                aft_metric_read(&metrics[i], NULL, before),
                aft_metric_read(&metrics[i], NULL, after));
        }
    }
}

static void compare_wholes(GArray *differences, const AftResult *before, const AftResult *after)
{
    guint n = 0;
    const AftMetric *metrics = aft_metrics(&n);
    for (guint i = 0; i < n; i++) {
        if (metrics[i].whole) {
            add(differences,
                (AftDifference){.phase = AFT_PHASES, .occurrence = 1, .metric = &metrics[i]},
                aft_metric_read(&metrics[i], before, NULL),
                aft_metric_read(&metrics[i], after, NULL));
        }
    }
}

AftRunComparison *aft_compare_runs(const AftResult *before, const AftResult *after)
{
    AftRunComparison *comparison = g_new0(AftRunComparison, 1);
    comparison->differences = g_array_new(FALSE, FALSE, sizeof(AftDifference));
    comparison->phases_before = phases_of(before);
    comparison->phases_after = phases_of(after);
    for (guint i = 0; i < before->phases->len; i++) {
        const AftPhaseRow *row = &g_array_index(before->phases, AftPhaseRow, i);
        guint occurrence = occurrence_of(before, i);
        const AftPhaseRow *other = find_row(after, row->phase, occurrence);
        if (other != NULL) {
            compare_rows(comparison->differences, occurrence, row, other);
        }
    }
    compare_wholes(comparison->differences, before, after);
    return comparison;
}

void aft_run_comparison_free(AftRunComparison *comparison)
{
    if (comparison != NULL) {
        g_array_unref(comparison->differences);
        g_free(comparison->phases_before);
        g_free(comparison->phases_after);
        g_free(comparison);
    }
}
