/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/random/discrete.h>

/* Things whose column is not settled yet: those below the mean height from the left, those above
 * from the right. */
typedef struct {
    guint32 *thing;
    guint n_small, large; /* large: the first of those above */
} Sorted;

static void put(Sorted *sorted, guint32 thing, double height)
{
    sorted->thing[height < 1.0 ? sorted->n_small++ : --sorted->large] = thing;
}

/* The smallest column left is filled up from a large one, which then may be a small one. */
static void settle(AftDiscrete *discrete, Sorted *sorted)
{
    while (sorted->n_small > 0 && sorted->large < discrete->n) {
        guint32 small = sorted->thing[--sorted->n_small], large = sorted->thing[sorted->large++];
        discrete->column[small].alias = large;
        discrete->column[large].height -= 1.0 - discrete->column[small].height;
        put(sorted, large, discrete->column[large].height);
    }
    while (sorted->n_small > 0) { /* by rounding alone */
        discrete->column[sorted->thing[--sorted->n_small]].height = 1.0;
    }
}

AftDiscrete *aft_discrete_new(const double *weight, guint n)
{
    double sum = 0.0;
    g_assert(n > 0);
    for (guint i = 0; i < n; i++) {
        g_assert(isfinite(weight[i]) && weight[i] >= 0.0);
        sum += weight[i];
    }
    g_assert(sum > 0.0);
    AftDiscrete *discrete = g_malloc(sizeof(AftDiscrete) + n * sizeof(AftColumn));
    g_autofree guint32 *things = g_new(guint32, n);
    Sorted sorted = {things, 0, n};
    discrete->n = n;
    for (guint i = 0; i < n; i++) {
        discrete->column[i] = (AftColumn){weight[i] / sum * n, i};
        put(&sorted, i, discrete->column[i].height);
    }
    settle(discrete, &sorted);
    return discrete;
}

void aft_discrete_free(AftDiscrete *discrete)
{
    g_free(discrete);
}
