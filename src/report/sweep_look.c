/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_look.h"

#include <aftershock/base/error.h>

#include <gsl/gsl_cdf.h>
#include <math.h>

#define TAIL 0.025 /* outside of an interval, on either side */

AftChance aft_chance(guint k, guint n)
{
    const double none = (double)NAN;
    if (n == 0) {
        return (AftChance){none, none, none};
    }
    return (AftChance){
        .share = (double)k / n,
        .low = k > 0 ? gsl_cdf_beta_Pinv(TAIL, k, n - k + 1.0) : 0.0,
        .high = k < n ? gsl_cdf_beta_Qinv(TAIL, k + 1.0, n - k) : 1.0,
    };
}

/* Rows come by point. */
static AftSweptPoint *point_of(AftSweptLook *look, guint point)
{
    GArray *points = look->points;
    if (points->len == 0 || g_array_index(points, AftSweptPoint, points->len - 1).point != point) {
        const AftSweptPoint new = {.point = point};
        g_array_append_val(points, new);
    }
    return &g_array_index(points, AftSweptPoint, points->len - 1);
}

static void add_reason(AftSweptLook *look, const char *reason)
{
    for (guint i = 0; i < AFT_SWEPT_REASONS; i++) {
        if (look->reasons[i] == NULL) {
            look->reasons[i] = g_strdup(reason);
            return;
        }
        if (g_str_equal(look->reasons[i], reason)) {
            return;
        }
    }
}

static void widen(AftSweptRange *range, double value)
{
    if (isfinite(value)) {
        range->least = range->n > 0 ? fmin(range->least, value) : value;
        range->most = range->n > 0 ? fmax(range->most, value) : value;
        range->n++;
    }
}

static gboolean occurs(const AftReplication *row, guint phase)
{
    for (guint i = 0; i < row->phases->len; i++) {
        if (phase == AFT_WHOLE_RUN ||
            g_array_index(row->phases, AftPhaseRow, i).phase == (AftPhase)phase) {
            return TRUE;
        }
    }
    return FALSE;
}

static void widen_all(AftSweptLook *look, const AftReplication *row)
{
    for (guint phase = 0; phase < AFT_YIELD_PHASES; phase++) {
        if (occurs(row, phase)) {
            AftGathered gathered = aft_gather(row->phases, phase);
            for (guint yield = 0; yield < aft_yields_n(); yield++) {
                widen(&look->range[yield * AFT_YIELD_PHASES + phase],
                      aft_yield_of(yield, &gathered));
            }
        }
    }
}

/* Remembered rates simulate nothing; windows do in every phase. */
static gboolean is_by_windows(const AftReplication *row)
{
    for (guint i = 0; i < row->phases->len; i++) {
        if (g_array_index(row->phases, AftPhaseRow, i).simulated_s > 0.0) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean add(const AftReplication *row, gpointer data, GError **error G_GNUC_UNUSED)
{
    AftSweptLook *look = data;
    AftSweptPoint *point = point_of(look, row->point);
    if (row->failure != NULL) {
        point->failed++;
        look->failed++;
        add_reason(look, row->failure);
        return TRUE;
    }
    gboolean judged = row->requirement != NULL && *row->requirement != '\0';
    gboolean held = judged && g_str_equal(row->requirement, "met") && !(row->lost_pgs > 0.0);
    point->n++;
    point->judged += judged ? 1 : 0;
    point->held += held ? 1 : 0;
    look->done++;
    look->fell_back += is_by_windows(row) ? 1 : 0;
    widen_all(look, row);
    return TRUE;
}

AftSweptLook *aft_swept_look_new(AftStore *store, GError **error)
{
    g_autoptr(AftSweptLook) look = g_new0(AftSweptLook, 1);
    look->points = g_array_new(FALSE, FALSE, sizeof(AftSweptPoint));
    look->range = g_new0(AftSweptRange, (gsize)aft_yields_n() * AFT_YIELD_PHASES);
    if (!aft_store_each(store, G_MAXUINT, add, look, error)) {
        return NULL;
    }
    if (look->points->len == 0) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "the sweep has no replication yet");
        return NULL;
    }
    if (!g_str_equal(aft_store_identity(store)->fidelity, "flow")) {
        look->fell_back = 0;
    }
    return g_steal_pointer(&look);
}

void aft_swept_look_free(AftSweptLook *look)
{
    if (look != NULL) {
        for (guint i = 0; i < AFT_SWEPT_REASONS; i++) {
            g_free(look->reasons[i]);
        }
        g_array_unref(look->points);
        g_free(look->range);
        g_free(look);
    }
}
