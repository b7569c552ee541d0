/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "address.h"

#include "sectors.h"

#include <aftershock/scenario/services.h>

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

/* The same of what they read, over the chunks that they work on. */
static double read_per_byte(const AftPool *pool, const AftLayout *layout, const AftWay *way)
{
    const AftPlan *plan = aft_plan_book_get(way->plans, AFT_OPERATION_READ, 0, layout->everyone);
    double chunks = pool->strip_chunks > 0 && layout->coded ? pool->strip_chunks : 1.0;
    double members = MAX(pool->working_chunks, 1.0) * layout->width;
    return (double)plan->stage_begin[plan->n_stages] * chunks / members;
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
        .decode_ns = layout->spec.degraded_ns + aft_services_degraded_ns(clients->pool->spec),
        .update_ns = layout->spec.update_ns,
    };
    way.written_per_byte = written_per_byte(clients->pool, layout, &way);
    way.read_per_byte = read_per_byte(clients->pool, layout, &way);
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

static gboolean plan_at(const AftClients *clients, AftRequest *request, guint32 current,
                        const guint32 *devices)
{
    guint layout = clients->pool->groups[request->group].layout;
    if (!aft_address_take_plan(clients, request, layout, current)) {
        return FALSE;
    }
    for (guint i = 0; i < request->plan->stage_begin[request->plan->n_stages]; i++) {
        request->device[i] = devices[request->plan->step[i].member];
    }
    return TRUE;
}

/* The sector of each member that @request begins in. */
static guint64 offset_of(const AftPool *pool, const AftRequest *request)
{
    guint64 offset = (guint64)(request->position * pool->member_bytes);
    return offset - offset % AFT_SECTOR_BYTES;
}

/* What is written need not be read first. */
static void write_over_errors(const AftPool *pool, const AftRequest *request)
{
    for (guint i = 0; i < request->plan->stage_begin[request->plan->n_stages]; i++) {
        if (request->plan->step[i].write) {
            aft_sectors_write(pool->sectors, request->group, request->device[i],
                              offset_of(pool, request), request->bytes);
        }
    }
}

/* Returns: the members that have errors where @request reads them. */
static guint32 read_errors(const AftPool *pool, const AftRequest *request)
{
    guint32 bad = 0;
    for (guint i = 0; i < request->plan->stage_begin[request->plan->n_stages]; i++) {
        const AftStep *step = &request->plan->step[i];
        if (!step->write &&
            aft_sectors_read(pool->sectors, request->group, request->device[i],
                             offset_of(pool, request), request->bytes, "client", TRUE)) {
            bad |= 1u << step->member;
        }
    }
    return bad;
}

/* A read that meets an error is served by the other members, as far as they suffice. */
static void meet_errors(const AftClients *clients, AftRequest *request, guint32 current,
                        const guint32 *devices)
{
    const AftPool *pool = clients->pool;
    const AftProtectionSpec *spec = &aft_pool_layout(pool, request->group)->spec;
    write_over_errors(pool, request);
    guint32 bad = read_errors(pool, request);
    if (bad != 0 && !request->write && aft_protection_readable(spec, current & ~bad)) {
        plan_at(clients, request, current & ~bad, devices);
    }
}

gboolean aft_address_plan_by_position(const AftClients *clients, AftRequest *request)
{
    guint32 devices[AFT_WIDTH_MOST];
    guint32 current = aft_pool_locate(clients->pool, request->group, request->position, devices);
    if (!plan_at(clients, request, current, devices)) {
        return FALSE;
    }
    if (clients->pool->groups[request->group].spoiled) {
        meet_errors(clients, request, current, devices);
    }
    return TRUE;
}

gboolean aft_address_reads_first(const AftClients *clients, const AftRequest *request)
{
    const AftPool *pool = clients->pool;
    const AftGroup *group = &pool->groups[request->group];
    guint layout = group->layout;
    guint32 devices[AFT_WIDTH_MOST], current = group->current;
    if (clients->destager != NULL) {
        return FALSE; /* it goes to a log */
    }
    if (group->moving > 0 || group->spoiled) {
        current = aft_pool_locate(pool, request->group, request->position, devices);
    } else if (aft_address_is_passed(group, request)) {
        layout = group->conversion->layout;
        current = pool->layouts[layout].everyone;
    }
    const AftWay *way = aft_address_way(clients, request, layout);
    const AftPlan *plan = aft_plan_book_get(way->plans, AFT_OPERATION_WRITE,
                                            MIN(request->first, way->choices - 1), current);
    return plan->possible && !plan->step[0].write;
}
