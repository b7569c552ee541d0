/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/reference/compare.h>

#include <math.h>

static const AftFigure nothing = {(double)NAN, (double)NAN};

/* The last of @results called @label; NULL: there is none. */
static const AftResult *find_result(AftResult *const *results, guint n, const char *label)
{
    for (guint i = n; i > 0; i--) {
        if (g_strcmp0(results[i - 1]->label, label) == 0) {
            return results[i - 1];
        }
    }
    return NULL;
}

/* The first or last occurrence of @phase; NULL: it did not occur. */
static const AftPhaseRow *find_row(const AftResult *result, AftPhase phase, gboolean last)
{
    const AftPhaseRow *found = NULL;
    for (guint i = 0; i < result->phases->len && (found == NULL || last); i++) {
        const AftPhaseRow *row = &g_array_index(result->phases, AftPhaseRow, i);
        found = row->phase == phase ? row : found;
    }
    return found;
}

static AftFigure figure_of(const AftReferenceCell *cell, const AftResult *result)
{
    const AftPhaseRow *row = find_row(result, cell->phase, cell->last);
    return row == NULL && !cell->metric->whole ? nothing
                                               : aft_metric_read(cell->metric, result, row);
}

/* Relative errors of independent figures add up as the sides of a right angle do. */
static AftFigure ratio_of(AftFigure figure, AftFigure over)
{
    if (!(over.value > 0.0)) {
        return nothing;
    }
    double value = figure.value / over.value;
    return (AftFigure){value, hypot(figure.half_width, value * over.half_width) / over.value};
}

static AftVerdict judge(const AftReferenceCell *cell, double simulated)
{
    if (isnan(simulated)) {
        return AFT_VERDICT_ABSENT;
    }
    if (isnan(cell->value)) {
        return AFT_VERDICT_PREDICTION;
    }
    if (!aft_reference_cell_bounded(cell)) {
        return AFT_VERDICT_FREE;
    }
    return aft_reference_cell_allows(cell, simulated) ? AFT_VERDICT_WITHIN : AFT_VERDICT_OUTSIDE;
}

/* Where a reference says what was fitted, all else that has a value is predicted. */
static const char *role_of(const AftReference *reference, const AftReferenceCell *cell)
{
    gboolean told = reference->fitted != NULL && !isnan(cell->value);
    return !told ? NULL : cell->fitted ? "fitted" : "predicted";
}

static AftComparedCell compare_cell(const AftReferenceCell *cell, const AftResult *result,
                                    const AftResult *over)
{
    AftFigure simulated = figure_of(cell, result);
    simulated = over != NULL ? ratio_of(simulated, figure_of(cell, over)) : simulated;
    AftVerdict verdict = judge(cell, simulated.value);
    gboolean counts = !isnan(cell->value) && cell->mark != AFT_MARK_SUSPECT;
    return (AftComparedCell){
        .cell = cell,
        .simulated = simulated,
        .error = (simulated.value - cell->value) / cell->value,
        .verdict = verdict,
        .breach = counts && (verdict == AFT_VERDICT_OUTSIDE || verdict == AFT_VERDICT_ABSENT),
    };
}

static void add_cell(AftComparison *comparison, const AftReference *reference,
                     const AftReferenceCell *cell, AftResult *const *results, guint n)
{
    const AftResult *result = find_result(results, n, cell->label);
    const AftResult *over = cell->over != NULL ? find_result(results, n, cell->over) : NULL;
    if (result == NULL || (cell->over != NULL && over == NULL)) {
        comparison->skipped++;
        return;
    }
    AftComparedCell compared = compare_cell(cell, result, over);
    compared.role = role_of(reference, cell);
    comparison->breaches += compared.breach ? 1 : 0;
    g_array_append_val(comparison->cells, compared);
}

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* Sums up the cells that are like @summary, which says what they are; none leave it out. */
static void add_summary(AftComparison *comparison, AftErrorSummary summary)
{
    g_autoptr(GArray) errors = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < comparison->cells->len; i++) {
        const AftComparedCell *compared = &g_array_index(comparison->cells, AftComparedCell, i);
        const AftReferenceCell *cell = compared->cell;
        gboolean alike = (summary.metric == NULL || summary.metric == cell->metric) &&
                         summary.ratio == (cell->over != NULL) && summary.mark == cell->mark;
        double error = fabs(compared->error);
        if (alike && !isnan(error)) {
            g_array_append_val(errors, error);
        }
    }
    if (errors->len == 0) {
        return;
    }
    g_array_sort(errors, compare_numbers);
    const double *sorted = (const double *)errors->data;
    summary.n = errors->len;
    summary.median = (sorted[(summary.n - 1) / 2] + sorted[summary.n / 2]) / 2.0;
    summary.largest = sorted[summary.n - 1];
    g_array_append_val(comparison->summaries, summary);
}

static void add_marks(AftComparison *comparison, const AftMetric *metric)
{
    for (guint mark = 0; mark < AFT_MARKS; mark++) {
        add_summary(comparison, (AftErrorSummary){metric, FALSE, (AftMark)mark, 0, 0.0, 0.0});
        add_summary(comparison, (AftErrorSummary){metric, TRUE, (AftMark)mark, 0, 0.0, 0.0});
    }
}

AftComparison *aft_compare(const AftReference *reference, AftResult *const *results, guint n)
{
    AftComparison *comparison = g_new0(AftComparison, 1);
    comparison->cells = g_array_new(FALSE, FALSE, sizeof(AftComparedCell));
    comparison->summaries = g_array_new(FALSE, FALSE, sizeof(AftErrorSummary));
    for (guint i = 0; i < reference->cells->len; i++) {
        add_cell(comparison, reference, g_ptr_array_index(reference->cells, i), results, n);
    }
    guint n_metrics = 0;
    const AftMetric *metrics = aft_metrics(&n_metrics);
    for (guint i = 0; i < n_metrics; i++) {
        add_marks(comparison, &metrics[i]);
    }
    add_marks(comparison, NULL);
    return comparison;
}

void aft_comparison_free(AftComparison *comparison)
{
    if (comparison != NULL) {
        g_array_unref(comparison->cells);
        g_array_unref(comparison->summaries);
        g_free(comparison);
    }
}
