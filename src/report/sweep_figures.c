/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_figures.h"

#include "page_json.h"

#include <aftershock/sweep/tables.h>

#include <math.h>

enum {
    QUANTILES = 21,        /* of a point's replications: every 5 % */
    MOST_NUMBERS = 150000, /* of all figures: a megabyte */
    MOST_VALUES = 1048576  /* held at once: 8 MB */
};

/* Yields in the order in which people ask for them; all others follow. */
static const char *const first[] = {
    "missed_minutes", "met_share", "iops",     "read_mean", "read_p99", "write_mean",
    "write_p99",      "minutes",   "share",    "mean",      "read_p95", "write_p95",
    "owed_ios",       "shed_ios",  "lost_pgs", "mb_per_s",
};

static void free_values(gpointer data)
{
    g_string_free(((AftSweptFigure *)data)->values, TRUE);
}

/* Numbers that a figure takes. */
static gsize cost_of(const GArray *points)
{
    gsize numbers = 0;
    for (guint i = 0; i < points->len; i++) {
        guint n = g_array_index(points, AftSweptPoint, i).n;
        numbers += n > 1 ? 3 + MIN(n, QUANTILES) : 1;
    }
    return numbers;
}

static void free_figures(gpointer figures)
{
    g_array_unref(figures);
}

typedef struct {
    GArray *figures; /* AftSweptFigure */
    guint most, left_out;
} Choice;

/* Adds @yield of all phases in which it is anything, the whole run first. */
static void choose_yield(Choice *choice, const AftSweptLook *look, guint yield)
{
    for (guint i = 0; i < AFT_YIELD_PHASES; i++) {
        guint phase = i == 0 ? (guint)AFT_WHOLE_RUN : i - 1;
        const AftSweptRange *range = &look->range[yield * AFT_YIELD_PHASES + phase];
        if (range->n == 0 || (range->least == 0.0 && range->most == 0.0)) {
            continue;
        }
        if (choice->figures->len >= choice->most) {
            choice->left_out++;
            continue;
        }
        AftSweptFigure figure = {phase, yield, aft_yield_scale(yield), g_string_new(NULL)};
        g_array_append_val(choice->figures, figure);
    }
}

static gboolean is_first(guint yield)
{
    for (guint i = 0; i < G_N_ELEMENTS(first); i++) {
        if (g_str_equal(aft_yield_name(yield), first[i])) {
            return TRUE;
        }
    }
    return FALSE;
}

static void choose(Choice *choice, const AftSweptLook *look)
{
    for (guint i = 0; i < G_N_ELEMENTS(first); i++) {
        for (guint yield = 0; yield < aft_yields_n(); yield++) {
            if (g_str_equal(aft_yield_name(yield), first[i])) {
                choose_yield(choice, look, yield);
            }
        }
    }
    for (guint yield = 0; yield < aft_yields_n(); yield++) {
        if (!is_first(yield)) {
            choose_yield(choice, look, yield);
        }
    }
}

/* Some figures of one point. */
typedef struct {
    const AftSweptFigure *figure;
    guint n;        /* figures */
    double *values; /* by figure, then replication */
    guint row, rows;
} Pass;

static gboolean collect(const AftReplication *row, gpointer data, GError **error G_GNUC_UNUSED)
{
    Pass *pass = data;
    if (row->failure != NULL || pass->row == pass->rows) { /* more came meanwhile */
        return TRUE;
    }
    for (guint phase = 0; phase < AFT_YIELD_PHASES; phase++) {
        AftGathered gathered;
        gboolean is_gathered = FALSE;
        for (guint i = 0; i < pass->n; i++) {
            if (pass->figure[i].phase == phase) {
                gathered = is_gathered ? gathered : aft_gather(row->phases, phase);
                is_gathered = TRUE;
                pass->values[(gsize)i * pass->rows + pass->row] =
                    aft_yield_of(pass->figure[i].yield, &gathered) / pass->figure[i].scale;
            }
        }
    }
    pass->row++;
    return TRUE;
}

/* Of @n sorted values, as tables.h has its percentiles. */
static double quantile(const double *sorted, guint n, double p)
{
    double at = p * (n - 1);
    guint below = (guint)at;
    double next = sorted[MIN(below + 1, n - 1)];
    return sorted[below] + (at - below) * (next - sorted[below]);
}

static void append_spread(GString *json, double *values, guint n)
{
    AftSpreadOf spread = aft_spread_of(values, n);
    g_string_append(json, json->len > 0 ? ",[" : "[");
    if (spread.n > 1) {
        g_string_append_printf(json, "%u,", spread.n);
    }
    if (spread.n > 0) {
        aft_page_json_number(json, spread.mean, AFT_PAGE_FEW);
    }
    if (spread.n > 1) {
        g_string_append_c(json, ',');
        aft_page_json_number(json, spread.ci, AFT_PAGE_FEW);
        guint shown = MIN(spread.n, QUANTILES);
        for (guint i = 0; i < shown; i++) {
            g_string_append_c(json, ',');
            aft_page_json_number(json, quantile(values, spread.n, i / (shown - 1.0)), AFT_PAGE_FEW);
        }
    }
    g_string_append_c(json, ']');
}

/* Fills in what @figures from @from to @to are at @point. */
static gboolean look_at(AftStore *store, const AftSweptPoint *point, const GArray *figures,
                        guint from, guint to, GError **error)
{
    Pass pass = {&g_array_index(figures, AftSweptFigure, from), to - from, NULL, 0, point->n};
    g_autofree double *values = g_new(double, (gsize)pass.n *pass.rows + 1);
    pass.values = values;
    if (!aft_store_each(store, point->point, collect, &pass, error)) {
        return FALSE;
    }
    for (guint i = 0; i < pass.n; i++) {
        append_spread(pass.figure[i].values, values + (gsize)i * pass.rows, pass.row);
    }
    return TRUE;
}

GArray *aft_swept_figures_new(AftStore *store, const AftSweptLook *look, const GArray *points,
                              guint *ret_left_out, GError **error)
{
    GArray *figures = g_array_new(FALSE, FALSE, sizeof(AftSweptFigure));
    g_array_set_clear_func(figures, free_values);
    Choice choice = {figures, (guint)(MOST_NUMBERS / MAX(cost_of(points), 1)), 0};
    choice.most = MAX(choice.most, 1);
    choose(&choice, look);
    gboolean fine = TRUE;
    for (guint i = 0; fine && i < points->len; i++) {
        const AftSweptPoint *point = &g_array_index(points, AftSweptPoint, i);
        guint at_once = MAX(MOST_VALUES / MAX(point->n, 1), 1);
        for (guint from = 0; fine && from < figures->len; from += at_once) {
            fine = look_at(store, point, figures, from, MIN(from + at_once, figures->len), error);
        }
    }
    if (!fine) {
        free_figures(figures);
        return NULL;
    }
    *ret_left_out = choice.left_out;
    return figures;
}
