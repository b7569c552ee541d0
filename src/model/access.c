/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "access.h"

#include "address.h"

static AftSkew *skew_of(const AftClients *clients, guint64 seed, guint32 replication)
{
    AftStream ranks;
    aft_stream_init(&ranks, seed, replication, "workload.ranks", clients->index);
    return aft_skew_new(clients->set, clients->spec->theta, &ranks);
}

void aft_access_init(AftClients *clients, const AftScenario *scenario, guint32 replication)
{
    if (clients->spec->skew == AFT_SKEW_ZIPF) {
        clients->skew = skew_of(clients, scenario->run.seed, replication);
        clients->heat = aft_heat_of_workload(scenario, clients->index);
    }
    clients->plain = clients->mix == NULL && clients->skew == NULL;
}

void aft_access_clear(AftClients *clients)
{
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
