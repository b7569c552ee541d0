/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/sweep/figures.h>

#include <aftershock/base/error.h>
#include <aftershock/scenario/nearest.h>

#include <math.h>
#include <string.h>

/* What several occurrences of a phase come to. */
typedef enum {
    FIRST,
    LAST,
    SUM,
    BY_TIME, /* a mean, weighted by how long each lasted */
    BY_READS,
    BY_WRITES
} Together;

typedef struct {
    const char *name;
    gsize offset;
    Together together;
} Figure;

#define FIGURE(member, together)                                            \
    {                                                                       \
        G_STRINGIFY(member), G_STRUCT_OFFSET(AftPhaseRow, member), together \
    }

static const Figure figures[] = {
    FIGURE(start_s, FIRST),
    FIGURE(duration_s, SUM),
    FIGURE(missed_s, SUM),
    FIGURE(iops, BY_TIME),
    FIGURE(read_iops, BY_TIME),
    FIGURE(write_iops, BY_TIME),
    FIGURE(read_mean_ms, BY_READS),
    FIGURE(read_p50_ms, BY_READS),
    FIGURE(read_p95_ms, BY_READS),
    FIGURE(read_p99_ms, BY_READS),
    FIGURE(read_p995_ms, BY_READS),
    FIGURE(write_mean_ms, BY_WRITES),
    FIGURE(write_p50_ms, BY_WRITES),
    FIGURE(write_p95_ms, BY_WRITES),
    FIGURE(write_p99_ms, BY_WRITES),
    FIGURE(write_p995_ms, BY_WRITES),
    FIGURE(read_response_mean_ms, BY_READS),
    FIGURE(write_response_mean_ms, BY_WRITES),
    FIGURE(read_mb_per_s, BY_TIME),
    FIGURE(write_mb_per_s, BY_TIME),
    FIGURE(owed_ios_end, LAST),
    FIGURE(shed_ios, SUM),
    FIGURE(rebuild_bytes, SUM),
    FIGURE(rebalance_bytes, SUM),
    FIGURE(convert_bytes, SUM),
    FIGURE(encode_bytes, SUM),
    FIGURE(destage_bytes, SUM),
    FIGURE(scrub_bytes, SUM),
    FIGURE(controller_util, BY_TIME),
    FIGURE(nic_util, BY_TIME),
    FIGURE(cache_util, BY_TIME),
    FIGURE(capacity_util, BY_TIME),
    FIGURE(lost_pgs, LAST),
};

const char *aft_figure_phase_name(guint phase)
{
    return phase == AFT_WHOLE_RUN ? "all" : aft_phase_name((AftPhase)phase);
}

guint aft_figures_n(void)
{
    return G_N_ELEMENTS(figures);
}

const char *aft_figure_name(guint figure)
{
    return figures[figure].name;
}

static gboolean find_phase(const char *name, guint *ret_phase)
{
    for (guint phase = 0; phase < AFT_FIGURE_PHASES; phase++) {
        if (g_str_equal(aft_figure_phase_name(phase), name)) {
            *ret_phase = phase;
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean find_column(const char *name, guint *ret_figure)
{
    for (guint figure = 0; figure < G_N_ELEMENTS(figures); figure++) {
        if (g_str_equal(figures[figure].name, name)) {
            *ret_figure = figure;
            return TRUE;
        }
    }
    return FALSE;
}

/* The column most like @name. Returns: (transfer none) (nullable). */
static const char *nearest_column(const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint figure = 0; figure < G_N_ELEMENTS(figures); figure++) {
        g_ptr_array_add(names, (gpointer)figures[figure].name);
    }
    return aft_nearest(name, (const char *const *)names->pdata, names->len);
}

gboolean aft_figure_find(const char *text, guint *ret_phase, guint *ret_figure, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "/", 2);
    gboolean both = g_strv_length(parts) == 2;
    if (!both || !find_phase(parts[0], ret_phase)) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_UNKNOWN,
                    "expected PHASE/COLUMN as phases.csv has them, or all/COLUMN, like "
                    "rebuild/duration_s, got \"%s\"",
                    text);
        return FALSE;
    }
    if (!find_column(parts[1], ret_figure)) {
        const char *nearest = nearest_column(parts[1]);
        g_set_error(error, AFT_ERROR, AFT_ERROR_UNKNOWN,
                    "no column \"%s\" that sweeps sum up%s%s%s", parts[1],
                    nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                    nearest != NULL ? "?" : "");
        return FALSE;
    }
    return TRUE;
}

static gboolean is_of(const AftPhaseRow *row, guint phase)
{
    return phase == AFT_WHOLE_RUN || row->phase == (AftPhase)phase;
}

static double weight(const AftPhaseRow *row, Together together)
{
    double per_s = together == BY_READS    ? row->read_iops
                   : together == BY_WRITES ? row->write_iops
                                           : 1.0;
    return row->duration_s * per_s;
}

/* The sum of a figure so far, and of its weights. */
typedef struct {
    double sum, weights;
} Sum;

static void add(Sum *sum, const Figure *figure, const AftPhaseRow *row)
{
    double value = G_STRUCT_MEMBER(double, row, figure->offset);
    double by = figure->together <= SUM ? 1.0 : weight(row, figure->together);
    if (isnan(value) || !(by > 0.0) || (figure->together == FIRST && sum->weights > 0.0)) {
        return;
    }
    if (figure->together == LAST) {
        *sum = (Sum){0};
    }
    sum->sum += value * by;
    sum->weights += by;
}

double aft_figure_read(guint figure, const AftReplication *row, guint phase)
{
    Sum sum = {0};
    for (guint i = 0; i < row->phases->len; i++) {
        const AftPhaseRow *occurrence = &g_array_index(row->phases, AftPhaseRow, i);
        if (is_of(occurrence, phase)) {
            add(&sum, &figures[figure], occurrence);
        }
    }
    double divisor = figures[figure].together <= SUM ? 1.0 : sum.weights;
    return sum.weights > 0.0 ? sum.sum / divisor : (double)NAN;
}

guint aft_figure_occurrences(const AftReplication *row, guint phase)
{
    guint n = 0;
    for (guint i = 0; i < row->phases->len; i++) {
        n += is_of(&g_array_index(row->phases, AftPhaseRow, i), phase) ? 1 : 0;
    }
    return n;
}
