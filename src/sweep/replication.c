/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/sweep/replication.h>

#define COLUMN(kind, member)                                                                 \
    {                                                                                        \
        G_STRINGIFY(member), AFT_CELL_##kind, G_STRUCT_OFFSET(AftReplication, member), FALSE \
    }

static const AftColumn columns[] = {
    COLUMN(COUNT, seed),          COLUMN(TEXT, scenario_sha256), COLUMN(TEXT, failure),
    COLUMN(SECONDS, duration_s),  COLUMN(SECONDS, missed_s),     COLUMN(TEXT, requirement),
    COLUMN(YES, saturated),       COLUMN(WHOLE, lost_pgs),       COLUMN(WHOLE, lost_bytes),
    COLUMN(SECONDS, simulated_s), COLUMN(COUNT, simulated_ios),  COLUMN(COUNT, events),
};

static const AftTable table = {columns, G_N_ELEMENTS(columns), sizeof(AftReplication)};

const AftTable *aft_replication_table(void)
{
    return &table;
}

static AftReplication *new_row(guint point, guint replication)
{
    AftReplication *row = g_new0(AftReplication, 1);
    aft_table_init_row(&table, row);
    row->point = point;
    row->replication = replication;
    g_clear_pointer(&row->failure, g_free);
    return row;
}

static void set_text(char **member, const char *text)
{
    g_free(*member);
    *member = g_strdup(text);
}

static gboolean has_flag(const AftPhaseRow *phase, const char *flag)
{
    g_auto(GStrv) flags = g_strsplit(phase->flags != NULL ? phase->flags : "", "+", -1);
    return g_strv_contains((const char *const *)flags, flag);
}

gboolean aft_replication_is_saturated(const AftPhaseRow *phase)
{
    return has_flag(phase, "owed") || has_flag(phase, "unbounded") || phase->shed_ios > 0.0;
}

static void take_phases(AftReplication *row, const AftResult *result)
{
    row->phases = g_array_ref(result->phases);
    for (guint i = 0; i < row->phases->len; i++) {
        const AftPhaseRow *phase = &g_array_index(row->phases, AftPhaseRow, i);
        row->saturated |= aft_replication_is_saturated(phase);
        row->duration_s = phase->start_s + phase->duration_s;
    }
}

AftReplication *aft_replication_new(guint point, guint replication, AftResult *result)
{
    AftReplication *row = new_row(point, replication);
    row->seed = result->seed;
    set_text(&row->scenario_sha256, result->scenario_sha256);
    row->missed_s = result->missed_s;
    set_text(&row->requirement, result->requirement);
    row->lost_pgs = result->loss.lost_pgs;
    row->lost_bytes = result->loss.lost_bytes;
    row->simulated_s = result->simulated_s;
    row->simulated_ios = result->simulated_ios;
    row->events = result->events;
    take_phases(row, result);
    aft_result_free(result);
    return row;
}

static void clear_phase(gpointer data)
{
    aft_table_clear_row(aft_phase_table(), data);
}

AftReplication *aft_replication_new_failed(guint point, guint replication, guint64 seed,
                                           const char *scenario_sha256, const char *failure)
{
    AftReplication *row = new_row(point, replication);
    row->seed = seed;
    set_text(&row->scenario_sha256, scenario_sha256);
    set_text(&row->failure, failure);
    row->phases = g_array_new(FALSE, FALSE, sizeof(AftPhaseRow));
    g_array_set_clear_func(row->phases, clear_phase);
    return row;
}

void aft_replication_free(AftReplication *replication)
{
    if (replication != NULL) {
        g_array_unref(replication->phases);
        aft_table_clear_row(&table, replication);
        g_free(replication);
    }
}
