/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "phase_shares.h"

#include "human.h"

#include <math.h>

#define MOST_DECIMALS 6

enum { PHASE, TIMES, SHARE, EACH, IOPS, READ, READ_P99, WRITE, WRITE_P99, MET, COLUMNS };

static const AftGridColumn columns[COLUMNS] = {
    [PHASE] = {NULL, "phase", FALSE, FALSE},
    [TIMES] = {NULL, "times", TRUE, FALSE},
    [SHARE] = {NULL, "of time", TRUE, FALSE},
    [EACH] = {NULL, "each", TRUE, FALSE},
    [IOPS] = {NULL, "IOPS", TRUE, FALSE},
    [READ] = {"read, ms", "mean", TRUE, FALSE},
    [READ_P99] = {"read, ms", "p99", TRUE, FALSE},
    [WRITE] = {"write, ms", "mean", TRUE, FALSE},
    [WRITE_P99] = {"write, ms", "p99", TRUE, FALSE},
    [MET] = {NULL, "met", TRUE, FALSE},
};

char *aft_phase_shares_met(double share)
{
    if (isnan(share)) {
        return g_strdup("");
    }
    double digits = share < 1.0 ? ceil(-log10(1.0 - share)) - 1.0 : 0.0;
    char format[8], text[G_ASCII_DTOSTR_BUF_SIZE];
    g_snprintf(format, sizeof format, "%%.%df", (int)CLAMP(digits, 0.0, MOST_DECIMALS));
    g_ascii_formatd(text, sizeof text, format, 100.0 * MAX(share, 0.0));
    return g_strdup_printf("%s %%", text);
}

static char *latency_text(double ms)
{
    return aft_human_number(ms, ms < 0.1 ? 3 : ms < 100.0 ? 2 : 1);
}

static char *cell_text(guint column, const AftPhaseShare *line)
{
    const AftGathered *it = &line->of;
    const AftPhaseRow *row = &it->row;
    gboolean all = line->phase == AFT_WHOLE_RUN;
    switch (column) {
    case PHASE:
        return g_strdup(all ? "all" : aft_phase_name((AftPhase)line->phase));
    case TIMES:
        return aft_human_number(it->occurrences, 0);
    case SHARE:
        return aft_human_share(it->share);
    case EACH:
        return all ? g_strdup("") : aft_human_duration(row->duration_s / it->occurrences);
    case IOPS:
        return aft_human_number(row->iops, row->iops < 100.0 ? 1 : 0);
    case READ:
        return latency_text(row->read_mean_ms);
    case READ_P99:
        return latency_text(row->read_p99_ms);
    case WRITE:
        return latency_text(row->write_mean_ms);
    case WRITE_P99:
        return latency_text(row->write_p99_ms);
    default:
        return aft_phase_shares_met(it->met_share);
    }
}

static AftTint cell_tint(guint column, const AftGathered *it)
{
    return column == PHASE          ? AFT_TINT_STRONG
           : column != MET          ? AFT_TINT_NONE
           : it->row.missed_s > 0.0 ? AFT_TINT_BAD
                                    : AFT_TINT_GOOD;
}

/* By where the phase occurred first; all of them last. */
static int compare(gconstpointer a, gconstpointer b)
{
    const AftPhaseShare *x = a, *y = b;
    gboolean whole = x->phase == AFT_WHOLE_RUN || y->phase == AFT_WHOLE_RUN;
    return whole
               ? (x->phase > y->phase) - (x->phase < y->phase)
               : (x->of.row.start_s > y->of.row.start_s) - (x->of.row.start_s < y->of.row.start_s);
}

GArray *aft_phase_shares(const GArray *phases)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(AftPhaseShare));
    for (guint phase = 0; phase <= AFT_WHOLE_RUN; phase++) {
        AftPhaseShare line = {phase, aft_gather(phases, phase)};
        if (line.of.occurrences > 0) {
            g_array_append_val(lines, line);
        }
    }
    g_array_sort(lines, compare);
    return lines;
}

AftGrid *aft_phase_shares_grid(const AftResult *result, gboolean utf8)
{
    g_autoptr(GArray) lines = aft_phase_shares(result->phases);
    AftGrid *grid = aft_grid_new(utf8);
    for (guint column = 0; column < COLUMNS; column++) {
        aft_grid_add_column(grid, &columns[column]);
        for (guint i = 0; i < lines->len; i++) {
            const AftPhaseShare *line = &g_array_index(lines, AftPhaseShare, i);
            g_autofree char *text = cell_text(column, line);
            aft_grid_add_cell(grid, text, cell_tint(column, &line->of));
        }
    }
    return grid;
}
