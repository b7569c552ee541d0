/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "demand.h"

void aft_demand_init(AftDemandSum *sum, const AftStacks *stacks, guint live,
                     const double *coordinating)
{
    *sum = (AftDemandSum){
        .stacks = stacks,
        .live = live,
        .coordinating = coordinating,
        .at_s = g_malloc0_n(live, sizeof(*sum->at_s)),
        .cache = g_new0(AftLoad, stacks->n),
        .capacity = g_new0(AftLoad, stacks->n),
    };
}

void aft_demand_clear(AftDemandSum *sum)
{
    g_clear_pointer(&sum->at_s, g_free);
    g_clear_pointer(&sum->cache, g_free);
    g_clear_pointer(&sum->capacity, g_free);
}

/* What one node has to do for @visit whose machines ask for a share @coordinating of it. The rest
 * of the network's traffic is spread evenly over the other nodes. */
static void add_at_node(const AftDemandSum *sum, const AftVisit *visit, double times,
                        double coordinating, double *at_s)
{
    const AftControllerSpec *controller = &sum->stacks->scenario->cluster.node.controller;
    double others = sum->live > 1 ? (1.0 - coordinating) / (sum->live - 1.0) : 0.0;
    double wire_s = times * visit->remote *
                    aft_parts_wire_s(&sum->stacks->scenario->cluster.node, visit->bytes);
    if (controller->slots > 0) {
        at_s[AFT_SCARCE_CONTROLLER] += times * visit->controller_s / sum->live / controller->slots;
    }
    at_s[AFT_SCARCE_NIC_OUT] += wire_s * (visit->write ? coordinating : others);
    at_s[AFT_SCARCE_NIC_IN] += wire_s * (visit->write ? others : coordinating);
}

/* @follows: the access before, but for the map. */
static void add_at_disk(AftLoad *load, const AftVisit *visit, gboolean follows,
                        const AftDiskSpec *disk, double bytes, double times)
{
    aft_load_add(load, disk, visit->write, follows, bytes, times);
    aft_load_add(load, disk, visit->write, FALSE, AFT_METADATA_BYTES, times * visit->map_ios);
}

static void add_at_devices(AftDemandSum *sum, const AftVisit *visit, double times)
{
    for (guint i = 0; i < sum->stacks->n; i++) {
        const AftStack *stack = &sum->stacks->stack[i];
        double here = times / sum->live * aft_visit_weight(visit, sum->stacks, stack);
        double cached = aft_visit_cached(visit, stack);
        if (cached > 0.0) {
            add_at_disk(&sum->cache[i], visit, FALSE, stack->cache, visit->cache_bytes,
                        here * cached);
        }
        add_at_disk(&sum->capacity[i], visit, visit->follows, stack->capacity,
                    visit->capacity_bytes, here * (1.0 - cached) / stack->behind);
    }
}

void aft_demand_add(AftDemandSum *sum, const AftTraffic *traffic, double times, gboolean evenly)
{
    const AftControllerSpec *controller = &sum->stacks->scenario->cluster.node.controller;
    for (guint node = 0; node < sum->live; node++) {
        double share =
            evenly || sum->coordinating == NULL ? 1.0 / sum->live : sum->coordinating[node];
        for (guint i = 0; i < traffic->n; i++) {
            const AftVisit *visit = &traffic->visit[i];
            add_at_node(sum, visit, times * visit->times, share, sum->at_s[node]);
        }
        if (controller->slots > 0) {
            sum->at_s[node][AFT_SCARCE_CONTROLLER] +=
                times * share * traffic->coordinator_s / controller->slots;
        }
    }
    for (guint i = 0; i < traffic->n; i++) {
        add_at_devices(sum, &traffic->visit[i], times * traffic->visit[i].times);
    }
}

/* @devices: of a node, be they in stacks or idle. */
static void get_devices(const AftDemandSum *sum, const AftLoad *loads, gboolean cache,
                        guint devices, AftDemand *access, AftDemand *transfer)
{
    *access = *transfer = (AftDemand){0};
    for (guint i = 0; i < sum->stacks->n; i++) {
        const AftStack *stack = &sum->stacks->stack[i];
        if (!cache || stack->cache != NULL) {
            double share = (double)stack->n * (cache ? 1 : stack->behind) / devices;
            access->mean_s += share * loads[i].access_s;
            access->most_s = MAX(access->most_s, loads[i].access_s);
            transfer->mean_s += share * loads[i].transfer_s;
            transfer->most_s = MAX(transfer->most_s, loads[i].transfer_s);
        }
    }
}

void aft_demand_get(const AftDemandSum *sum, AftDemand *ret_demand)
{
    const AftNodeSpec *node = &sum->stacks->scenario->cluster.node;
    for (guint s = 0; s < AFT_SCARCE_CACHE_ACCESS; s++) {
        ret_demand[s] = (AftDemand){0};
        for (guint i = 0; i < sum->live; i++) {
            ret_demand[s].mean_s += sum->at_s[i][s] / sum->live;
            ret_demand[s].most_s = MAX(ret_demand[s].most_s, sum->at_s[i][s]);
        }
    }
    get_devices(sum, sum->cache, TRUE, aft_parts_cache_devices(node),
                &ret_demand[AFT_SCARCE_CACHE_ACCESS], &ret_demand[AFT_SCARCE_CACHE_TRANSFER]);
    get_devices(sum, sum->capacity, FALSE, aft_parts_capacity_devices(node),
                &ret_demand[AFT_SCARCE_CAPACITY_ACCESS], &ret_demand[AFT_SCARCE_CAPACITY_TRANSFER]);
}

AftScarce aft_demand_bottleneck(const AftDemand *demand)
{
    guint most = 0;
    for (guint s = 1; s < AFT_SCARCES; s++) {
        most = demand[s].most_s > demand[most].most_s ? s : most;
    }
    return (AftScarce)most;
}
