/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sequence.h - machines that read and write block after block.
 *
 * The working set is divided among the machines of a workload, and each part among the streams of
 * its machine, which take turns. A stream walks through the part of its machine, from where its own
 * share of it begins: chunk after chunk, in each byte after byte, which is unit after unit of
 * stripe after stripe; and at the end of it again from the beginning.
 */
#pragma once

#include "clients.h"

/** Puts the streams of @vm at their places, where its workload is sequential; free with g_free().
 */
void aft_sequence_begin(AftVm *vm);

/** Where the next block of @block_bytes of @vm is: in a chunk that is not lost; there must be one.
 *  The stream goes on behind it. */
AftSpot aft_sequence_next(AftVm *vm, guint64 block_bytes);
