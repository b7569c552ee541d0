/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - plays a trace: each row is one I/O, at its own time.
 *
 * As trace players do, it asks for I/O when the trace did, however long that takes to be served, up
 * to `outstanding` at once; what comes beyond is shed. A row goes to a machine by the disk that it
 * names, and to the place in the working set that its offset is, modulo the size of that.
 */
#pragma once

#include "clients.h"

#include <aftershock/trace/io_trace.h>

/** Opens the trace of @clients. What is wrong with it is told as the clients' error.
 *  Returns: (transfer full). */
AftReplay *aft_replay_new(AftClients *clients);

void aft_replay_free(AftReplay *replay);

/** Plays the trace from now on. */
void aft_replay_start(AftReplay *replay);

/** Stands still, or goes on where it stood. */
void aft_replay_pause(AftReplay *replay, gboolean paused);

/** Whether it does not stand still and there are rows still to come. */
gboolean aft_replay_plays(const AftReplay *replay);

/** The row whose I/O is being issued. Returns: (transfer none). */
const AftIoRow *aft_replay_row(const AftReplay *replay);
