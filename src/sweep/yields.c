/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/sweep/yields.h>

#include <aftershock/base/error.h>
#include <aftershock/result/metric.h>
#include <aftershock/scenario/nearest.h>

#include <math.h>

#define OF(member) G_STRUCT_OFFSET(AftGathered, member)

/* Yields that are no metrics. */
static const struct {
    const char *name, *unit;
    double scale;
    gsize offset;
} others[] = {
    {"share", "%", 0.01, OF(share)},
    {"met_share", "%", 0.01, OF(met_share)},
    {"missed_minutes", "min", 60.0, OF(row.missed_s)},
    {"owed_ios", "", 1.0, OF(row.owed_ios_end)},
    {"shed_ios", "", 1.0, OF(row.shed_ios)},
    {"lost_pgs", "", 1.0, OF(row.lost_pgs)},
};

/* The metrics of a phase come before those of a whole result. */
static guint n_metrics(void)
{
    guint n;
    const AftMetric *metrics = aft_metrics(&n);
    while (metrics[n - 1].whole) {
        n--;
    }
    return n;
}

static const AftMetric *metric_at(guint yield)
{
    guint n;
    const AftMetric *metrics = aft_metrics(&n);
    return yield < n_metrics() ? &metrics[yield] : NULL;
}

const char *aft_yield_phase_name(guint phase)
{
    return phase == AFT_WHOLE_RUN ? "all" : aft_phase_name((AftPhase)phase);
}

guint aft_yields_n(void)
{
    return n_metrics() + G_N_ELEMENTS(others);
}

const char *aft_yield_name(guint yield)
{
    const AftMetric *metric = metric_at(yield);
    return metric != NULL ? metric->name : others[yield - n_metrics()].name;
}

const char *aft_yield_unit(guint yield)
{
    const AftMetric *metric = metric_at(yield);
    return metric != NULL ? aft_metric_unit(metric) : others[yield - n_metrics()].unit;
}

double aft_yield_scale(guint yield)
{
    const AftMetric *metric = metric_at(yield);
    if (metric == NULL) {
        return others[yield - n_metrics()].scale;
    }
    double scale = 1.0;
    g_autofree char *one = g_strconcat("1 ", aft_metric_unit(metric), NULL);
    aft_units_parse(metric->unit, one, &scale, NULL);
    return scale;
}

/* The name most like @name. Returns: (transfer full) (nullable). */
static char *nearest_name(const char *name, const char *(*name_of)(guint index), guint n)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < n; i++) {
        g_ptr_array_add(names, (gpointer)name_of(i));
    }
    return g_strdup(aft_nearest(name, (const char *const *)names->pdata, n));
}

static gboolean find(const char *name, const char *(*name_of)(guint index), guint n,
                     const char *what, guint *ret_index, GError **error)
{
    for (guint i = 0; i < n; i++) {
        if (g_str_equal(name_of(i), name)) {
            *ret_index = i;
            return TRUE;
        }
    }
    g_autofree char *nearest = nearest_name(name, name_of, n);
    g_set_error(error, AFT_ERROR, AFT_ERROR_UNKNOWN, "there is no %s \"%s\"%s%s%s", what, name,
                nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                nearest != NULL ? "?" : "");
    return FALSE;
}

gboolean aft_yield_find(const char *text, guint *ret_phase, guint *ret_yield, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "/", 2);
    if (g_strv_length(parts) != 2) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_UNKNOWN,
                    "expected a phase and a metric, like rebuild/minutes or all/iops, got \"%s\"",
                    text);
        return FALSE;
    }
    return find(parts[0], aft_yield_phase_name, AFT_YIELD_PHASES, "phase", ret_phase, error) &&
           find(parts[1], aft_yield_name, aft_yields_n(), "metric", ret_yield, error);
}

double aft_yield_of(guint yield, const AftGathered *gathered)
{
    const AftMetric *metric = metric_at(yield);
    return metric != NULL ? aft_metric_read(metric, NULL, &gathered->row).value
                          : G_STRUCT_MEMBER(double, gathered, others[yield - n_metrics()].offset);
}

double aft_yield_read(guint yield, const AftReplication *row, guint phase)
{
    AftGathered gathered = aft_gather(row->phases, phase);
    return aft_yield_of(yield, &gathered);
}
