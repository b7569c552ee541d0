/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/model/heat.h>

#include "layout.h"

#include <math.h>

#define ALL          (1.0 - 1e-9) /* but for rounding */
#define POINTS       1024         /* of the curves, evenly spaced in the logarithm of time */
#define FIRST_FILLED 1e-6         /* the curves begin where the hottest chunk is filled so far */
#define LAST_COLD    1e-6         /* and end where so little of the coldest is not */
#define ALONE        64u          /* ranks that are looked at one by one; further ones in groups, */
#define RANKS_ALIKE  64u /* each of a rank over this many: they differ by that part at most */

typedef struct {
    double chunks; /* of all, 0 to 1 */
    double ios;    /* of all, that each of them gets */
} Class;

struct AftHeat {
    gboolean scan; /* the rest is unused then */
    double time[POINTS], filled[POINTS], hits[POINTS];
};

static double rank_weight(double rank, double theta)
{
    return pow(rank, -theta);
}

/* Chunks of nearly the same heat together, hottest first. */
static GArray *classes_of(guint n, double theta)
{
    GArray *classes = g_array_new(FALSE, FALSE, sizeof(Class));
    double sum = 0.0;
    for (guint first = 1; first <= n;) {
        guint wide = first <= ALONE ? 1 : first / RANKS_ALIKE, last = MIN(first + wide, n + 1);
        double weight = 0.0;
        for (guint rank = first; rank < last; rank++) {
            weight += rank_weight(rank, theta);
        }
        Class class = {(double)(last - first) / n, weight};
        g_array_append_val(classes, class);
        sum += weight;
        first = last;
    }
    for (guint i = 0; i < classes->len; i++) {
        g_array_index(classes, Class, i).ios /= sum;
    }
    return classes;
}

static double relative_rate(const Class *class)
{
    return class->ios / class->chunks;
}

static void fill_point(AftHeat *heat, guint i, const GArray *classes)
{
    double cold = 0.0, missed = 0.0;
    for (guint c = 0; c < classes->len; c++) {
        const Class *class = &g_array_index(classes, Class, c);
        double not_there = exp(-relative_rate(class) * heat->time[i]);
        cold += class->chunks * not_there;
        missed += class->ios * not_there;
    }
    heat->filled[i] = 1.0 - cold;
    heat->hits[i] = 1.0 - missed;
}

AftHeat *aft_heat_new(guint n, double theta)
{
    g_assert(n > 0 && theta >= 0.0);
    AftHeat *heat = g_new0(AftHeat, 1);
    g_autoptr(GArray) classes = classes_of(n, theta);
    double first = FIRST_FILLED / relative_rate(&g_array_index(classes, Class, 0));
    double last = -log(LAST_COLD) / relative_rate(&g_array_index(classes, Class, classes->len - 1));
    for (guint i = 0; i < POINTS; i++) {
        heat->time[i] = first * pow(last / first, (double)i / (POINTS - 1));
        fill_point(heat, i, classes);
    }
    return heat;
}

AftHeat *aft_heat_new_scan(void)
{
    AftHeat *heat = g_new0(AftHeat, 1);
    heat->scan = TRUE;
    return heat;
}

guint aft_heat_chunks(const AftScenario *scenario, guint index)
{
    const AftPoolSpec *pool = &scenario->pools[index];
    guint n, data = 1;
    g_autofree AftLayout *layouts = aft_layouts_new(scenario, index, &n);
    for (guint i = 0; i < n && n > 1 && layouts[0].coded; i++) {
        data = MAX(data, layouts[i].spec.data);
    }
    return pool->placement_groups * data;
}

AftHeat *aft_heat_of_workload(const AftScenario *scenario, guint index)
{
    const AftWorkloadSpec *workload = &scenario->workloads[index];
    const AftPoolSpec *pool = &scenario->pools[workload->pool_index];
    double bytes = (double)workload->working_set_bytes, all = (double)pool->logical_bytes;
    double share = bytes > 0.0 ? MIN(bytes / all, 1.0) : 1.0;
    double chunks = ceil(share * aft_heat_chunks(scenario, workload->pool_index));
    if (workload->access == AFT_ACCESS_SEQUENTIAL) {
        return aft_heat_new_scan();
    }
    return workload->skew == AFT_SKEW_ZIPF ? aft_heat_new((guint)chunks, workload->theta) : NULL;
}

void aft_heat_free(AftHeat *heat)
{
    g_free(heat);
}

/* On the straight lines between points of @x, which grows, at @at: @y there. Below the first point
 * both go to 0 together. */
static double interpolate(const double *x, const double *y, double at)
{
    guint low = 0, high = POINTS - 1;
    if (at >= x[high]) {
        return y[high];
    }
    if (at <= x[0]) {
        return y[0] * at / x[0];
    }
    while (high - low > 1) {
        guint middle = (low + high) / 2;
        *(x[middle] <= at ? &low : &high) = middle;
    }
    double way = x[high] > x[low] ? (at - x[low]) / (x[high] - x[low]) : 0.0;
    return y[low] + way * (y[high] - y[low]);
}

double aft_heat_hits(const AftHeat *heat, double x, double y)
{
    if (heat == NULL || x >= 1.0 || y >= 1.0) {
        return 1.0 - (1.0 - x) * (1.0 - y);
    }
    if (heat->scan) {
        return x + y >= ALL ? 1.0 : 0.0;
    }
    double time =
        interpolate(heat->filled, heat->time, x) + interpolate(heat->filled, heat->time, y);
    return interpolate(heat->time, heat->hits, time);
}
