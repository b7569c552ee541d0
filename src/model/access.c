/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "access.h"

#include "address.h"

void aft_access_init(AftClients *clients)
{
    clients->plain = clients->mix == NULL;
}

void aft_access_clear(AftClients *clients G_GNUC_UNUSED)
{
}

static guint32 choose_chunk(const AftClients *clients, AftStream *stream)
{
    return clients->set->live[aft_stream_below(stream, clients->set->n_live)];
}

static void choose_kind(const AftClients *clients, AftStream *stream, AftRequest *request)
{
    request->kind = clients->mix == NULL ? 0 : aft_discrete_draw(clients->mix, stream);
    const AftBlockKind *kind = &clients->kinds[request->kind];
    request->block_bytes = kind->block_bytes;
    request->write = aft_stream_uniform(stream) >= kind->read_share;
}

void aft_access_choose(AftVm *vm, AftRequest *request)
{
    const AftClients *clients = vm->clients;
    const AftPool *pool = clients->pool;
    AftStream *stream = &vm->addresses;
    choose_kind(clients, stream, request);
    request->group = aft_pool_group_of(pool, choose_chunk(clients, stream));
    const AftWay *way = aft_address_way(clients, request, pool->groups[request->group].layout);
    request->first = (guint32)aft_stream_below(stream, way->choices);
    request->position = aft_stream_uniform(stream);
}
