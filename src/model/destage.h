/* SPDX-License-Identifier: GPL-3.0-or-later */
/* destage.h - the way from caches to capacity devices.
 *
 * What is above the low mark of a buffer goes out in units, a bounded number at a time, in a class
 * of its own. Who pays for copies and parity, `tiers.parity` says:
 *
 *     front     a write's whole plan is in caches: a destage is a copy inside the node
 *               read cache -> write the capacity device behind it
 *     destage   a write is in a log, on two nodes: the destage carries out the plan
 *               read log, old data and old parity -> write data and parity to capacity devices
 *
 * A destage of a log covers as many units of a stripe as have coalesced: those that a client wrote
 * at once, and if that is more, besides the one whose turn it is each of the others with the chance
 * of a write to meet a dirty block.
 */
#pragma once

#include "pool.h"
#include "request.h"

typedef struct AftDestager AftDestager;

/** Destages the buffers of @topology, for @pools, by requests to @executor; all borrowed.
 *  Returns: (transfer full). */
AftDestager *aft_destager_new(const AftScenario *scenario, GPtrArray *pools, AftExecutor *executor,
                              AftTopology *topology, guint32 replication);

void aft_destager_free(AftDestager *destager);

/** While it is quiet nothing is issued. */
void aft_destager_set_quiet(AftDestager *destager, gboolean quiet);

/** Lets @full_changed know whenever another buffer has become full, or is so no longer. */
void aft_destager_watch(AftDestager *destager, void (*full_changed)(void *context), void *context);

/** Buffers that are full: writes wait there. */
guint aft_destager_full(const AftDestager *destager);

/** Remembers that @request, of a client, who writes @units of a stripe, goes to the log of
 *  @buffer. */
void aft_destager_logged(AftDestager *destager, const AftBuffer *buffer, const AftRequest *request,
                         guint units);

/** Begins what may be destaged from @buffer now, or from all. */
void aft_destager_pump(AftDestager *destager, AftBuffer *buffer);
void aft_destager_pump_all(AftDestager *destager);
