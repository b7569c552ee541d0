/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line.h"

#include <aftershock/sweep/tables.h>
#include <aftershock/sweep/yields.h>

#include <math.h>
#include <string.h>

#define MOST_VALUES 262144 /* held at once: 2 MB */

/* In how many replications a phase occurred, and what happened in it. */
typedef struct {
    guint occurred, judged, missed, saturated, lost;
} Odds;

/* A point as it is looked at: first for odds, then for some yields at a time. */
typedef struct {
    guint n; /* replications that did not fail */
    Odds odds[AFT_YIELD_PHASES];
    guint first, end; /* yields of this pass */
    GArray *values;   /* double, of yields of phases that occurred, of replications */
} Look;

/* How many of the phases before @end occurred. */
static guint occurring(const Look *look, guint end)
{
    guint n = 0;
    for (guint phase = 0; phase < end; phase++) {
        n += look->odds[phase].occurred > 0 ? 1 : 0;
    }
    return n;
}

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

static gboolean count(const AftReplication *row, gpointer data, GError **error G_GNUC_UNUSED)
{
    Look *look = data;
    for (guint phase = 0; row->failure == NULL && phase < AFT_YIELD_PHASES; phase++) {
        Odds odds = odds_in(row, phase);
        look->odds[phase].occurred += odds.occurred;
        look->odds[phase].judged += odds.judged;
        look->odds[phase].missed += odds.missed;
        look->odds[phase].saturated += odds.saturated;
        look->odds[phase].lost += odds.lost;
    }
    look->n += row->failure == NULL ? 1 : 0;
    return TRUE;
}

static void collect_phase(Look *look, const AftReplication *row, guint phase)
{
    AftGathered gathered = aft_gather(row->phases, phase);
    for (guint yield = look->first; yield < look->end; yield++) {
        double value = aft_yield_of(yield, &gathered) / aft_yield_scale(yield);
        g_array_append_val(look->values, value);
    }
}

static gboolean collect(const AftReplication *row, gpointer data, GError **error G_GNUC_UNUSED)
{
    Look *look = data;
    for (guint phase = 0; row->failure == NULL && phase < AFT_YIELD_PHASES; phase++) {
        if (look->odds[phase].occurred > 0) {
            collect_phase(look, row, phase);
        }
    }
    return TRUE;
}

/* The values of @yield in @phase, which occurred. Returns: (transfer full): n. */
static double *values_of(const Look *look, guint phase, guint yield)
{
    guint yields = look->end - look->first, stride = yields * occurring(look, AFT_YIELD_PHASES);
    guint first = yields * occurring(look, phase) + yield - look->first;
    double *values = g_new(double, look->n);
    for (guint i = 0; i < look->n; i++) {
        guint place = i * stride + first;
        values[i] = g_array_index(look->values, double, place);
    }
    return values;
}

typedef struct {
    AftSpreadOf of[AFT_YIELD_PHASES]; /* by phase */
} Spreads;

static gboolean look_at(AftStore *store, guint point, Look *look, Spreads *spreads, GError **error)
{
    g_array_set_size(look->values, 0);
    if (!aft_store_each(store, point, collect, look, error)) {
        return FALSE;
    }
    for (guint phase = 0; phase < AFT_YIELD_PHASES; phase++) {
        gboolean occurred = look->odds[phase].occurred > 0;
        for (guint yield = look->first; occurred && yield < look->end; yield++) {
            g_autofree double *values = values_of(look, phase, yield);
            spreads[yield].of[phase] = aft_spread_of(values, look->n);
        }
    }
    return TRUE;
}

/* Fills in @spreads, as many yields at a time as memory is meant for. */
static gboolean look_at_all(AftStore *store, guint point, Look *look, Spreads *spreads,
                            GError **error)
{
    guint of_yield = look->n * occurring(look, AFT_YIELD_PHASES);
    guint at_once = MAX(MOST_VALUES / MAX(of_yield, 1), 1);
    gboolean fine = TRUE;
    for (guint first = 0; fine && first < aft_yields_n(); first = look->end) {
        look->first = first;
        look->end = MIN(first + at_once, aft_yields_n());
        fine = look_at(store, point, look, spreads, error);
    }
    return fine;
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

static gboolean write_spreads(Writer *writer, guint point, const Look *look, const Spreads *spreads,
                              GError **error)
{
    gboolean fine = TRUE;
    for (guint phase = 0; phase < AFT_YIELD_PHASES; phase++) {
        for (guint yield = 0; fine && yield < aft_yields_n(); yield++) {
            const AftSpreadOf *spread = &spreads[yield].of[phase];
            fine = spread->n == 0 ||
                   write_yield(writer, point, &look->odds[phase], phase, yield, spread, error);
        }
    }
    return fine;
}

static gboolean write_point(Writer *writer, AftStore *store, guint point, GError **error)
{
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
    g_autofree Spreads *spreads = g_new0(Spreads, aft_yields_n());
    Look look = {.values = values};
    g_auto(GStrv) axes = aft_store_point(store, point);
    writer->axes = axes;
    gboolean fine = aft_store_each(store, point, count, &look, error) &&
                    look_at_all(store, point, &look, spreads, error) &&
                    write_spreads(writer, point, &look, spreads, error);
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

gboolean aft_tables_points(AftStore *store, FILE *out, GError **error)
{
    g_autoptr(GString) line = g_string_new("point");
    g_auto(GStrv) axes = aft_line_axes_of(store);
    Writer writer = {out, line, NULL, g_strv_length(axes)};
    aft_line_axis_names(line, (const char *const *)axes);
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        aft_line_text(line, columns[i]);
    }
    gboolean fine = aft_line_end(line, out, error);
    for (guint point = 0; fine && point < aft_store_identity(store)->points; point++) {
        fine = write_point(&writer, store, point, error);
    }
    return fine;
}
