/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/sweep/yields.h>

#include <aftershock/base/error.h>
#include <aftershock/result/metric.h>
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
    gsize offset;
    Together together;
} Member;

#define MEMBER(member, together)                       \
    {                                                  \
        G_STRUCT_OFFSET(AftPhaseRow, member), together \
    }

static const Member members[] = {
    MEMBER(start_s, FIRST),
    MEMBER(duration_s, SUM),
    MEMBER(missed_s, SUM),
    MEMBER(iops, BY_TIME),
    MEMBER(read_iops, BY_TIME),
    MEMBER(write_iops, BY_TIME),
    MEMBER(read_mean_ms, BY_READS),
    MEMBER(read_p50_ms, BY_READS),
    MEMBER(read_p95_ms, BY_READS),
    MEMBER(read_p99_ms, BY_READS),
    MEMBER(read_p995_ms, BY_READS),
    MEMBER(read_response_mean_ms, BY_READS),
    MEMBER(write_mean_ms, BY_WRITES),
    MEMBER(write_p50_ms, BY_WRITES),
    MEMBER(write_p95_ms, BY_WRITES),
    MEMBER(write_p99_ms, BY_WRITES),
    MEMBER(write_p995_ms, BY_WRITES),
    MEMBER(write_response_mean_ms, BY_WRITES),
    MEMBER(read_mb_per_s, BY_TIME),
    MEMBER(write_mb_per_s, BY_TIME),
    MEMBER(owed_ios_end, LAST),
    MEMBER(shed_ios, SUM),
    MEMBER(rebuild_bytes, SUM),
    MEMBER(rebalance_bytes, SUM),
    MEMBER(convert_bytes, SUM),
    MEMBER(encode_bytes, SUM),
    MEMBER(destage_bytes, SUM),
    MEMBER(scrub_bytes, SUM),
    MEMBER(controller_util, BY_TIME),
    MEMBER(nic_util, BY_TIME),
    MEMBER(cache_util, BY_TIME),
    MEMBER(capacity_util, BY_TIME),
    MEMBER(lost_pgs, LAST),
};

/* Yields that are no metrics. */
static const struct {
    const char *name, *unit;
    double scale;
    gsize offset;
} others[] = {
    {"missed_minutes", "min", 60.0, G_STRUCT_OFFSET(AftPhaseRow, missed_s)},
    {"owed_ios", "", 1.0, G_STRUCT_OFFSET(AftPhaseRow, owed_ios_end)},
    {"shed_ios", "", 1.0, G_STRUCT_OFFSET(AftPhaseRow, shed_ios)},
    {"lost_pgs", "", 1.0, G_STRUCT_OFFSET(AftPhaseRow, lost_pgs)},
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

static double weight(const AftPhaseRow *row, Together together)
{
    double per_s = together == BY_READS    ? row->read_iops
                   : together == BY_WRITES ? row->write_iops
                                           : 1.0;
    return row->duration_s * per_s;
}

/* The sum of a member so far, and of its weights. */
typedef struct {
    double sum, weights;
} Sum;

static void add(Sum *sum, const Member *member, const AftPhaseRow *row)
{
    double value = G_STRUCT_MEMBER(double, row, member->offset);
    double by = member->together <= SUM ? 1.0 : weight(row, member->together);
    if (isnan(value) || !(by > 0.0) || (member->together == FIRST && sum->weights > 0.0)) {
        return;
    }
    if (member->together == LAST) {
        *sum = (Sum){0};
    }
    sum->sum += value * by;
    sum->weights += by;
}

static double come_to(const Sum *sum, Together together)
{
    double divisor = together <= SUM ? 1.0 : sum->weights;
    return sum->weights > 0.0 ? sum->sum / divisor : (double)NAN;
}

static gboolean is_of(const AftPhaseRow *row, guint phase)
{
    return phase == AFT_WHOLE_RUN || row->phase == (AftPhase)phase;
}

gboolean aft_yield_gather(const AftReplication *row, guint phase, AftPhaseRow *ret_row)
{
    Sum sums[G_N_ELEMENTS(members)] = {0};
    gboolean occurred = FALSE;
    for (guint i = 0; i < row->phases->len; i++) {
        const AftPhaseRow *occurrence = &g_array_index(row->phases, AftPhaseRow, i);
        for (guint m = 0; is_of(occurrence, phase) && m < G_N_ELEMENTS(members); m++) {
            add(&sums[m], &members[m], occurrence);
            occurred = TRUE;
        }
    }
    memset(ret_row, 0, sizeof *ret_row);
    for (guint m = 0; m < G_N_ELEMENTS(members); m++) {
        G_STRUCT_MEMBER(double, ret_row, members[m].offset) =
            come_to(&sums[m], members[m].together);
    }
    return occurred;
}

double aft_yield_of(guint yield, const AftPhaseRow *gathered)
{
    const AftMetric *metric = metric_at(yield);
    return metric != NULL ? aft_metric_read(metric, NULL, gathered).value
                          : G_STRUCT_MEMBER(double, gathered, others[yield - n_metrics()].offset);
}

double aft_yield_read(guint yield, const AftReplication *row, guint phase)
{
    AftPhaseRow gathered;
    return aft_yield_gather(row, phase, &gathered) ? aft_yield_of(yield, &gathered) : (double)NAN;
}
