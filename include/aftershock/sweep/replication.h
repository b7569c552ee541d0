/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replication.h - what one run of a sweep came to: a row for itself, and one for each of its
 * phases. */
#pragma once

#include <aftershock/result/columns.h>
#include <aftershock/result/result.h>

typedef struct {
    guint point, replication; /* from 0 */
    guint64 seed;
    char *scenario_sha256;
    char *failure;      /* (nullable): why there is no result; then what follows is empty */
    double duration_s;  /* that the run covered */
    double missed_s;    /* the requirement */
    char *requirement;  /* "met", what was missed, or "" */
    gboolean saturated; /* some phase owed more than a second of load, shed I/O, or had more and
                         * more in flight */
    double lost_pgs, lost_bytes;
    double simulated_s;
    guint64 simulated_ios, events;
    GArray *phases; /* AftPhaseRow, in the order they occurred */
} AftReplication;

/** Returns: (transfer full): of @result (transfer full). */
AftReplication *aft_replication_new(guint point, guint replication, AftResult *result);

/** Returns: (transfer full): of a run that gave no result. */
AftReplication *aft_replication_new_failed(guint point, guint replication, guint64 seed,
                                           const char *scenario_sha256, const char *failure);

void aft_replication_free(AftReplication *replication);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftReplication, aft_replication_free)

/** Whether more than a second of load was owed in @phase, I/O was shed, or more and more was in
 *  flight. */
gboolean aft_replication_is_saturated(const AftPhaseRow *phase);

/** Columns of a replication, without its phases. Returns: (transfer none), for ever. */
const AftTable *aft_replication_table(void);
