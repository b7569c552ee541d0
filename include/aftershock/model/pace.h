/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pace.h - the slow state of a cluster, and how fast it moves.
 *
 * I/O takes microseconds, a rebuild hours. A window of I/O shows at what pace the slow state
 * moves: bytes of every task to every node, owed work of every machine, what is dirty and what is
 * warm on every cache device, bytes written that absent members miss. A skip carries that state
 * forward at this pace while pending I/O stands still.
 *
 *     aft_pace_begin(pace);
 *     aft_engine_run(engine, end of the window);
 *     aft_pace_end(pace);
 *     aft_pace_skip(pace, MIN(wanted_ns, aft_pace_limit_ns(pace)));
 *
 * Rules, each found by breaking it:
 * - Owed work moves at the window's own pace, and only that of machines that owed something all
 *   through the window. For those, arrivals do not disturb service, so their growth is the clock's
 *   exact rate less what was served: the chance of the window's arrivals stays out of it. It is
 *   carried forward only where it is beyond that chance, or where much is owed.
 * - Paces drift while they are used: a skip moves at the pace expected in its middle, by a
 *   straight line through the last windows. How the pace divides among machines and nodes is taken
 *   from all windows of the stretch, since chance is large in the parts of a single one.
 * - A buffer whose destage had nothing to do at some time keeps up, and stays as full as it is:
 *   what comes in by chance goes out again.
 * - No skip passes the point where a node's work or owed work ends, or where a buffer comes to one
 *   of its marks.
 */
#pragma once

#include <aftershock/model/model.h>

typedef struct AftPace AftPace;

/** Returns: (transfer full): the pace of @model (borrowed), not yet measured. */
AftPace *aft_pace_new(AftModel *model);

void aft_pace_free(AftPace *pace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftPace, aft_pace_free)

/** How many times coarser than usual steps may be: the precision that the scenario wants over 2 %,
 *  from 1 to 5. */
double aft_pace_coarser(const AftPace *pace);

/** Begins a stretch whose slow state moves in a way of its own, such as a phase: what was measured
 *  before is forgotten, and spans are taken from here. */
void aft_pace_forget(AftPace *pace);

/** A window begins now, or ends now. */
void aft_pace_begin(AftPace *pace);
void aft_pace_end(AftPace *pace);

/** How long, ns, a skip may be at most, by the work under way: it ends where work ends, and moves
 *  nothing by more than a twentieth of what it moves in this stretch. G_MAXINT64: no limit.
 *  Where steps are coarser, that is up to a tenth. */
gint64 aft_pace_limit_ns(const AftPace *pace);

/** How long, ns, the work under way (transfers, else owed work that shrinks) will still take at
 *  this pace. G_MAXINT64: there is none, or it does not end. */
gint64 aft_pace_remaining_ns(const AftPace *pace);

/** How unsure it is at what pace background work goes on, and buffers fill or empty, if they surely
 *  do: the half width of a 99 % interval over what is wanted, a twentieth of the pace of a task and
 *  a tenth of that of buffers, which is a small difference of large ones. */
double aft_pace_doubt(const AftPace *pace);

/** Whether users begin to owe work while writes are delayed ever more. What is owed lags behind the
 *  delay then, by a time of its own, and no window stands for another time. */
gboolean aft_pace_is_on_edge(const AftPace *pace);

/** Whether machines that run owe something, up to a second of load; and if they have not been so
 *  before (@was), more than a tenth of one. */
gboolean aft_pace_is_catching_up(const AftPace *pace, gboolean was);

/** Skips @by_ns, carrying the slow state forward. */
void aft_pace_skip(AftPace *pace, gint64 by_ns);
