/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/result/columns.h>
#include <aftershock/result/result.h>

#include <math.h>

static const char *const phase_names[AFT_PHASES] = {
    [AFT_PHASE_REBUILD] = "rebuild",     [AFT_PHASE_FAILED] = "failed",
    [AFT_PHASE_REBALANCE] = "rebalance", [AFT_PHASE_CATCHUP] = "catchup",
    [AFT_PHASE_EVACUATE] = "evacuate",   [AFT_PHASE_CONVERT] = "convert",
    [AFT_PHASE_ENCODE] = "encode",       [AFT_PHASE_SCRUB] = "scrub",
    [AFT_PHASE_STEADY] = "steady",
};

const char *aft_phase_name(AftPhase phase)
{
    g_assert(phase < AFT_PHASES);
    return phase_names[phase];
}

gboolean aft_phase_from_name(const char *name, AftPhase *ret_phase)
{
    for (guint i = 0; i < AFT_PHASES; i++) {
        if (g_str_equal(name, phase_names[i])) {
            *ret_phase = (AftPhase)i;
            return TRUE;
        }
    }
    return FALSE;
}

void aft_phase_row_init(AftPhaseRow *row, AftPhase phase)
{
    aft_table_init_row(aft_phase_table(), row);
    row->phase = phase;
}

void aft_trace_row_init(AftTraceRow *row, AftPhase phase)
{
    aft_table_init_row(aft_trace_table(), row);
    row->phase = phase;
}

void aft_event_row_init(AftEventRow *row)
{
    aft_table_init_row(aft_event_table(), row);
}

static void clear_phase_row(gpointer row)
{
    aft_table_clear_row(aft_phase_table(), row);
}

static void clear_event_row(gpointer row)
{
    aft_table_clear_row(aft_event_table(), row);
}

AftResult *aft_result_new(void)
{
    AftResult *result = g_new0(AftResult, 1);
    result->phases = g_array_new(FALSE, FALSE, sizeof(AftPhaseRow));
    result->trace = g_array_new(FALSE, FALSE, sizeof(AftTraceRow));
    result->timeline = g_array_new(FALSE, FALSE, sizeof(AftEventRow));
    g_array_set_clear_func(result->phases, clear_phase_row);
    g_array_set_clear_func(result->timeline, clear_event_row);
    result->loss.first_s = (double)NAN;
    return result;
}

void aft_result_free(AftResult *result)
{
    if (result == NULL) {
        return;
    }
    g_array_unref(result->phases);
    g_array_unref(result->trace);
    g_array_unref(result->timeline);
    g_free(result->scenario);
    g_free(result->label);
    g_free(result->scenario_sha256);
    g_free(result->version);
    g_free(result->fidelity);
    g_free(result->requirement);
    g_free(result);
}
