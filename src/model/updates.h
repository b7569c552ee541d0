/* SPDX-License-Identifier: GPL-3.0-or-later */
/* updates.h - the updates of parity that a machine has in progress.
 *
 * A write that reads before it writes, as a small one on parity does, is an update. Where a scheme
 * has `updates`, a machine has places for so many at once, whichever stripes they are of. What
 * finds all of them taken waits for one of them to end: updates for their turn, first come, first
 * served, and reads, which need no place, for the first that does. Writes that read nothing pass.
 * Whoever holds a place gives it back when his request ends, however it does.
 */
#pragma once

#include "clients.h"

/** The places of one machine under one scheme. */
struct AftUpdates {
    guint most;    /* 0: any number */
    guint running; /* that hold a place */
    AftRequestQueue reads, writes;
};

/** Gives @vm places for all schemes of its pool, if one of them has a limit. */
void aft_updates_init(AftVm *vm);

/** Gives back what waits. */
void aft_updates_clear(AftVm *vm);

/** The machine has died: what waits is given back, and nobody holds a place. */
void aft_updates_forget(AftVm *vm);

/** Whether @request may set out now, with a place if it is an update; FALSE: it waits. */
gboolean aft_updates_enter(AftVm *vm, AftRequest *request);

/** Returns: (nullable): the next that may try again; NULL: none may. */
AftRequest *aft_updates_next(AftUpdates *updates);

/** Asserts that nobody waits while there is a place. */
void aft_updates_audit(const AftVm *vm);
