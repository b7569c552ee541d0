/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rebuild.h"

#include "demand.h"
#include "operation.h"

#include <math.h>

/* A unit of work, averaged over which member is missing and whose turn it is to be read. */
typedef struct {
    double bytes;
    double reads, writes;
    double response_s;
} Unit;

/* A member is written in whole units and a rest: what is fixed per unit counts for each. */
static double unit_bytes(const AftScenario *scenario, const AftPoolBounds *pool)
{
    double members =
        (double)pool->spec->placement_groups * aft_protection_width(&pool->spec->initial);
    double member = pool->protected_bytes / members;
    double units = ceil(member / (double)scenario->background.task[AFT_TASK_REBUILD].unit_bytes);
    return units > 0.0 ? member / units : 0.0;
}

static void count_plan(const AftScenario *scenario, const AftPlan *plan, double share, Unit *unit)
{
    for (guint i = 0; i < plan->stage_begin[plan->n_stages]; i++) {
        unit->writes += plan->step[i].write ? share : 0.0;
        unit->reads += plan->step[i].write ? 0.0 : share;
    }
    /* The node that is written coordinates, and has none of the others: reads cross the network,
     * the write does not. */
    unit->response_s +=
        share * aft_plan_response_s(&scenario->cluster.node, plan, unit->bytes, 1.0, 0.0, 0.0);
}

/* Returns: whether the loss of any member can be made good. */
static gboolean fill_unit(const AftScenario *scenario, const AftPoolBounds *pool, Unit *unit)
{
    const AftProtectionSpec *protection = &pool->spec->initial;
    guint width = aft_protection_width(protection);
    gboolean possible = TRUE;
    *unit = (Unit){.bytes = unit_bytes(scenario, pool)};
    for (guint i = 0; i < width * width; i++) {
        AftPlan plan;
        AftPlanRequest request = {
            .operation = AFT_OPERATION_REPAIR,
            .first = i / width,
            .units = 1,
            .current = aft_protection_everyone(protection) & ~((guint32)1 << i / width),
            .turn = i % width,
        };
        aft_protection_plan(protection, &request, &plan);
        possible = possible && plan.possible;
        count_plan(scenario, &plan, 1.0 / (width * width), unit);
    }
    return possible;
}

static void limit_to(AftRebuildBounds *rebuild, AftLimitKind limit, double bytes_per_s)
{
    if (bytes_per_s < rebuild->bytes_per_s) {
        rebuild->bytes_per_s = bytes_per_s;
        rebuild->limit = limit;
    }
}

static void fill_speed(const AftScenario *scenario, const Unit *unit, AftRebuildBounds *rebuild)
{
    const AftTaskSpec *task = &scenario->background.task[AFT_TASK_REBUILD];
    guint live = scenario->cluster.nodes - 1;
    AftVisits visits = {.bytes = unit->bytes,
                        .reads = unit->reads,
                        .writes = unit->writes,
                        .remote_reads = unit->reads};
    AftDemand demand[AFT_SCARCES];
    g_autofree double *even = g_new(double, live);
    for (guint i = 0; i < live; i++) {
        even[i] = 1.0 / live;
    }
    aft_demand_fill(&scenario->cluster.node, live, even, &visits, demand);
    rebuild->bottleneck = aft_demand_bottleneck(demand);
    rebuild->bytes_per_s = (double)INFINITY;
    limit_to(rebuild, AFT_LIMIT_SCARCE, unit->bytes / demand[rebuild->bottleneck].most_s);
    limit_to(rebuild, AFT_LIMIT_OUTSTANDING,
             (double)task->in_flight_per_node * live * unit->bytes / unit->response_s);
    if (task->bytes_per_s > 0.0) {
        limit_to(rebuild, AFT_LIMIT_BANDWIDTH, task->bytes_per_s);
    }
    rebuild->duration_s = rebuild->bytes / rebuild->bytes_per_s;
}

void aft_rebuild_fill(const AftScenario *scenario, const AftPoolBounds *pool,
                      AftRebuildBounds *ret_rebuild)
{
    Unit unit;
    guint nodes = scenario->cluster.nodes;
    *ret_rebuild = (AftRebuildBounds){
        .possible = fill_unit(scenario, pool, &unit),
        .target = nodes > aft_protection_width(&pool->spec->initial),
        .bytes = pool->protected_bytes / nodes,
    };
    if (!ret_rebuild->possible || unit.bytes <= 0.0) {
        return;
    }
    ret_rebuild->read_per_byte = unit.reads;
    ret_rebuild->network_per_byte = unit.reads;
    if (ret_rebuild->target) {
        fill_speed(scenario, &unit, ret_rebuild);
    }
}
