/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "demand.h"

void aft_demand_init(AftDemandSum *sum, const AftStacks *stacks, guint down, const double *asking)
{
    *sum = (AftDemandSum){
        .stacks = stacks,
        .down = down,
        .asking = asking,
        .at_s = g_malloc0_n(stacks->nodes->n, sizeof(*sum->at_s)),
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

/* What one node like @node has to do for @visit: @here of it go to the node's own devices, and
 * @coordinating of it are coordinated there. What a machine asks for crosses the network unless
 * both are one. */
static void add_at_node(const AftVisit *visit, double times, double here, double coordinating,
                        const AftNodeSpec *node, double *at_s)
{
    double wire_s = times * aft_parts_wire_s(node, visit->bytes);
    double from = coordinating * (visit->asked ? visit->crossing * (1.0 - here) : visit->remote);
    double to = here * (visit->asked ? visit->crossing * (1.0 - coordinating) : visit->remote);
    if (node->controller.slots > 0) {
        at_s[AFT_SCARCE_CONTROLLER] +=
            times * here * aft_visit_controller_s(visit, node) / node->controller.slots;
    }
    at_s[AFT_SCARCE_NIC_OUT] += wire_s * (visit->write ? from : to);
    at_s[AFT_SCARCE_NIC_IN] += wire_s * (visit->write ? to : from);
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
        double here = times * aft_visit_weight(visit, sum->stacks, stack);
        double cached = aft_visit_cached(visit, stack);
        if (cached > 0.0) {
            add_at_disk(&sum->cache[i], visit, FALSE, stack->cache, visit->cache_bytes,
                        here * cached);
        }
        add_at_disk(&sum->capacity[i], visit, visit->follows, stack->capacity,
                    visit->capacity_bytes, here * (1.0 - cached) / stack->behind);
    }
}

/* By kind of node: the share of @visit's times that go to one. Returns: (transfer full). */
static double *shares_of(const AftDemandSum *sum, const AftVisit *visit)
{
    double *shares = g_new(double, sum->stacks->nodes->n_kinds);
    for (guint kind = 0; kind < sum->stacks->nodes->n_kinds; kind++) {
        shares[kind] = aft_visit_share(visit, sum->stacks, kind);
    }
    return shares;
}

static double coordinating(const AftDemandSum *sum, guint node, const double *background)
{
    return background != NULL ? background[sum->stacks->nodes->kind_of[node]] : sum->asking[node];
}

static void add_visit(AftDemandSum *sum, const AftVisit *visit, double times,
                      const double *background)
{
    const AftNodes *nodes = sum->stacks->nodes;
    g_autofree double *here = shares_of(sum, visit);
    for (guint node = 0; node < nodes->n; node++) {
        guint kind = nodes->kind_of[node];
        if (node != sum->down) {
            add_at_node(visit, times * visit->times, here[kind],
                        coordinating(sum, node, background), nodes->kind[kind].spec,
                        sum->at_s[node]);
        }
    }
    add_at_devices(sum, visit, times * visit->times);
}

static void add_coordination(AftDemandSum *sum, const AftTraffic *traffic, double times,
                             const double *background)
{
    const AftNodes *nodes = sum->stacks->nodes;
    for (guint node = 0; node < nodes->n; node++) {
        const AftNodeSpec *spec = nodes->kind[nodes->kind_of[node]].spec;
        double work_s = traffic->coordinator_s + traffic->requests * aft_parts_request_s(spec);
        if (node != sum->down && spec->controller.slots > 0) {
            sum->at_s[node][AFT_SCARCE_CONTROLLER] +=
                times * work_s * coordinating(sum, node, background) / spec->controller.slots;
        }
    }
}

void aft_demand_add(AftDemandSum *sum, const AftTraffic *traffic, double times, gboolean background)
{
    g_autofree double *shares = NULL;
    if (traffic->n == 0) {
        return;
    }
    if (background) {
        shares = shares_of(sum, &traffic->visit[traffic->n - 1]);
    }
    for (guint i = 0; i < traffic->n; i++) {
        add_visit(sum, &traffic->visit[i], times, shares);
    }
    add_coordination(sum, traffic, times, shares);
}

/* @devices: of all live nodes, be they in stacks or idle. */
static void get_devices(const AftDemandSum *sum, const AftLoad *loads, gboolean cache,
                        guint devices, AftDemand *access, AftDemand *transfer)
{
    *access = *transfer = (AftDemand){0};
    for (guint i = 0; i < sum->stacks->n; i++) {
        const AftStack *stack = &sum->stacks->stack[i];
        if (!cache || stack->cache != NULL) {
            double n = aft_stack_count(sum->stacks, stack) * (cache ? 1.0 : stack->behind);
            access->mean_s += n / devices * loads[i].access_s;
            access->most_s = MAX(access->most_s, loads[i].access_s);
            transfer->mean_s += n / devices * loads[i].transfer_s;
            transfer->most_s = MAX(transfer->most_s, loads[i].transfer_s);
        }
    }
}

/* Whether @node has the controller, or the port, that is @scarce. */
static gboolean has(const AftNodeSpec *node, guint scarce)
{
    return scarce == AFT_SCARCE_CONTROLLER ? node->controller.slots > 0
                                           : node->nic_bytes_per_s > 0.0;
}

static AftDemand get_at_nodes(const AftDemandSum *sum, guint scarce)
{
    const AftNodes *nodes = sum->stacks->nodes;
    AftDemand demand = {0};
    guint n = 0;
    for (guint node = 0; node < nodes->n; node++) {
        if (node != sum->down && has(nodes->kind[nodes->kind_of[node]].spec, scarce)) {
            demand.mean_s += sum->at_s[node][scarce];
            demand.most_s = MAX(demand.most_s, sum->at_s[node][scarce]);
            n++;
        }
    }
    demand.mean_s /= MAX(n, 1);
    return demand;
}

void aft_demand_get(const AftDemandSum *sum, AftDemand *ret_demand)
{
    const AftNodes *nodes = sum->stacks->nodes;
    for (guint s = 0; s < AFT_SCARCE_CACHE_ACCESS; s++) {
        ret_demand[s] = get_at_nodes(sum, s);
    }
    get_devices(sum, sum->cache, TRUE, aft_nodes_cache_devices(nodes),
                &ret_demand[AFT_SCARCE_CACHE_ACCESS], &ret_demand[AFT_SCARCE_CACHE_TRANSFER]);
    get_devices(sum, sum->capacity, FALSE, aft_nodes_capacity_devices(nodes),
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
