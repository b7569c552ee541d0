/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line.h"
#include "spill.h"

#include <aftershock/sweep/tables.h>
#include <aftershock/sweep/yields.h>

#include <math.h>
#include <string.h>

/* In how many replications a phase occurred, and what happened in it. */
typedef struct {
    guint occurred, judged, missed, saturated, lost;
} Odds;

/* A point as it is looked at. */
typedef struct {
    Odds odds[AFT_YIELD_PHASES];
    AftSpill *values;    /* replications that did not fail; columns by phase, then yield */
    double *row, *scale; /* of a replication; of each yield */
} Look;

static Odds odds_in(const AftReplication *row, guint phase)
{
    Odds odds = {0};
    for (guint i = 0; i < row->phases->len; i++) {
        const AftPhaseRow *it = &g_array_index(row->phases, AftPhaseRow, i);
        if (phase == AFT_WHOLE_RUN || it->phase == (AftPhase)phase) {
            gboolean judged = *it->requirement != '\0';
            odds.occurred = 1;
            odds.judged |= judged ? 1U : 0U;
            odds.missed |= judged && strcmp(it->requirement, "met") != 0 ? 1U : 0U;
            odds.saturated |= aft_replication_is_saturated(it) ? 1U : 0U;
            odds.lost |= it->lost_pgs > 0.0 ? 1U : 0U;
        }
    }
    return odds;
}

static void count(Odds *sum, Odds odds)
{
    sum->occurred += odds.occurred;
    sum->judged += odds.judged;
    sum->missed += odds.missed;
    sum->saturated += odds.saturated;
    sum->lost += odds.lost;
}

static gboolean collect(const AftReplication *row, gpointer data, GError **error)
{
    Look *look = data;
    if (row->failure != NULL) {
        return TRUE;
    }
    for (guint phase = 0, column = 0; phase < AFT_YIELD_PHASES; phase++) {
        AftGathered gathered = aft_gather(row->phases, phase);
        count(&look->odds[phase], odds_in(row, phase));
        for (guint yield = 0; yield < aft_yields_n(); yield++) {
            look->row[column++] = aft_yield_of(yield, &gathered) / look->scale[yield];
        }
    }
    return aft_spill_add(look->values, look->row, error);
}

static double share(guint part, guint whole)
{
    return whole > 0 ? (double)part / whole : (double)NAN;
}

typedef struct {
    FILE *out;
    GString *line;
    char **axes;
    guint n_axes;
    Look look;
} Writer;

static gboolean write_yield(Writer *writer, guint point, const Odds *odds, guint phase, guint yield,
                            const AftSpreadOf *spread, GError **error)
{
    GString *line = writer->line;
    aft_line_count(line, point);
    aft_line_axes(line, (const char *const *)writer->axes, writer->n_axes);
    aft_line_text(line, aft_yield_phase_name(phase));
    aft_line_text(line, aft_yield_name(yield));
    aft_line_count(line, spread->n);
    const double numbers[] = {spread->mean,
                              spread->ci,
                              spread->p5,
                              spread->p50,
                              spread->p95,
                              share(odds->missed, odds->judged),
                              share(odds->saturated, odds->occurred),
                              share(odds->lost, odds->occurred)};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
        aft_line_number(line, numbers[i]);
    }
    aft_line_text(line, aft_yield_unit(yield));
    return aft_line_end(line, writer->out, error);
}

/* @values is room for those of all replications. */
static gboolean write_phase(Writer *writer, guint point, guint phase, double *values,
                            GError **error)
{
    const Look *look = &writer->look;
    gboolean fine = TRUE;
    for (guint yield = 0; fine && yield < aft_yields_n(); yield++) {
        fine = aft_spill_read(look->values, phase * aft_yields_n() + yield, values, error);
        AftSpreadOf spread = aft_spread_of(values, fine ? aft_spill_rows(look->values) : 0);
        fine = fine && (spread.n == 0 || write_yield(writer, point, &look->odds[phase], phase,
                                                     yield, &spread, error));
    }
    return fine;
}

static gboolean write_point(Writer *writer, AftStore *store, guint point, GError **error)
{
    Look *look = &writer->look;
    memset(look->odds, 0, sizeof(look->odds));
    aft_spill_clear(look->values);
    g_auto(GStrv) axes = aft_store_point(store, point);
    writer->axes = axes;
    gboolean fine = aft_store_each(store, point, collect, look, error);
    g_autofree double *values = g_new(double, aft_spill_rows(look->values));
    for (guint phase = 0; fine && phase < AFT_YIELD_PHASES; phase++) {
        fine = look->odds[phase].occurred == 0 || write_phase(writer, point, phase, values, error);
    }
    writer->axes = NULL;
    return fine;
}

static const char *const columns[] = {"phase",
                                      "metric",
                                      "n",
                                      "mean",
                                      "ci",
                                      "p5",
                                      "p50",
                                      "p95",
                                      "miss_probability",
                                      "saturated_probability",
                                      "loss_probability",
                                      "unit"};

static gboolean write_header(Writer *writer, const char *const *axes, GError **error)
{
    g_string_assign(writer->line, "point");
    aft_line_axis_names(writer->line, axes);
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        aft_line_text(writer->line, columns[i]);
    }
    return aft_line_end(writer->line, writer->out, error);
}

gboolean aft_tables_points(AftStore *store, FILE *out, GError **error)
{
    g_autoptr(GString) line = g_string_new(NULL);
    g_auto(GStrv) axes = aft_line_axes_of(store);
    guint n = aft_yields_n();
    g_autoptr(AftSpill) values = aft_spill_new(AFT_YIELD_PHASES * n);
    g_autofree double *row = g_new(double, n *(gsize)AFT_YIELD_PHASES);
    g_autofree double *scale = g_new(double, n);
    for (guint yield = 0; yield < n; yield++) {
        scale[yield] = aft_yield_scale(yield);
    }
    Writer writer = {.out = out,
                     .line = line,
                     .n_axes = g_strv_length(axes),
                     .look = {.values = values, .row = row, .scale = scale}};
    gboolean fine = write_header(&writer, (const char *const *)axes, error);
    for (guint point = 0; fine && point < aft_store_identity(store)->points; point++) {
        fine = write_point(&writer, store, point, error);
    }
    return fine;
}
