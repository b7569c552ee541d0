/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare_rows.h"
#include "rows.h"

#include <aftershock/report/compare.h>
#include <aftershock/result/csv.h>

#include <math.h>

typedef struct {
    char *label, *over, *phase, *occurrence, *metric, *unit, *mark;
    double published, simulated, half_width, error;
    double least, most; /* that are within the tolerance */
    char *verdict;
    gboolean breach;
    char *source, *note;
    char *role, *left_out; /* of a fit */
} CellRow;

#define OF(kind, member)                                                  \
    {                                                                     \
#member, AFT_CELL_##kind, G_STRUCT_OFFSET(CellRow, member), FALSE \
    }

static const AftColumn cell_columns[] = {
    OF(TEXT, label),        OF(TEXT, over),          OF(TEXT, phase),    OF(TEXT, occurrence),
    OF(TEXT, metric),       OF(TEXT, unit),          OF(TEXT, mark),     OF(MEASURE, published),
    OF(MEASURE, simulated), OF(MEASURE, half_width), OF(MEASURE, error), OF(MEASURE, least),
    OF(MEASURE, most),      OF(TEXT, verdict),       OF(YES, breach),    OF(TEXT, source),
    OF(TEXT, note),         OF(TEXT, role),          OF(TEXT, left_out),
};

#define FIT_COLUMNS 1 /* the last: that of a fit */

static const AftTable fit_table = {cell_columns, G_N_ELEMENTS(cell_columns), sizeof(CellRow)};
static const AftTable cell_table = {cell_columns, G_N_ELEMENTS(cell_columns) - FIT_COLUMNS,
                                    sizeof(CellRow)};

static void clear_cell_row(gpointer row)
{
    aft_table_clear_row(&fit_table, row);
}

const AftTable *aft_compare_fit_table(void)
{
    return &fit_table;
}

GArray *aft_compare_rows_new(void)
{
    return aft_rows_new(&fit_table, clear_cell_row);
}

static const char *verdict_name(AftVerdict verdict)
{
    static const char *const names[AFT_VERDICTS] = {[AFT_VERDICT_WITHIN] = "within",
                                                    [AFT_VERDICT_OUTSIDE] = "outside",
                                                    [AFT_VERDICT_PREDICTION] = "prediction",
                                                    [AFT_VERDICT_FREE] = "free",
                                                    [AFT_VERDICT_ABSENT] = "absent"};
    return names[verdict];
}

/* How far the side goes from the published value; NaN: there is no end. */
static double reach(const AftSide *side, double value)
{
    return !side->bounded ? (double)NAN : side->relative ? side->amount * value : side->amount;
}

void aft_compare_rows_add(GArray *rows, const AftComparedCell *compared, const char *left_out)
{
    const AftReferenceCell *cell = compared->cell;
    double base = cell->unit_base;
    gboolean whole = cell->metric->whole;
    CellRow row = {
        .label = g_strdup(cell->label),
        .over = g_strdup(cell->over),
        .phase = g_strdup(whole ? "" : aft_phase_name(cell->phase)),
        .occurrence = g_strdup(whole        ? ""
                               : cell->last ? "last"
                                            : "first"),
        .metric = g_strdup(cell->metric->name),
        .unit = g_strdup(cell->unit),
        .mark = g_strdup(isnan(cell->value) ? "open" : aft_mark_name(cell->mark)),
        .published = cell->value / base,
        .simulated = compared->simulated.value / base,
        .half_width = compared->simulated.half_width / base,
        .error = compared->error,
        .least = (cell->value - reach(&cell->tolerance.below, cell->value)) / base,
        .most = (cell->value + reach(&cell->tolerance.above, cell->value)) / base,
        .verdict = g_strdup(verdict_name(compared->verdict)),
        .breach = compared->breach,
        .source = g_strdup(cell->source),
        .note = g_strdup(cell->note),
        .left_out = g_strdup(left_out),
        .role = g_strdup(compared->role),
    };
    g_array_append_val(rows, row);
}

static GArray *cell_rows(const AftComparison *comparison)
{
    GArray *rows = aft_compare_rows_new();
    for (guint i = 0; i < comparison->cells->len; i++) {
        aft_compare_rows_add(rows, &g_array_index(comparison->cells, AftComparedCell, i), "");
    }
    return rows;
}

char *aft_compare_csv(const AftComparison *comparison)
{
    g_autoptr(GArray) rows = cell_rows(comparison);
    return aft_csv_format(&cell_table, rows);
}

static void add_summary(JsonBuilder *json, const AftErrorSummary *summary)
{
    json_builder_begin_object(json);
    json_builder_set_member_name(json, "metric");
    if (summary->metric != NULL) {
        json_builder_add_string_value(json, summary->metric->name);
    } else {
        json_builder_add_null_value(json);
    }
    json_builder_set_member_name(json, "ratio");
    json_builder_add_boolean_value(json, summary->ratio);
    aft_rows_add_text(json, "mark", aft_mark_name(summary->mark));
    json_builder_set_member_name(json, "cells");
    json_builder_add_int_value(json, summary->n);
    aft_rows_add_number(json, "median_error", summary->median);
    aft_rows_add_number(json, "largest_error", summary->largest);
    json_builder_end_object(json);
}

char *aft_compare_json(const AftComparison *comparison, const AftReference *reference)
{
    g_autoptr(GArray) rows = cell_rows(comparison);
    JsonBuilder *json = json_builder_new();
    json_builder_begin_object(json);
    aft_rows_add_text(json, "reference", reference->name);
    aft_rows_add_text(json, "source", reference->source);
    json_builder_set_member_name(json, "breaches");
    json_builder_add_int_value(json, comparison->breaches);
    json_builder_set_member_name(json, "skipped");
    json_builder_add_int_value(json, comparison->skipped);
    aft_rows_add_json(json, "cells", &cell_table, rows);
    json_builder_set_member_name(json, "summaries");
    json_builder_begin_array(json);
    for (guint i = 0; i < comparison->summaries->len; i++) {
        add_summary(json, &g_array_index(comparison->summaries, AftErrorSummary, i));
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
    return aft_rows_json_text(json);
}
