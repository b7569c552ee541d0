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

/* What every I/O passes through is inline. */

/** Lets @stream choose what @request is about; something must be live. */
static inline void aft_address_choose(const AftClients *clients, AftStream *stream,
                                      AftRequest *request)
{
    const AftPool *pool = clients->pool;
    guint32 chunk = clients->set->live[aft_stream_below(stream, clients->set->n_live)];
    request->group = aft_pool_group_of(pool, chunk);
    guint choices = clients->ways[pool->groups[request->group].layout].choices;
    request->first = (guint32)aft_stream_below(stream, choices);
    request->position = aft_stream_uniform(stream);
    request->write = aft_stream_uniform(stream) >= clients->spec->read_share;
}

/** Takes the plan for the members @current of a group of @layout. Returns: whether it is
 *  possible. */
static inline gboolean aft_address_take_plan(const AftClients *clients, AftRequest *request,
                                             guint layout, guint32 current)
{
    const AftWay *way = &clients->ways[layout];
    guint first = MIN(request->first, way->choices - 1); /* there may be fewer copies by now */
    request->plan =
        aft_plan_book_get(way->plans, request->write ? AFT_OPERATION_WRITE : AFT_OPERATION_READ,
                          first, current);
    request->bytes = way->step_bytes;
    request->decode_ns = way->decode_ns;
    if (request->plan->possible) {
        clients->pool->written_bytes += request->write ? way->written_bytes : 0.0;
        clients->pool->read_bytes += request->write ? 0.0 : way->read_bytes;
    }
    return request->plan->possible;
}

/** Plans @request by the state of its group, and counts what it writes. A write behind what a
 *  conversion has copied goes to the new copies too.
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
    if (group->conversion != NULL && request->write &&
        aft_conversion_passed(group->conversion, request->position)) {
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
