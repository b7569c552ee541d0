/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "address.h"

/* Per member, when all that clients write is spread over the groups of hot chunks evenly. */
static double written_per_byte(const AftPool *pool, const AftLayout *layout, const AftWay *way)
{
    const AftPlan *plan = aft_plan_book_get(way->plans, AFT_OPERATION_WRITE, 0, layout->everyone);
    double chunks = pool->strip_chunks > 0 && layout->coded ? pool->strip_chunks : 1.0;
    guint writes = 0;
    for (guint i = 0; i < plan->stage_begin[plan->n_stages]; i++) {
        writes += plan->step[i].write;
    }
    return (double)writes * chunks / ((double)MAX(pool->hot_chunks, 1) * layout->width);
}

static AftWay way_to(const AftClients *clients, const AftLayout *layout, guint kind)
{
    guint64 block_bytes = clients->kinds[kind].block_bytes;
    gboolean trace = clients->spec->kind == AFT_WORKLOAD_TRACE;
    guint units =
        trace ? MIN(kind + 1, layout->spec.data) : aft_protection_units(&layout->spec, block_bytes);
    AftWay way = {
        .plans = aft_plan_book_new(&layout->spec, units),
        .units = units,
        .step_bytes = (guint32)(block_bytes / units),
        .choices = aft_protection_choices(&layout->spec, units),
        .decode_ns = layout->spec.degraded_ns,
    };
    way.written_per_byte = written_per_byte(clients->pool, layout, &way);
    return way;
}

void aft_address_init(AftClients *clients)
{
    AftPool *pool = clients->pool;
    clients->set =
        aft_pool_working_set(pool, aft_pool_chunks_of(pool, clients->spec->working_set_bytes));
    clients->ways = g_new(AftWay, pool->n_layouts * clients->n_kinds);
    for (guint i = 0; i < pool->n_layouts * clients->n_kinds; i++) {
        clients->ways[i] =
            way_to(clients, &pool->layouts[i / clients->n_kinds], i % clients->n_kinds);
    }
}

void aft_address_clear(AftClients *clients)
{
    for (guint i = 0; i < clients->pool->n_layouts * clients->n_kinds; i++) {
        aft_plan_book_free(clients->ways[i].plans);
    }
    g_free(clients->ways);
}

void aft_address_follow(const AftClients *clients, AftRequest *request)
{
    const AftPool *pool = clients->pool;
    guint unit;
    request->group = aft_pool_follow(pool, request->group, request->first, &unit);
    /* The block begins there, or as late as it can. */
    guint layout = pool->groups[request->group].layout;
    request->first = MIN(unit, aft_address_way(clients, request, layout)->choices - 1);
}

gboolean aft_address_plan_moving(const AftClients *clients, AftRequest *request)
{
    guint32 devices[AFT_WIDTH_MOST];
    guint32 current = aft_pool_locate(clients->pool, request->group, request->position, devices);
    guint layout = clients->pool->groups[request->group].layout;
    if (!aft_address_take_plan(clients, request, layout, current)) {
        return FALSE;
    }
    for (guint i = 0; i < request->plan->stage_begin[request->plan->n_stages]; i++) {
        request->device[i] = devices[request->plan->step[i].member];
    }
    return TRUE;
}
