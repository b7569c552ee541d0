/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "grid.h"
#include "human.h"
#include "lines.h"
#include "rows.h"

#include <aftershock/report/failures.h>
#include <aftershock/result/csv.h>

#include <math.h>

enum { PART, MISSED, REBUILD, PHASE, IOPS, MEAN, READ, WRITE, LOST, COLUMNS };

static const AftGridColumn columns[COLUMNS] = {
    [PART] = {NULL, "fails", FALSE, FALSE},
    [MISSED] = {"requirement", "missed for", TRUE, FALSE},
    [REBUILD] = {NULL, "rebuild", TRUE, FALSE},
    [PHASE] = {"worst phase", "", FALSE, FALSE},
    [IOPS] = {"worst phase", "IOPS", TRUE, FALSE},
    [MEAN] = {"worst phase", "mean, ms", TRUE, FALSE},
    [READ] = {"worst phase", "read", TRUE, FALSE},
    [WRITE] = {"worst phase", "write", TRUE, FALSE},
    [LOST] = {NULL, "data lost", TRUE, FALSE},
};

static char *latency(double ms)
{
    return isinf(ms) ? g_strdup("no I/O") : aft_human_number(ms, aft_human_decimals(ms));
}

static char *cell_text(guint column, const AftPartFailure *row)
{
    switch (column) {
    case PART:
        return g_strdup(row->part);
    case MISSED:
        return aft_human_duration(row->missed_s);
    case REBUILD:
        return aft_human_duration(row->rebuild_s);
    case PHASE:
        return g_strdup(row->phase);
    case IOPS:
        return aft_human_number(row->iops, row->iops < 100.0 ? 1 : 0);
    case MEAN:
        return latency(row->mean_ms);
    case READ:
        return latency(row->read_mean_ms);
    case WRITE:
        return latency(row->write_mean_ms);
    default:
        return row->lost_bytes > 0.0 ? aft_human_bytes(row->lost_bytes) : g_strdup("");
    }
}

static AftTint tint_of(guint column, const AftPartFailure *row)
{
    switch (column) {
    case PART:
        return AFT_TINT_STRONG;
    case MISSED:
        return row->missed_s > 0.0 ? AFT_TINT_BAD : AFT_TINT_GOOD;
    case LOST:
        return AFT_TINT_BAD;
    default:
        return AFT_TINT_NONE;
    }
}

static AftGrid *lay_out(const GArray *rows, guint n, gboolean utf8)
{
    AftGrid *grid = aft_grid_new(utf8);
    for (guint column = 0; column < COLUMNS; column++) {
        aft_grid_add_column(grid, &columns[column]);
        for (guint i = 0; i < n; i++) {
            const AftPartFailure *row = &g_array_index(rows, AftPartFailure, i);
            g_autofree char *text = cell_text(column, row);
            aft_grid_add_cell(grid, text, tint_of(column, row));
        }
    }
    return grid;
}

char *aft_failures_text(const GArray *rows, guint most, const AftTextStyle *style)
{
    GString *out = g_string_new(NULL);
    guint n = MIN(rows->len, most);
    g_autoptr(AftGrid) grid = lay_out(rows, n, style->utf8);
    if (n == 0) {
        g_string_append(out, "No run came to its end.\n");
    } else {
        aft_grid_append_text(grid, out, style->colour);
    }
    if (n < rows->len) {
        g_string_append_printf(out, "and %u more that are no worse\n", rows->len - n);
    }
    for (guint i = 0; i < rows->len; i++) {
        const AftPartFailure *row = &g_array_index(rows, AftPartFailure, i);
        if (*row->failure != '\0') {
            g_autofree char *text = g_strdup_printf("%s: %s", row->part, row->failure);
            aft_lines_append(out, "no result", text, AFT_TINT_BAD, style);
        }
    }
    return g_string_free(out, FALSE);
}

char *aft_failures_markdown(const GArray *rows)
{
    GString *out = g_string_new(NULL);
    g_autoptr(AftGrid) grid = lay_out(rows, rows->len, TRUE);
    aft_grid_append_markdown(grid, out);
    return g_string_free(out, FALSE);
}

char *aft_failures_csv(const GArray *rows)
{
    return aft_csv_format(aft_part_failure_table(), rows);
}

char *aft_failures_json(const GArray *rows)
{
    JsonBuilder *json = json_builder_new();
    json_builder_begin_object(json);
    aft_rows_add_json(json, "failures", aft_part_failure_table(), rows);
    json_builder_end_object(json);
    return aft_rows_json_text(json);
}
