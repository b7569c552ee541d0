/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "human.h"
#include "lines.h"
#include "rows.h"

#include <aftershock/report/compare.h>
#include <aftershock/result/csv.h>

#include <math.h>

/* A figure of two runs, in its usual unit. */
typedef struct {
    char *phase, *metric, *unit;
    guint64 occurrence;
    double before, before_half_width, after, after_half_width, change;
    gboolean known, differs;
} Row;

#define OF(kind, member)                                              \
    {                                                                 \
#member, AFT_CELL_##kind, G_STRUCT_OFFSET(Row, member), FALSE \
    }

static const AftColumn columns[] = {
    OF(TEXT, phase),     OF(COUNT, occurrence),
    OF(TEXT, metric),    OF(TEXT, unit),
    OF(MEASURE, before), OF(MEASURE, before_half_width),
    OF(MEASURE, after),  OF(MEASURE, after_half_width),
    OF(MEASURE, change), OF(YES, known),
    OF(YES, differs),
};

static const AftTable table = {columns, G_N_ELEMENTS(columns), sizeof(Row)};

static void clear_row(gpointer row)
{
    aft_table_clear_row(&table, row);
}

/* What 1 of the usual unit is. */
static double base_of(const AftMetric *metric)
{
    double base = 1.0;
    g_autofree char *one = g_strconcat("1 ", aft_metric_unit(metric), NULL);
    aft_units_parse(metric->unit, one, &base, NULL);
    return base;
}

static Row row_of(const AftDifference *difference)
{
    const AftMetric *metric = difference->metric;
    double base = base_of(metric);
    return (Row){
        .phase = g_strdup(metric->whole ? "" : aft_phase_name(difference->phase)),
        .metric = g_strdup(metric->name),
        .unit = g_strdup(aft_metric_unit(metric)),
        .occurrence = difference->occurrence,
        .before = difference->before.value / base,
        .before_half_width = difference->before.half_width / base,
        .after = difference->after.value / base,
        .after_half_width = difference->after.half_width / base,
        .change = difference->change,
        .known = difference->known,
        .differs = difference->differs,
    };
}

/* What a text shows: @brief. */
static gboolean matters(const AftMetric *metric)
{
    static const char *const names[] = {"iops",      "read_mean", "read_p99", "write_mean",
                                        "write_p99", "minutes",   NULL};
    return g_strv_contains(names, metric->name);
}

static GArray *rows_of(const AftRunComparison *comparison, gboolean brief)
{
    GArray *rows = aft_rows_new(&table, clear_row);
    for (guint i = 0; i < comparison->differences->len; i++) {
        const AftDifference *difference = &g_array_index(comparison->differences, AftDifference, i);
        if (!brief || matters(difference->metric)) {
            Row row = row_of(difference);
            g_array_append_val(rows, row);
        }
    }
    return rows;
}

typedef enum { PHASE, FIGURE, BEFORE, BEFORE_CI, AFTER, AFTER_CI, CHANGE, VERDICT, KINDS } Kind;

static char *cell_text(Kind kind, const Row *row)
{
    guint decimals = aft_human_decimals(fmin(row->before, row->after));
    switch (kind) {
    case PHASE:
        return row->occurrence > 1 ? g_strdup_printf("%s (%u)", row->phase, (guint)row->occurrence)
                                   : g_strdup(row->phase);
    case FIGURE:
        return g_strdup_printf("%s, %s", row->metric, row->unit);
    case BEFORE:
        return aft_human_number(row->before, decimals);
    case BEFORE_CI:
        return aft_human_interval(row->before_half_width, decimals);
    case AFTER:
        return aft_human_number(row->after, decimals);
    case AFTER_CI:
        return aft_human_interval(row->after_half_width, decimals);
    case CHANGE:
        return aft_human_change(row->change);
    default:
        return g_strdup(row->differs ? "changed" : row->known ? "" : "no interval");
    }
}

static AftGrid *lay_out(const GArray *rows, const char *before, const char *after, gboolean utf8)
{
    const AftGridColumn titles[KINDS] = {
        {NULL, "phase", FALSE, FALSE}, {NULL, "figure", FALSE, FALSE},  {NULL, before, TRUE, FALSE},
        {NULL, "", FALSE, TRUE},       {NULL, after, TRUE, FALSE},      {NULL, "", FALSE, TRUE},
        {NULL, "change", TRUE, FALSE}, {NULL, "verdict", FALSE, FALSE},
    };
    AftGrid *grid = aft_grid_new(utf8);
    for (guint c = 0; c < KINDS; c++) {
        aft_grid_add_column(grid, &titles[c]);
        for (guint r = 0; r < rows->len; r++) {
            const Row *row = &g_array_index(rows, Row, r);
            g_autofree char *text = cell_text((Kind)c, row);
            aft_grid_add_cell(grid, text,
                              c == PHASE                     ? AFT_TINT_STRONG
                              : c == VERDICT && row->differs ? AFT_TINT_NOTICE
                                                             : AFT_TINT_NONE);
        }
    }
    return grid;
}

/* "3 of 24 figures with intervals changed, by more than these make of chance" */
static char *changes_text(const AftRunComparison *comparison)
{
    guint known = 0, differ = 0;
    for (guint i = 0; i < comparison->differences->len; i++) {
        const AftDifference *difference = &g_array_index(comparison->differences, AftDifference, i);
        known += difference->known ? 1 : 0;
        differ += difference->differs ? 1 : 0;
    }
    return g_strdup_printf("%u of all %u figures with intervals, by more than these make of chance",
                           differ, known);
}

char *aft_runs_text(const AftRunComparison *comparison, const char *before, const char *after,
                    const AftTextStyle *style)
{
    GString *out = g_string_new(NULL);
    g_autofree char *title = g_strdup_printf("%s against %s", after, before);
    g_autofree char *changes = changes_text(comparison);
    g_autoptr(GArray) rows = rows_of(comparison, TRUE);
    g_autoptr(AftGrid) grid = lay_out(rows, before, after, style->utf8);
    aft_lines_append_headline(out, title, "", style);
    if (rows->len > 0) {
        aft_grid_append_text(grid, out, style->colour);
    }
    g_string_append_c(out, '\n');
    aft_lines_append(out, "changed", changes, AFT_TINT_NONE, style);
    if (!g_str_equal(comparison->phases_before, comparison->phases_after)) {
        aft_lines_append(out, "phases", comparison->phases_before, AFT_TINT_NOTICE, style);
        aft_lines_append(out, "now", comparison->phases_after, AFT_TINT_NOTICE, style);
    }
    return g_string_free(out, FALSE);
}

char *aft_runs_markdown(const AftRunComparison *comparison, const char *before, const char *after)
{
    GString *out = g_string_new(NULL);
    g_autofree char *changes = changes_text(comparison);
    g_autoptr(GArray) rows = rows_of(comparison, TRUE);
    g_autoptr(AftGrid) grid = lay_out(rows, before, after, TRUE);
    g_string_append_printf(out, "### %s against %s\n\n", after, before);
    if (rows->len > 0) {
        aft_grid_append_markdown(grid, out);
        g_string_append_c(out, '\n');
    }
    g_string_append_printf(out, "- **changed**: %s\n- **phases**: %s\n- **now**: %s\n", changes,
                           comparison->phases_before, comparison->phases_after);
    return g_string_free(out, FALSE);
}

char *aft_runs_csv(const AftRunComparison *comparison)
{
    g_autoptr(GArray) rows = rows_of(comparison, FALSE);
    return aft_csv_format(&table, rows);
}

char *aft_runs_json(const AftRunComparison *comparison, const char *before, const char *after)
{
    g_autoptr(GArray) rows = rows_of(comparison, FALSE);
    JsonBuilder *json = json_builder_new();
    json_builder_begin_object(json);
    aft_rows_add_text(json, "before", before);
    aft_rows_add_text(json, "after", after);
    aft_rows_add_text(json, "phases_before", comparison->phases_before);
    aft_rows_add_text(json, "phases_after", comparison->phases_after);
    aft_rows_add_json(json, "differences", &table, rows);
    json_builder_end_object(json);
    return aft_rows_json_text(json);
}
