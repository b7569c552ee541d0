/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "access.h"

#include "address.h"
#include "chunks.h"
#include "nearby.h"
#include "replay.h"
#include "sequence.h"

#include <aftershock/scenario/services.h>

static AftSkew *skew_of(const AftClients *clients, guint64 seed, guint32 replication)
{
    AftStream ranks;
    aft_stream_init(&ranks, seed, replication, "workload.ranks", clients->index);
    return aft_skew_new(clients->set, clients->spec->theta, &ranks);
}

void aft_access_init(AftClients *clients, const AftScenario *scenario, guint32 replication)
{
    clients->heat = aft_heat_of_workload(scenario, clients->index);
    if (clients->spec->skew == AFT_SKEW_ZIPF) {
        clients->skew = skew_of(clients, scenario->run.seed, replication);
    }
    if (clients->spec->kind == AFT_WORKLOAD_TRACE) {
        clients->replay = aft_replay_new(clients);
    }
    clients->plain = clients->mix == NULL && clients->skew == NULL && clients->replay == NULL &&
                     clients->spec->access == AFT_ACCESS_RANDOM && clients->spec->locality <= 0.0;
}

void aft_access_clear(AftClients *clients)
{
    aft_replay_free(clients->replay);
    aft_skew_free(clients->skew);
    aft_heat_free(clients->heat);
}

static guint32 choose_chunk(const AftClients *clients, AftStream *stream)
{
    const AftWorkingSet *set = clients->set;
    return clients->skew != NULL ? aft_skew_draw(clients->skew, stream)
                                 : set->live[aft_stream_below(stream, set->n_live)];
}

static void choose_kind(const AftClients *clients, AftStream *stream, AftRequest *request)
{
    request->kind = clients->mix == NULL ? 0 : aft_discrete_draw(clients->mix, stream);
    const AftBlockKind *kind = &clients->kinds[request->kind];
    request->block_bytes = kind->block_bytes;
    request->write = aft_stream_uniform(stream) >= kind->read_share;
    request->work_ns = request->write ? kind->write_work_ns : kind->read_work_ns;
}

/* Looks for data on the node of @vm. Returns: FALSE: none was found. */
static gboolean choose_nearby(AftVm *vm, AftRequest *request, guint32 *ret_chunk)
{
    const AftClients *clients = vm->clients;
    for (guint i = aft_nearby_tries(clients->pool); i > 0; i--) {
        guint32 chunk = choose_chunk(clients, &vm->addresses);
        guint member = aft_nearby_member(clients->pool, chunk, vm->node);
        if (member != AFT_NO_MEMBER) {
            request->first = member;
            *ret_chunk = chunk;
            return TRUE;
        }
    }
    return FALSE;
}

/* Anywhere in the working set, or where a member is near that serves as the first unit. */
static void choose_place(AftVm *vm, AftRequest *request)
{
    const AftClients *clients = vm->clients;
    AftStream *stream = &vm->addresses;
    double locality = clients->spec->locality;
    guint32 chunk;
    gboolean nearby = locality > 0.0 && aft_stream_uniform(stream) < locality &&
                      choose_nearby(vm, request, &chunk);
    if (!nearby) {
        chunk = choose_chunk(clients, stream);
    }
    request->group = aft_pool_group_of(clients->pool, chunk);
    guint layout = clients->pool->groups[request->group].layout;
    guint choices = aft_address_way(clients, request, layout)->choices;
    request->first =
        nearby ? MIN(request->first, choices - 1) : (guint32)aft_stream_below(stream, choices);
    request->position = aft_stream_uniform(stream);
}

/* To @spot. An I/O that goes on beyond the end of its stripe is taken as one that ends there: it
 * stays one operation. Copies take turns, a stripe unit each. */
static void go_to(const AftClients *clients, AftSpot spot, AftRequest *request)
{
    const AftPool *pool = clients->pool;
    AftPlaceInChunk found = aft_chunk_find(pool, spot.chunk, spot.offset);
    const AftLayout *layout = aft_pool_layout(pool, found.group);
    guint64 unit_bytes = layout->spec.stripe_unit_bytes;
    guint64 units = (found.within + request->block_bytes + unit_bytes - 1) / unit_bytes;
    if (clients->replay != NULL) {
        request->kind = (guint)MIN(units, found.most) - 1;
    }
    guint choices = aft_address_way(clients, request, pool->groups[found.group].layout)->choices;
    gboolean copies = layout->spec.data == 1 && layout->width > 1;
    guint unit = copies ? (guint)(spot.offset / unit_bytes % choices) : found.unit;
    request->group = found.group;
    request->first = MIN(unit, choices - 1);
    request->position = found.position;
    request->place = found.place;
}

/* Sectors are whole. */
#define SECTOR_BYTES 512u

static void take_row(const AftClients *clients, AftRequest *request)
{
    const AftIoRow *row = aft_replay_row(clients->replay);
    guint64 sectors = MAX((row->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES, 1);
    guint64 chunk_bytes = aft_chunk_bytes(clients->pool);
    guint64 offset = row->offset % (chunk_bytes * clients->set->n_chunks);
    AftSpot spot = {(guint32)(offset / chunk_bytes), offset % chunk_bytes};
    request->write = row->write;
    request->block_bytes = (guint32)(sectors * SECTOR_BYTES);
    request->work_ns = aft_access_work_ns(clients->pool, row->write, request->block_bytes);
    go_to(clients, spot, request);
}

gint64 aft_access_work_ns(const AftPool *pool, gboolean write, guint64 bytes)
{
    AftServiceCost cost = write ? aft_services_write(pool->spec) : aft_services_read(pool->spec);
    return cost.io_ns + (gint64)((double)cost.per_mib_ns * (double)bytes / 1048576.0);
}

void aft_access_choose(AftVm *vm, AftRequest *request)
{
    const AftClients *clients = vm->clients;
    if (clients->replay != NULL) {
        take_row(clients, request);
    } else {
        choose_kind(clients, &vm->addresses, request);
        if (vm->spots != NULL) {
            go_to(clients, aft_sequence_next(vm, request->block_bytes), request);
        } else {
            choose_place(vm, request);
        }
    }
}
