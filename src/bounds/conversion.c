/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "conversion.h"

#include "background.h"

#include <aftershock/scenario/services.h>

/* Sources read and targets written for one unit, which has @data units of data. */
typedef struct {
    guint data;
    double reads, writes, remote_reads, remote_writes;
} Steps;

static gboolean is_copies(const AftProtectionSpec *spec)
{
    return spec->data == 1;
}

/* One of the written nodes coordinates, and keeps what it writes itself. What stays where it is
 * is on other nodes than what is written; if all is written anew, a source may be anywhere. */
static Steps steps_of(const AftProtectionSpec *from, const AftProtectionSpec *to,
                      const AftNodes *nodes)
{
    Steps steps = {.data = to->data};
    guint width = aft_protection_width(to);
    if (is_copies(to)) { /* of copies, or of each data unit of a stripe: one stays */
        guint before = is_copies(from) ? aft_protection_width(from) : 1;
        steps.writes = width > before ? width - before : 0;
        steps.reads = steps.writes > 0.0 ? 1.0 : 0.0;
        steps.remote_reads = steps.reads;
    } else {
        gboolean strip = to->rewrite == AFT_REWRITE_STRIP;
        steps.reads = to->data;
        steps.writes = strip ? width : width - to->data;
        steps.remote_reads = steps.reads * (strip ? 1.0 - aft_nodes_same(nodes) : 1.0);
    }
    steps.remote_writes = steps.writes > 0.0 ? steps.writes - 1.0 : 0.0;
    return steps;
}

/* Members keep their size: groups of copies make stripes of so many data units, and the other way
 * round. */
static double member_bytes(const AftPoolSpec *pool)
{
    return (double)pool->logical_bytes / ((double)pool->placement_groups * pool->initial.data);
}

static AftConversionBounds conversion_of(const AftScenario *scenario, const AftPoolSpec *pool,
                                         AftTaskKind task, const AftProtectionSpec *from,
                                         const AftProtectionSpec *to)
{
    g_auto(AftNodes) nodes;
    aft_nodes_init(&nodes, scenario, pool, AFT_STATE_HEALTHY);
    Steps steps = steps_of(from, to, &nodes);
    double units = (double)pool->logical_bytes / steps.data; /* in bytes of one data unit */
    g_auto(AftStacks) stacks;
    aft_stacks_init(&stacks, &nodes, scenario->tiers.start, NULL);
    AftSetting setting = {.scenario = scenario, .nodes = &nodes, .stacks = &stacks};
    AftBackgroundUnit unit = {pool,
                              task,
                              aft_background_step(scenario, task, member_bytes(pool)),
                              steps.reads,
                              steps.writes,
                              steps.remote_reads,
                              steps.remote_writes};
    return (AftConversionBounds){
        .pool = pool,
        .task = task,
        .from = from,
        .to = to,
        .read_bytes = units * steps.reads,
        .written_bytes = units * steps.writes,
        .network_bytes = units * (steps.remote_reads + steps.remote_writes),
        .stored_before = aft_services_stored_as(pool, from),
        .stored_after = aft_services_stored_as(pool, to),
        .pace = aft_background_pace(&setting, &unit, units * steps.writes),
    };
}

static void add_timeline(const AftScenario *scenario, GArray *conversions)
{
    g_autofree const AftProtectionSpec **now = g_new(const AftProtectionSpec *, scenario->n_pools);
    for (guint i = 0; i < scenario->n_pools; i++) {
        now[i] = &scenario->pools[i].initial;
    }
    for (guint i = 0; i < scenario->n_timeline; i++) {
        const AftAction *action = &scenario->timeline[i];
        if (action->kind == AFT_ACTION_CONVERT) {
            const AftPoolSpec *pool = &scenario->pools[action->pool_index];
            AftTaskKind task = is_copies(&action->protection) ? AFT_TASK_CONVERT : AFT_TASK_ENCODE;
            AftConversionBounds conversion =
                conversion_of(scenario, pool, task, now[action->pool_index], &action->protection);
            conversion.action = action;
            g_array_append_val(conversions, conversion);
            now[action->pool_index] = &action->protection;
        }
    }
}

void aft_conversion_add_all(const AftScenario *scenario, GArray *conversions)
{
    for (guint i = 0; i < scenario->n_pools; i++) {
        const AftPoolSpec *pool = &scenario->pools[i];
        if (pool->protection.kind == AFT_SCHEME_ENCODE_LATER) {
            AftConversionBounds encoding =
                conversion_of(scenario, pool, AFT_TASK_ENCODE, &pool->initial, &pool->encoded);
            g_array_append_val(conversions, encoding);
        }
    }
    add_timeline(scenario, conversions);
}
