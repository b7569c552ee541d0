/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lifetimes.h - failures by chance: every part of a kind lives for a drawn time, is down for a
 * drawn time, and lives again.
 *
 * Failures come in bursts, too: some of them take others of the kind with them, within minutes
 * (Ford et al., OSDI'10: of 37 % of node failures another follows within 2 minutes). Those are on
 * top of the ones that each part's own lives bring.
 */
#pragma once

#include <aftershock/model/model.h>

typedef struct AftLifetimes AftLifetimes;

/** Lets parts of @model (borrowed) fail and return as its scenario says, with the chance of
 *  @replication. Returns: (transfer full). */
AftLifetimes *aft_lifetimes_new(AftModel *model, guint32 replication);

void aft_lifetimes_free(AftLifetimes *lifetimes);

/** Whether anything fails by chance. */
gboolean aft_lifetimes_any(const AftLifetimes *lifetimes);
