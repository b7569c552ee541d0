/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/result/columns.h>
#include <aftershock/result/result.h>

#include <math.h>
#include <string.h>

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

static void clear_phase_row(gpointer row)
{
    aft_table_clear_row(aft_phase_table(), row);
}

static void clear_event_row(gpointer row)
{
    aft_table_clear_row(aft_event_table(), row);
}

double aft_result_end_s(const AftResult *result)
{
    double end_s = 0.0;
    for (guint i = 0; i < result->phases->len; i++) {
        const AftPhaseRow *row = &g_array_index(result->phases, AftPhaseRow, i);
        end_s = fmax(end_s, row->start_s + row->duration_s);
    }
    const GArray *trace = result->trace;
    return trace->len > 0 ? fmax(end_s, g_array_index(trace, AftTraceRow, trace->len - 1).time_s)
                          : end_s;
}

double aft_result_interval_end_s(const AftResult *result, guint row)
{
    const GArray *trace = result->trace;
    return row + 1 < trace->len ? g_array_index(trace, AftTraceRow, row + 1).time_s
                                : aft_result_end_s(result);
}

const char *aft_undone_name(AftUndone undone)
{
    static const char *const names[] = {"refused", "skipped", "unfinished"};
    g_assert(undone < G_N_ELEMENTS(names));
    return names[undone];
}

AftUndone aft_event_undone(const char *event)
{
    const char *dash = strrchr(event, '-');
    for (AftUndone undone = 0; dash != NULL && undone < AFT_UNDONE_KINDS; undone++) {
        if (g_str_equal(dash + 1, aft_undone_name(undone))) {
            return undone;
        }
    }
    return AFT_UNDONE_KINDS;
}

AftResult *aft_result_new(void)
{
    AftResult *result = g_new0(AftResult, 1);
    result->phases = g_array_new(FALSE, FALSE, sizeof(AftPhaseRow));
    result->trace = g_array_new(FALSE, FALSE, sizeof(AftTraceRow));
    result->timeline = g_array_new(FALSE, FALSE, sizeof(AftEventRow));
    result->latency = g_array_new(FALSE, FALSE, sizeof(AftLatencyRow));
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
    g_array_unref(result->latency);
    g_free(result->scenario);
    g_free(result->label);
    g_free(result->scenario_sha256);
    g_free(result->version);
    g_free(result->fidelity);
    g_free(result->requirement);
    g_free(result);
}
