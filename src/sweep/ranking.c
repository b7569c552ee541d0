/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line.h"

#include <aftershock/sweep/tables.h>
#include <aftershock/sweep/yields.h>

#include <math.h>
#include <string.h>

/* How long each replication of a point missed the requirement, by its index. */
typedef struct {
    GArray *missed_s; /* double; NaN: failed, or not there */
    double missed, covered;
    guint n, lost;
    gboolean judged;
} Missed;

static gboolean add(const AftReplication *row, gpointer data, GError **error G_GNUC_UNUSED)
{
    Missed *it = data;
    const double none = (double)NAN;
    if (row->failure != NULL) {
        return TRUE;
    }
    while (it->missed_s->len <= row->replication) {
        g_array_append_val(it->missed_s, none);
    }
    g_array_index(it->missed_s, double, row->replication) = row->missed_s;
    it->missed += row->missed_s;
    it->covered += row->duration_s;
    it->lost += row->lost_pgs > 0.0 ? 1 : 0;
    it->judged |= *row->requirement != '\0';
    it->n++;
    return TRUE;
}

static gboolean look_at(AftStore *store, guint point, Missed *ret_missed, GError **error)
{
    *ret_missed = (Missed){.missed_s = g_array_new(FALSE, FALSE, sizeof(double))};
    return aft_store_each(store, point, add, ret_missed, error);
}

static void missed_clear(Missed *it)
{
    g_clear_pointer(&it->missed_s, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Missed, missed_clear)

static void ranked_free(gpointer data)
{
    AftRanked *it = data;
    g_strfreev(it->axes);
    g_free(it);
}

/* Returns: (transfer full) (nullable): NULL with @error, or when all of @point failed. */
static AftRanked *describe(AftStore *store, guint point, GError **error)
{
    g_auto(Missed) missed = {0};
    if (!look_at(store, point, &missed, error) || missed.n == 0) {
        return NULL;
    }
    AftRanked *it = g_new0(AftRanked, 1);
    const double none = (double)NAN;
    AftSpreadOf spread =
        aft_spread_of((double *)(gpointer)missed.missed_s->data, missed.missed_s->len);
    *it = (AftRanked){.point = point,
                      .axes = aft_store_point(store, point),
                      .n = missed.n,
                      .met = missed.judged ? 1.0 - missed.missed / missed.covered : none,
                      .missed_s = spread.mean,
                      .ci = spread.ci,
                      .worse_s = none,
                      .worse_ci = none,
                      .loss_probability = (double)missed.lost / missed.n};
    return it;
}

static gint by_rank(gconstpointer a, gconstpointer b)
{
    const AftRanked *first = *(AftRanked *const *)a, *second = *(AftRanked *const *)b;
    double missed = first->missed_s - second->missed_s;
    double loss = first->loss_probability - second->loss_probability;
    double difference = loss != 0.0 ? loss : missed;
    return difference != 0.0 ? (difference > 0.0 ? 1 : -1)
                             : (first->point > second->point) - (first->point < second->point);
}

/* Pairs the replications of @it with those of the @best point. */
static gboolean pair(AftStore *store, AftRanked *it, const Missed *best, GError **error)
{
    g_auto(Missed) missed = {0};
    if (!look_at(store, it->point, &missed, error)) {
        return FALSE;
    }
    guint n = MIN(missed.missed_s->len, best->missed_s->len);
    double *worse = (double *)(gpointer)missed.missed_s->data;
    for (guint i = 0; i < n; i++) {
        worse[i] -= g_array_index(best->missed_s, double, i); /* NaN: no pair */
    }
    AftSpreadOf spread = aft_spread_of(worse, n);
    it->worse_s = spread.mean;
    it->worse_ci = spread.ci;
    return TRUE;
}

static gboolean pair_all(AftStore *store, GPtrArray *ranking, GError **error)
{
    if (ranking->len <= 1) {
        return TRUE; /* nothing to compare the first with */
    }
    g_auto(Missed) best = {0};
    const AftRanked *first = ranking->pdata[0];
    gboolean fine = look_at(store, first->point, &best, error);
    for (guint i = 1; fine && i < ranking->len; i++) {
        fine = pair(store, ranking->pdata[i], &best, error);
    }
    return fine;
}

GPtrArray *aft_tables_rank(AftStore *store, GError **error)
{
    g_autoptr(GPtrArray) ranking = g_ptr_array_new_with_free_func(ranked_free);
    g_autoptr(GError) failure = NULL;
    for (guint point = 0; failure == NULL && point < aft_store_identity(store)->points; point++) {
        AftRanked *it = describe(store, point, &failure);
        if (it != NULL) {
            g_ptr_array_add(ranking, it);
        }
    }
    g_ptr_array_sort(ranking, by_rank);
    if (failure == NULL && pair_all(store, ranking, &failure)) {
        return g_steal_pointer(&ranking);
    }
    g_propagate_error(error, g_steal_pointer(&failure));
    return NULL;
}

static const char *const columns[] = {"n",       "met",      "missed_s",        "ci",
                                      "worse_s", "worse_ci", "loss_probability"};

gboolean aft_tables_ranking(AftStore *store, const GPtrArray *ranking, FILE *out, GError **error)
{
    g_autoptr(GString) line = g_string_new("rank,point");
    g_auto(GStrv) axes = aft_line_axes_of(store);
    aft_line_axis_names(line, (const char *const *)axes);
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        aft_line_text(line, columns[i]);
    }
    gboolean fine = aft_line_end(line, out, error);
    for (guint i = 0; fine && i < ranking->len; i++) {
        const AftRanked *it = ranking->pdata[i];
        aft_line_count(line, i + 1);
        aft_line_count(line, it->point);
        aft_line_axes(line, (const char *const *)it->axes, g_strv_length(axes));
        aft_line_count(line, it->n);
        const double numbers[] = {it->met,     it->missed_s, it->ci,
                                  it->worse_s, it->worse_ci, it->loss_probability};
        for (guint n = 0; n < G_N_ELEMENTS(numbers); n++) {
            aft_line_number(line, numbers[n]);
        }
        fine = aft_line_end(line, out, error);
    }
    return fine;
}
