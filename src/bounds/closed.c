/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "closed.h"

#include <math.h>

enum { DOUBLINGS = 40, HALVINGS = 60 };

typedef struct {
    const AftDemandSum *idle, *busy;
    const double *asking;
    double devices_s; /* of one I/O, at the busiest device */
} Machines;

/* I/Os that machines of @node must and can ask for of @iops in all. Returns: whether they can. */
static gboolean get_interval(const Machines *it, guint node, double iops, double *ret_least,
                             double *ret_most)
{
    *ret_least = 0.0;
    *ret_most = it->asking[node] > 0.0 ? iops : 0.0;
    for (guint s = 0; s < AFT_SCARCE_CACHE_ACCESS; s++) {
        double others_s = it->idle->at_s[node][s], own_s = it->busy->at_s[node][s] - others_s;
        double left = 1.0 - iops * others_s;
        if (own_s > 0.0) {
            *ret_most = MIN(*ret_most, left / own_s);
        } else if (own_s < 0.0) {
            *ret_least = MAX(*ret_least, left / own_s);
        } else if (left < 0.0) {
            return FALSE;
        }
    }
    return *ret_least <= *ret_most;
}

static gboolean can_be_had(const Machines *it, double iops)
{
    double least_sum = 0.0, most_sum = 0.0;
    if (iops * it->devices_s > 1.0) {
        return FALSE;
    }
    for (guint node = 0; node < it->idle->stacks->nodes->n; node++) {
        double least = 0.0, most = 0.0;
        if (node != it->idle->down && !get_interval(it, node, iops, &least, &most)) {
            return FALSE;
        }
        least_sum += least;
        most_sum += most;
    }
    return least_sum <= iops && iops <= most_sum;
}

static double devices_s(const AftDemandSum *sum)
{
    AftDemand demand[AFT_SCARCES];
    double most_s = 0.0;
    aft_demand_get(sum, demand);
    for (guint s = AFT_SCARCE_CACHE_ACCESS; s < AFT_SCARCES; s++) {
        most_s = MAX(most_s, demand[s].most_s);
    }
    return most_s;
}

double aft_closed_iops(const AftDemandSum *idle, const AftDemandSum *busy, const double *asking,
                       double iops)
{
    const Machines machines = {idle, busy, asking, devices_s(idle)};
    double low = iops, high = iops * (1.0 + 1e-9); /* rounding is no reason to look further */
    if (!can_be_had(&machines, high)) {
        return iops;
    }
    for (guint i = 0; i < DOUBLINGS && can_be_had(&machines, high); i++) {
        low = high;
        high *= 2.0;
    }
    if (can_be_had(&machines, high)) {
        return (double)INFINITY;
    }
    for (guint i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2.0;
        gboolean more = can_be_had(&machines, middle);
        low = more ? middle : low;
        high = more ? high : middle;
    }
    return high;
}
