/* SPDX-License-Identifier: GPL-3.0-or-later */
/* address.h - where a client's I/O goes: to a chunk, hence to a group and a unit of its stripe, and
 * by a plan of the group's layout to devices.
 *
 * What the I/O is about stays the same while its group is converted; where that is does not. So the
 * group is looked up again, and the plan made, whenever the I/O sets out.
 */
#pragma once

#include "clients.h"
#include "conversion.h"

/** Makes the working set and the ways of @clients, whose pool and spec are set. */
void aft_address_init(AftClients *clients);

void aft_address_clear(AftClients *clients);

/** The group of @request is in use no longer: finds the one that its data is in now. */
void aft_address_follow(const AftClients *clients, AftRequest *request);

/** aft_address_plan() while members of the group are on their way, or have latent errors. */
gboolean aft_address_plan_by_position(const AftClients *clients, AftRequest *request);

/** Whether @request, a write, would read before it writes if it set out now. */
gboolean aft_address_reads_first(const AftClients *clients, const AftRequest *request);

/* What every I/O passes through is inline. */

/** How I/O of the kind of @request goes to groups of @layout. */
static inline const AftWay *aft_address_way(const AftClients *clients, const AftRequest *request,
                                            guint layout)
{
    return &clients->ways[layout * clients->n_kinds + request->kind];
}

/** Lets @stream choose what @request is about, where there is one kind of I/O: anything in the
 *  working set, of which something must be live. */
static inline void aft_address_choose(const AftClients *clients, AftStream *stream,
                                      AftRequest *request)
{
    const AftPool *pool = clients->pool;
    guint32 chunk = clients->set->live[aft_stream_below(stream, clients->set->n_live)];
    request->kind = 0;
    request->group = aft_pool_group_of(pool, chunk);
    const AftWay *way = aft_address_way(clients, request, pool->groups[request->group].layout);
    request->first = (guint32)aft_stream_below(stream, way->choices);
    request->position = aft_stream_uniform(stream);
    request->write = aft_stream_uniform(stream) >= clients->kinds[0].read_share;
    request->block_bytes = clients->kinds[0].block_bytes;
    request->work_ns =
        request->write ? clients->kinds[0].write_work_ns : clients->kinds[0].read_work_ns;
}

/** The bytes of a step of @request, whose bytes are its own. */
static inline guint32 aft_address_part(const AftRequest *request, const AftWay *way)
{
    return (request->block_bytes + way->units - 1) / way->units;
}

/** Takes the plan for the members @current of a group of @layout. Returns: whether it is
 *  possible. */
static inline gboolean aft_address_take_plan(const AftClients *clients, AftRequest *request,
                                             guint layout, guint32 current)
{
    const AftWay *way = aft_address_way(clients, request, layout);
    guint first = MIN(request->first, way->choices - 1); /* there may be fewer copies by now */
    request->plan =
        aft_plan_book_get(way->plans, request->write ? AFT_OPERATION_WRITE : AFT_OPERATION_READ,
                          first, current);
    request->bytes = way->step_bytes > 0 ? way->step_bytes : aft_address_part(request, way);
    request->decode_ns = way->decode_ns;
    request->update_ns = request->write && !request->plan->step[0].write ? way->update_ns : 0;
    if (request->plan->possible) {
        AftPool *pool = clients->pool;
        pool->written_bytes += request->write ? way->written_per_byte * request->bytes : 0.0;
        pool->read_bytes += request->write ? 0.0 : way->read_per_byte * request->bytes;
    }
    return request->plan->possible;
}

/** Whether @request is a write behind what a conversion of @group has copied, so to the new copies
 *  too. */
static inline gboolean aft_address_is_passed(const AftGroup *group, const AftRequest *request)
{
    return group->conversion != NULL && request->write &&
           aft_conversion_passed(group->conversion, request->position);
}

/** Plans @request by the state of its group, and counts what it writes.
 *  Returns: FALSE when its data is not readable. */
static inline gboolean aft_address_plan(const AftClients *clients, AftRequest *request)
{
    const AftPool *pool = clients->pool;
    const AftGroup *group = &pool->groups[request->group];
    const AftMember *members = aft_pool_member(pool, request->group, 0);
    guint layout = group->layout;
    guint32 current = group->current;
    if (group->moving > 0 || group->spoiled) {
        return aft_address_plan_by_position(clients, request);
    }
    if (aft_address_is_passed(group, request)) {
        layout = group->conversion->layout;
        current = pool->layouts[layout].everyone;
    }
    if (!aft_address_take_plan(clients, request, layout, current)) {
        return FALSE;
    }
    for (guint i = 0; i < request->plan->stage_begin[request->plan->n_stages]; i++) {
        request->device[i] = members[request->plan->step[i].member].device;
    }
    return TRUE;
}
