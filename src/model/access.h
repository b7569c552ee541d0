/* SPDX-License-Identifier: GPL-3.0-or-later */
/* access.h - what a client's I/O is about, where a workload is more than one size of block anywhere
 * in the working set: of which kind it is, and which data it reads or writes.
 */
#pragma once

#include "clients.h"

/** Makes what @clients, who have their working set and ways, choose by. */
void aft_access_init(AftClients *clients, const AftScenario *scenario, guint32 replication);

void aft_access_clear(AftClients *clients);

/** Controller time at the coordinator that data services take for an I/O of @bytes to @pool. */
gint64 aft_access_work_ns(const AftPool *pool, gboolean write, guint64 bytes);

/** Chooses what @request, of @vm, is about; something must be live. */
void aft_access_choose(AftVm *vm, AftRequest *request);
