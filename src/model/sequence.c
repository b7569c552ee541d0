/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sequence.h"

#include "chunks.h"

#define LOST_MOST 64 /* chunks in a row that are passed before another place is taken */

/* Part @i of @n of @whole begins there. */
static guint64 begin_of_part(guint64 whole, guint64 i, guint64 n)
{
    return (guint64)((double)whole / (double)n * (double)i);
}

/* The part of the working set that belongs to @vm, in chunks: the whole ones in it, or the one that
 * it is in. */
typedef struct {
    guint first, n;
} Part;

static Part part_of(const AftVm *vm)
{
    guint chunks = vm->clients->set->n_chunks, vms = vm->clients->n_vms;
    guint first = (guint)begin_of_part(chunks, vm->index, vms);
    guint next = (guint)begin_of_part(chunks, vm->index + 1, vms);
    first = MIN(first, chunks - 1);
    return (Part){first, MAX(MIN(next, chunks), first + 1) - first};
}

/* Machines that share a chunk begin at different places in it. */
void aft_sequence_begin(AftVm *vm)
{
    const AftWorkloadSpec *spec = vm->clients->spec;
    guint64 chunk_bytes = aft_chunk_bytes(vm->clients->pool);
    Part part = part_of(vm);
    if (spec->access != AFT_ACCESS_SEQUENTIAL) {
        return;
    }
    vm->spots = g_new(AftSpot, spec->streams);
    guint sharing = MAX(vm->clients->n_vms / vm->clients->set->n_chunks, 1);
    guint64 shift = part.n > 1 ? 0 : begin_of_part(chunk_bytes, vm->index % sharing, sharing);
    for (guint i = 0; i < spec->streams; i++) {
        guint64 at = begin_of_part(part.n * chunk_bytes, i, spec->streams) + shift;
        at %= part.n * chunk_bytes;
        vm->spots[i] = (AftSpot){part.first + (guint32)(at / chunk_bytes), at % chunk_bytes};
    }
}

/* The beginning of the chunk behind @spot, in the part of @vm. */
static void next_chunk(const AftVm *vm, AftSpot *spot)
{
    Part part = part_of(vm);
    guint32 next = spot->chunk + 1;
    gboolean inside = next > part.first && next < part.first + part.n;
    *spot = (AftSpot){inside ? next : part.first, 0};
}

static void pass_lost(AftVm *vm, AftSpot *spot)
{
    const AftWorkingSet *set = vm->clients->set;
    for (guint i = 0; i < LOST_MOST && !aft_working_set_has(set, spot->chunk); i++) {
        next_chunk(vm, spot);
    }
    if (!aft_working_set_has(set, spot->chunk)) {
        *spot = (AftSpot){set->live[aft_stream_below(&vm->addresses, set->n_live)], 0};
    }
}

AftSpot aft_sequence_next(AftVm *vm, guint64 block_bytes)
{
    AftSpot *spot = &vm->spots[vm->turn];
    guint64 chunk_bytes = aft_chunk_bytes(vm->clients->pool);
    vm->turn = (vm->turn + 1) % vm->clients->spec->streams;
    spot->offset = (spot->offset + block_bytes - 1) / block_bytes * block_bytes;
    if (spot->offset > 0 && spot->offset + block_bytes > chunk_bytes) {
        next_chunk(vm, spot);
    }
    pass_lost(vm, spot);
    AftSpot here = *spot;
    spot->offset += block_bytes;
    return here;
}
