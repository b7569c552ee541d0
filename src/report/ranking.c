/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "human.h"
#include "ranking_grid.h"

#include <aftershock/report/ranking.h>

#include <math.h>
#include <string.h>

enum { RANK, POINT, N, MET, MISSED, MISSED_CI, WORSE, WORSE_CI, LOSS, COLUMNS };

static const AftGridColumn columns[COLUMNS] = {
    [RANK] = {NULL, "rank", TRUE, FALSE},
    [POINT] = {NULL, "point", TRUE, FALSE},
    [N] = {NULL, "runs", TRUE, FALSE},
    [MET] = {NULL, "met", TRUE, FALSE},
    [MISSED] = {"requirement missed", "for", TRUE, FALSE},
    [MISSED_CI] = {"requirement missed", "", FALSE, TRUE},
    [WORSE] = {"longer than the first", "by", TRUE, FALSE},
    [WORSE_CI] = {"longer than the first", "", FALSE, TRUE},
    [LOSS] = {NULL, "lose data", TRUE, FALSE},
};

static char *interval(double half_width)
{
    g_autofree char *text = aft_human_duration(half_width);
    return *text != '\0' ? g_strdup_printf("± %s", text) : g_strdup("");
}

static char *cell_text(guint column, const AftRanked *it, guint rank)
{
    gboolean judged = !isnan(it->met);
    switch (column) {
    case RANK:
        return g_strdup_printf("%u", rank);
    case POINT:
        return g_strdup_printf("%u", it->point);
    case N:
        return g_strdup_printf("%u", it->n);
    case MET:
        return aft_human_share(it->met);
    case MISSED:
        return judged ? aft_human_duration(it->missed_s) : g_strdup("");
    case MISSED_CI:
        return judged ? interval(it->ci) : g_strdup("");
    case WORSE:
        return judged ? aft_human_duration(it->worse_s) : g_strdup("");
    case WORSE_CI:
        return judged ? interval(it->worse_ci) : g_strdup("");
    default:
        return it->loss_probability > 0.0 ? aft_human_share(it->loss_probability) : g_strdup("");
    }
}

static void add_column(AftGrid *grid, guint column, const GPtrArray *ranking, guint n)
{
    aft_grid_add_column(grid, &columns[column]);
    for (guint i = 0; i < n; i++) {
        g_autofree char *text = cell_text(column, ranking->pdata[i], i + 1);
        aft_grid_add_cell(grid, text, column == LOSS ? AFT_TINT_BAD : AFT_TINT_NONE);
    }
}

/* One axis; @titles keeps its name. */
static void add_axis(AftGrid *grid, guint axis, const GPtrArray *ranking, guint n,
                     GPtrArray *titles)
{
    const AftRanked *first = ranking->pdata[0];
    char *title = g_strndup(first->axes[axis], strcspn(first->axes[axis], "="));
    g_ptr_array_add(titles, title);
    const AftGridColumn column = {NULL, title, FALSE, FALSE};
    aft_grid_add_column(grid, &column);
    for (guint i = 0; i < n; i++) {
        const AftRanked *it = ranking->pdata[i];
        gboolean told = it->axes != NULL && axis < g_strv_length(it->axes);
        const char *equals = told ? strchr(it->axes[axis], '=') : NULL;
        aft_grid_add_cell(grid, equals != NULL ? equals + 1 : "", AFT_TINT_STRONG);
    }
}

AftGrid *aft_ranking_grid(const GPtrArray *ranking, guint n, gboolean utf8)
{
    g_autoptr(GPtrArray) titles = g_ptr_array_new_with_free_func(g_free);
    AftGrid *grid = aft_grid_new(utf8);
    const AftRanked *first = n > 0 ? ranking->pdata[0] : NULL;
    add_column(grid, RANK, ranking, n);
    add_column(grid, POINT, ranking, n);
    for (guint axis = 0; first != NULL && first->axes != NULL && first->axes[axis] != NULL;
         axis++) {
        add_axis(grid, axis, ranking, n, titles);
    }
    for (guint column = N; column < COLUMNS; column++) {
        add_column(grid, column, ranking, n);
    }
    return grid;
}

char *aft_ranking_text(const GPtrArray *ranking, guint most, const AftTextStyle *style)
{
    GString *out = g_string_new(NULL);
    guint n = MIN(ranking->len, most);
    g_autoptr(AftGrid) grid = aft_ranking_grid(ranking, n, style->utf8);
    aft_grid_append_text(grid, out, style->colour);
    if (n < ranking->len) {
        g_string_append_printf(out, "and %u more, in ranking.csv\n", ranking->len - n);
    }
    return g_string_free(out, FALSE);
}
