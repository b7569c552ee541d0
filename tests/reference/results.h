/* SPDX-License-Identifier: GPL-3.0-or-later */
/* results.h - results and cells for tests, made by hand. */
#pragma once

#include "test.h"

#include <aftershock/reference/reference.h>

/** Appends a phase of @result with its IOPS, mean read latency and half of their intervals.
 *  Returns: (transfer none): the row, until the next is added. */
static inline AftPhaseRow *add_phase(AftResult *result, AftPhase phase, double iops, double iops_ci,
                                     double read_ms, double read_ci_ms)
{
    AftPhaseRow row;
    aft_phase_row_init(&row, phase);
    row.iops = iops;
    row.iops_ci = iops_ci;
    row.read_mean_ms = read_ms;
    row.read_mean_ci_ms = read_ci_ms;
    g_array_append_val(result->phases, row);
    return &g_array_index(result->phases, AftPhaseRow, result->phases->len - 1);
}

/** Returns: (transfer full): a result called @label without phases. */
static inline AftResult *labelled(const char *label)
{
    AftResult *result = aft_result_new();
    g_free(result->label);
    result->label = g_strdup(label);
    return result;
}

/** Appends a stated cell of @reference without tolerance; @value in base units.
 *  Returns: (transfer none). */
static inline AftReferenceCell *add_cell(AftReference *reference, const char *label, AftPhase phase,
                                         const char *metric, double value)
{
    AftReferenceCell *cell = aft_reference_cell_new();
    cell->label = g_strdup(label);
    cell->phase = phase;
    cell->metric = aft_metric_find(metric);
    cell->value = value;
    cell->unit = g_strdup("1");
    cell->source = g_strdup("the test");
    assert_non_null(cell->metric);
    g_ptr_array_add(reference->cells, cell);
    return cell;
}

/** "5 %" to both sides. */
static inline AftTolerance within_share(double share)
{
    return (AftTolerance){{TRUE, TRUE, share}, {TRUE, TRUE, share}};
}
