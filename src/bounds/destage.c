/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "destage.h"

#include "parts.h"

#include <aftershock/scenario/services.h>
#include <math.h>

/* Reads, or writes, of one unit as it is in the buffer. */
static AftVisit visit_of(const AftSetting *setting, const AftPoolSpec *pool, gboolean write)
{
    double unit = (double)setting->scenario->tiers.unit_bytes;
    AftServiceCost service = write ? aft_services_destage(pool) : (AftServiceCost){0};
    return (AftVisit){
        .write = write,
        .place = AFT_AT_CAPACITY,
        .times = 1.0,
        .bytes = unit,
        .cache_bytes = unit,
        .capacity_bytes = unit * aft_services_ratio(pool) / aft_services_inline_ratio(pool),
        .map_ios = service.metadata,
        .work_factor = 1.0,
        .work_ns = service.io_ns,
        .work_per_mib_ns = service.per_mib_ns,
    };
}

void aft_destage_copy(const AftSetting *setting, const AftPoolSpec *pool, AftVisitSpread spread,
                      AftTraffic *ret_traffic)
{
    AftVisit read = visit_of(setting, pool, FALSE), write = visit_of(setting, pool, TRUE);
    read.place = AFT_AT_CACHE;
    read.spread = write.spread = spread;
    *ret_traffic = (AftTraffic){0};
    aft_traffic_add(ret_traffic, &read);
    aft_traffic_add(ret_traffic, &write);
}

double aft_destage_pace(const AftSetting *setting, double response_s)
{
    double at_once =
        (double)aft_nodes_cache_devices(setting->nodes) * setting->scenario->tiers.in_flight;
    return at_once / response_s;
}

static void fill_front(const AftSetting *setting, const AftPoolSpec *pool, AftDestageCost *destage,
                       AftTraffic *traffic)
{
    const AftCourse course = {
        .share = 1.0, .units = 1, .n_stages = 2, .writes = {0, 1}, .cache_reads = 1};
    destage->units = 1.0;
    destage->bytes = (double)setting->scenario->tiers.unit_bytes;
    aft_destage_copy(setting, pool, AFT_SPREAD_FRESH, traffic);
    destage->cost.courses = g_array_new(FALSE, FALSE, sizeof(AftCourse));
    g_array_append_val(destage->cost.courses, course);
    for (guint i = 0; i < traffic->n; i++) {
        destage->cost.response_s += aft_visit_s(&traffic->visit[i], setting->stacks);
    }
}

/* Sums over the plans of destages of a log. */
typedef struct {
    const AftSetting *setting;
    const AftProtectionSpec *spec;
    AftVisit log, read, write; /* of one unit each */
    double log_s, read_s, write_s, decode_s;
    AftOperationCost cost; /* reads, writes, degraded, courses, response */
    double units;
    double remote_reads, remote_writes;
    double served;
} Merge;

/* The member whose node keeps the log, and coordinates: the first that is there. */
static guint keeper(guint32 current, guint first, guint width)
{
    while (!(current >> first & 1)) {
        first = (first + 1) % width;
    }
    return first;
}

/* The log is read with the first reads of the plan, or before its writes. */
static double merge_s(const Merge *merge, const AftPlan *plan)
{
    double s = aft_plan_response_s(plan, merge->read_s, merge->write_s);
    s += plan->step[0].write ? merge->log_s : MAX(merge->log_s - merge->read_s, 0.0);
    return s + (plan->degraded && merge->setting->manned ? merge->decode_s : 0.0);
}

static void add_plan(Merge *merge, const AftPlanRequest *request, double share)
{
    AftPlan plan;
    AftCourse like = {.units = request->units, .cache_reads = request->units};
    aft_protection_plan(merge->spec, request, &plan);
    if (!plan.possible) {
        return;
    }
    guint home = keeper(request->current, request->first, aft_protection_width(merge->spec));
    for (guint i = 0; i < plan.stage_begin[plan.n_stages]; i++) {
        double remote =
            plan.step[i].member == home ? 0.0 : share * (1.0 - merge->setting->nodes->shared);
        merge->remote_reads += plan.step[i].write ? 0.0 : remote;
        merge->remote_writes += plan.step[i].write ? remote : 0.0;
    }
    merge->served += share;
    merge->units += share * request->units;
    aft_cost_add_plan(&merge->cost, &plan, share, &like);
    merge->cost.response_s += share * merge_s(merge, &plan);
}

/* All places of @units of a stripe, in all states. */
static void add_units(Merge *merge, guint units, double share)
{
    guint choices = aft_protection_choices(merge->spec, units);
    AftStripeState states[AFT_WIDTH_MOST + 1];
    guint n = aft_stripe_states(merge->spec, merge->setting->nodes->missing, states);
    for (guint i = 0; i < n * choices; i++) {
        AftPlanRequest request = {.operation = AFT_OPERATION_WRITE,
                                  .first = i % choices,
                                  .units = units,
                                  .current = states[i / choices].current};
        add_plan(merge, &request, share * states[i / choices].share / choices);
    }
}

/* The chance that just @k of @n are, when each is with chance @p. */
static double binomial(guint n, guint k, double p)
{
    double chance = pow(p, k) * pow(1.0 - p, n - k);
    for (guint i = 1; i <= k; i++) {
        chance *= (double)(n - k + i) / i;
    }
    return chance;
}

/* Sums over how many units have coalesced. */
static void add_all(Merge *merge, guint least_units)
{
    const AftStacks *stacks = merge->setting->stacks;
    guint others = merge->spec->data - 1;
    double dirty = 1.0 - stacks->fresh / stacks->cached;
    merge->log_s = aft_visit_s(&merge->log, stacks);
    merge->read_s = aft_visit_s(&merge->read, stacks);
    merge->write_s = aft_visit_s(&merge->write, stacks);
    for (guint more = 0; more <= others; more++) {
        double share = binomial(others, more, dirty);
        if (share > 0.0) {
            add_units(merge, MAX(least_units, 1 + more), share);
        }
    }
    aft_cost_settle(&merge->cost, merge->served);
}

/* At least @units of a stripe were written at once. */
static void fill_log(const AftSetting *setting, const AftPoolSpec *pool, guint units,
                     AftDestageCost *destage, AftTraffic *traffic)
{
    Merge merge = {.setting = setting,
                   .spec = &pool->initial,
                   .log = visit_of(setting, pool, FALSE),
                   .read = visit_of(setting, pool, FALSE),
                   .write = visit_of(setting, pool, TRUE)};
    merge.decode_s = aft_parts_decode_s(pool);
    merge.log.place = AFT_AT_CACHE;
    merge.log.spread = AFT_SPREAD_FRESH;
    add_all(&merge, units);
    merge.log.times = merge.units / merge.served;
    merge.read.times = merge.cost.reads;
    merge.write.times = merge.cost.writes;
    merge.read.remote =
        merge.cost.reads > 0.0 ? merge.remote_reads / merge.served / merge.cost.reads : 0.0;
    merge.write.remote = merge.remote_writes / merge.served / merge.cost.writes;
    aft_traffic_add(traffic, &merge.log);
    aft_traffic_add(traffic, &merge.read);
    aft_traffic_add(traffic, &merge.write);
    traffic->coordinator_s = merge.cost.degraded * merge.decode_s;
    destage->units = merge.log.times;
    destage->bytes = destage->units * (double)setting->scenario->tiers.unit_bytes;
    destage->cost = (AftOperationCost){.courses = merge.cost.courses,
                                       .degraded = merge.cost.degraded,
                                       .response_s = merge.cost.response_s};
}

/* Bytes that a write adds to buffers which are destaged: of two logs, one. */
static double added_bytes(const AftSetting *setting, const AftPoolSpec *pool,
                          const AftBlockBounds *block, const AftOperationCost *write)
{
    double bytes =
        setting->stacks->log ? (double)block->spec->block_bytes : write->writes * block->step_bytes;
    return bytes * aft_services_inline_ratio(pool) * setting->stacks->fresh;
}

void aft_destage_fill(const AftSetting *setting, const AftPoolSpec *pool,
                      const AftBlockBounds *block, const AftOperationCost *write,
                      AftDestageCost *ret_destage, AftTraffic *ret_traffic)
{
    double bytes = added_bytes(setting, pool, block, write);
    *ret_destage = (AftDestageCost){0};
    *ret_traffic = (AftTraffic){0};
    if (bytes <= 0.0 || block->spec->read_share >= 1.0) {
        return;
    }
    if (setting->stacks->log) {
        /* Who writes block after block has filled the stripe before its turn comes. */
        fill_log(setting, pool, setting->follows ? pool->initial.data : block->units, ret_destage,
                 ret_traffic);
    } else {
        fill_front(setting, pool, ret_destage, ret_traffic);
    }
    ret_destage->per_write = bytes / ret_destage->bytes;
    aft_traffic_count(ret_traffic, setting->stacks, &ret_destage->cost);
}
