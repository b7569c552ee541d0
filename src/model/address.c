/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "address.h"

/* A block covers whole stripe units, or part of one; of a longer block every member takes an
 * equal part. */
static guint units_of(const AftWorkloadSpec *spec, const AftProtectionSpec *protection)
{
    guint64 units =
        (spec->block_bytes + protection->stripe_unit_bytes - 1) / protection->stripe_unit_bytes;
    return (guint)MIN(units, protection->data);
}

/* Per member, when all that clients write is spread over the groups of hot chunks evenly. */
static double bytes_per_write(const AftPool *pool, const AftLayout *layout, const AftWay *way)
{
    const AftPlan *plan = aft_plan_book_get(way->plans, AFT_OPERATION_WRITE, 0, layout->everyone);
    double chunks = pool->strip_chunks > 0 && layout->coded ? pool->strip_chunks : 1.0;
    guint writes = 0;
    for (guint i = 0; i < plan->stage_begin[plan->n_stages]; i++) {
        writes += plan->step[i].write;
    }
    return (double)writes * way->step_bytes * chunks /
           ((double)MAX(pool->hot_chunks, 1) * layout->width);
}

static AftWay way_to(const AftClients *clients, const AftLayout *layout)
{
    guint units = units_of(clients->spec, &layout->spec);
    AftWay way = {
        .plans = aft_plan_book_new(&layout->spec, units),
        .step_bytes = (guint32)(clients->spec->block_bytes / units),
        .choices = aft_protection_choices(&layout->spec, units),
        .decode_ns = layout->spec.degraded_ns,
    };
    way.written_bytes = bytes_per_write(clients->pool, layout, &way);
    return way;
}

void aft_address_init(AftClients *clients)
{
    AftPool *pool = clients->pool;
    clients->set =
        aft_pool_working_set(pool, aft_pool_chunks_of(pool, clients->spec->working_set_bytes));
    clients->ways = g_new(AftWay, pool->n_layouts);
    for (guint i = 0; i < pool->n_layouts; i++) {
        clients->ways[i] = way_to(clients, &pool->layouts[i]);
    }
}

void aft_address_clear(AftClients *clients)
{
    for (guint i = 0; i < clients->pool->n_layouts; i++) {
        aft_plan_book_free(clients->ways[i].plans);
    }
    g_free(clients->ways);
}

/* The unit of a strip that the chunk is: the block begins there, or as late as it can. */
static guint unit_of(const AftClients *clients, guint group, guint chunk)
{
    guint last = clients->ways[clients->pool->groups[group].layout].choices - 1;
    return MIN(chunk % clients->pool->strip_chunks, last);
}

void aft_address_follow(const AftClients *clients, AftRequest *request)
{
    const AftPool *pool = clients->pool;
    gboolean was_coded = aft_pool_layout(pool, request->group)->coded;
    guint chunk = aft_pool_first_chunk(pool, request->group) + (was_coded ? request->first : 0);
    request->group = aft_pool_group_of(pool, chunk);
    request->first = was_coded ? 0 : unit_of(clients, request->group, chunk);
}

/* Where a member of a group is to be found at @position of the group: a transfer that has come
 * that far has brought it to its target. Returns: whether it is current there. */
static gboolean locate(const AftPool *pool, const AftGroup *group, const AftMember *member, guint m,
                       double position, guint32 *ret_device)
{
    const AftTransfer *transfer = member->transfer;
    if (transfer != NULL && position < aft_transfer_progress(transfer)) {
        *ret_device = transfer->target;
        return pool->topology->nodes[pool->topology->devices[transfer->target].node].alive;
    }
    *ret_device = member->device;
    return (group->current >> m & 1) != 0;
}

static guint32 locate_members(const AftPool *pool, const AftRequest *request, guint32 *ret_devices)
{
    const AftGroup *group = &pool->groups[request->group];
    guint32 current = 0;
    for (guint m = 0; m < aft_pool_layout(pool, request->group)->width; m++) {
        const AftMember *member = aft_pool_member(pool, request->group, m);
        current |= (guint32)locate(pool, group, member, m, request->position, &ret_devices[m]) << m;
    }
    return current;
}

gboolean aft_address_plan_moving(const AftClients *clients, AftRequest *request)
{
    guint32 devices[AFT_WIDTH_MOST];
    guint32 current = locate_members(clients->pool, request, devices);
    guint layout = clients->pool->groups[request->group].layout;
    if (!aft_address_take_plan(clients, request, layout, current)) {
        return FALSE;
    }
    for (guint i = 0; i < request->plan->stage_begin[request->plan->n_stages]; i++) {
        request->device[i] = devices[request->plan->step[i].member];
    }
    return TRUE;
}
