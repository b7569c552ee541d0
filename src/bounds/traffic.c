/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traffic.h"

#include "parts.h"

void aft_traffic_add(AftTraffic *traffic, const AftVisit *visit)
{
    if (visit->times > 0.0) {
        g_assert(traffic->n < AFT_VISITS_MOST);
        traffic->visit[traffic->n++] = *visit;
    }
}

double aft_visit_weight(const AftVisit *visit, const AftStacks *stacks, const AftStack *stack)
{
    switch (visit->spread) {
    case AFT_SPREAD_ALL:
        return stack->share;
    case AFT_SPREAD_CACHED:
        return stack->cache != NULL ? stack->share / stacks->cached : 0.0;
    default:
        return stack->cache != NULL ? stack->share * stack->fresh / stacks->fresh : 0.0;
    }
}

double aft_visit_cached(const AftVisit *visit, const AftStack *stack)
{
    if (stack->cache == NULL || visit->place == AFT_AT_CAPACITY) {
        return 0.0;
    }
    return visit->write || visit->place == AFT_AT_CACHE ? 1.0 : stack->hit;
}

/* On a device like @disk, with the map first. */
static double disk_s(const AftVisit *visit, gboolean follows, const AftDiskSpec *disk, double bytes)
{
    return aft_parts_disk_s(disk, visit->write, follows, bytes) +
           visit->map_ios * aft_parts_disk_s(disk, visit->write, FALSE, AFT_METADATA_BYTES);
}

static double device_s(const AftVisit *visit, const AftStacks *stacks)
{
    double mean_s = 0.0;
    for (guint i = 0; i < stacks->n; i++) {
        const AftStack *stack = &stacks->stack[i];
        double share = aft_stack_count(stacks, stack) * aft_visit_weight(visit, stacks, stack);
        double cached = aft_visit_cached(visit, stack);
        if (cached > 0.0) {
            mean_s += share * cached * disk_s(visit, FALSE, stack->cache, visit->cache_bytes);
        }
        mean_s += share * (1.0 - cached) *
                  disk_s(visit, visit->follows, stack->capacity, visit->capacity_bytes);
    }
    return mean_s;
}

double aft_visit_share(const AftVisit *visit, const AftStacks *stacks, guint kind)
{
    double share = 0.0;
    for (guint i = 0; i < stacks->n; i++) {
        const AftStack *stack = &stacks->stack[i];
        if (stack->kind == kind) {
            share += stack->n * aft_visit_weight(visit, stacks, stack);
        }
    }
    return share;
}

double aft_visit_controller_s(const AftVisit *visit, const AftNodeSpec *node)
{
    return aft_parts_controller_s(node, visit->bytes) * visit->work_factor +
           aft_parts_work_s(node, visit->work_ns, visit->work_per_mib_ns, visit->bytes);
}

/* On the way to the device: the port and the controller of its node. */
static double node_s(const AftVisit *visit, const AftNodeSpec *node)
{
    gint64 latency_ns =
        visit->write ? node->controller.write_latency_ns : node->controller.read_latency_ns;
    return visit->remote * aft_parts_wire_s(node, visit->bytes) +
           aft_visit_controller_s(visit, node) + (visit->paced ? (double)latency_ns / 1e9 : 0.0);
}

double aft_visit_s(const AftVisit *visit, const AftStacks *stacks)
{
    double s = device_s(visit, stacks) + visit->delay_s;
    for (guint i = 0; i < stacks->nodes->n_kinds; i++) {
        const AftNodeKind *kind = &stacks->nodes->kind[i];
        s += kind->n * aft_visit_share(visit, stacks, i) * node_s(visit, kind->spec);
    }
    return s;
}

/* The shares of @visit's times that go to cache devices and to others: each a sum of its own, so
 * that nothing is left where all go to one kind. */
static double share_of(const AftVisit *visit, const AftStacks *stacks, gboolean in_cache)
{
    double share = 0.0;
    for (guint i = 0; i < stacks->n; i++) {
        const AftStack *stack = &stacks->stack[i];
        double cached = aft_visit_cached(visit, stack);
        share += aft_stack_count(stacks, stack) * aft_visit_weight(visit, stacks, stack) *
                 (in_cache ? cached : 1.0 - cached);
    }
    return share;
}

static void count(const AftVisit *visit, const AftStacks *stacks, AftOperationCost *cost)
{
    double cached = share_of(visit, stacks, TRUE), other = share_of(visit, stacks, FALSE);
    double map_bytes = visit->map_ios * AFT_METADATA_BYTES;
    double cache_bytes = visit->times * cached * (visit->cache_bytes + map_bytes);
    double capacity_bytes = visit->times * other * (visit->capacity_bytes + map_bytes);
    cost->controller_bytes += visit->times * visit->bytes;
    cost->network_bytes += visit->times * visit->remote * visit->bytes;
    cost->map_ios += visit->times * visit->map_ios;
    if (visit->write) {
        cost->writes += visit->times;
        cost->cache_written_bytes += cache_bytes;
        cost->capacity_written_bytes += capacity_bytes;
    } else {
        cost->hits =
            (cost->hits * cost->reads + cached * visit->times) / (cost->reads + visit->times);
        cost->reads += visit->times;
        cost->cache_read_bytes += cache_bytes;
        cost->capacity_read_bytes += capacity_bytes;
    }
}

void aft_traffic_count(const AftTraffic *traffic, const AftStacks *stacks, AftOperationCost *cost)
{
    for (guint i = 0; i < traffic->n; i++) {
        count(&traffic->visit[i], stacks, cost);
    }
}
