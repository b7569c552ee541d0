/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open_point.h - a point while its replications are run. */
#pragma once

#include "quota.h"

#include <aftershock/run/rates.h>
#include <aftershock/sweep/runner.h>

typedef struct {
    const AftSweepSetup *setup;
    guint index;
    AftQuota quota;
    GHashTable *there;     /* replications that the store had, and what they yield: double * */
    AftScenario *scenario; /* (nullable): of all replications, unless something is drawn */
    AftRates *rates;       /* of fidelity flow, that replications share */
    char *alike;           /* (nullable): the digest of those that do; NULL: all */
    guint running;         /* replications */
    gboolean known;        /* one has ended: most of the rates are known */
} AftOpenPoint;

/** Opens point @index: learns what the store has of it. Returns: (transfer full) (nullable): NULL
 *  with AFT_ERROR_FILE. A scenario that cannot be made is no error here: all replications fail. */
AftOpenPoint *aft_open_point_new(const AftSweepSetup *setup, guint index, GError **error);

void aft_open_point_free(AftOpenPoint *point);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftOpenPoint, aft_open_point_free)

/** What axes are there. Returns: (transfer full): with all that it holds. */
AftStorePoint *aft_open_point_describe(const AftOpenPoint *point);

/** Passes over those that the store has. Returns: whether a replication is to be run now. */
gboolean aft_open_point_take(AftOpenPoint *point, guint *ret_replication);

/** Runs @replication, several of a point at once; @ret_why is set (transfer full) when it was run
 *  as the setup's `otherwise` says. Returns: (transfer full) (nullable): NULL: it was interrupted.
 */
AftReplication *aft_open_point_run(const AftOpenPoint *point, guint replication, GError **ret_why);
