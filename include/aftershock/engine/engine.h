/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.h - a clock in whole nanoseconds and the callbacks that wait for it.
 *
 * Two calendars share one engine. I/O waits on the engine clock. Slow events (faults, timers,
 * scans) wait in scenario time, which is engine time plus an offset:
 *
 *     engine time    |--window--|        |--window--|            I/O happens here
 *     scenario time  |--window--|--skip--|--window--|--skip--|   slow events and results live here
 *
 * A skip adds to the offset and touches no pending I/O. The engine knows no storage, holds no
 * global state, and allocates nothing per event once its tables have grown. Some 16 million events
 * (2^24) may be pending on either calendar.
 *
 * Order of equal times: slow events run before I/O events; inside a calendar, first scheduled,
 * first run.
 */
#pragma once

#include <glib.h>

typedef struct AftEngine AftEngine;

/** Called when its time has come, with the clock at @now_ns (engine time). It may schedule, cancel
 *  and stop, but not skip. */
typedef void (*AftHandler)(void *context, gint64 now_ns);

/** Names one pending event; 0 names none. A handle whose event has run or was cancelled stays
 *  safe: it names nothing any more. */
typedef guint64 AftEvent;

/** Returns: (transfer full): an engine at time 0 with nothing pending. */
AftEngine *aft_engine_new(void);

void aft_engine_free(AftEngine *engine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftEngine, aft_engine_free)

/** Engine time, ns. */
gint64 aft_engine_now(const AftEngine *engine);

/** Scenario time, ns: engine time plus all that was skipped. */
gint64 aft_engine_scenario_now(const AftEngine *engine);

/** Lets @handler run at @at_ns (engine time, not in the past). */
AftEvent aft_engine_schedule(AftEngine *engine, gint64 at_ns, AftHandler handler, void *context);

/** Lets @handler run at @at_ns of scenario time, not in the past. */
AftEvent aft_engine_schedule_slow(AftEngine *engine, gint64 at_ns, AftHandler handler,
                                  void *context);

/** Moves a pending event to @at_ns, on the calendar it is on; among equal times it is now last.
 *  Returns: FALSE, and nothing happens, when @event names nothing. */
gboolean aft_engine_reschedule(AftEngine *engine, AftEvent event, gint64 at_ns);

/** Takes a pending event back. Returns: FALSE when @event names nothing. */
gboolean aft_engine_cancel(AftEngine *engine, AftEvent event);

/** When @event is due, on the clock of its calendar; -1 when it names nothing. */
gint64 aft_engine_due(const AftEngine *engine, AftEvent event);

/** Runs all events up to and at scenario time @until_ns, then stands there; or up to the event
 *  whose handler called aft_engine_stop(), and stands at that event's time.
 *  Returns: TRUE when @until_ns was reached, FALSE when stopped. */
gboolean aft_engine_run(AftEngine *engine, gint64 until_ns);

/** Makes the aft_engine_run() in progress return after the handler that calls this; does nothing
 *  between runs. */
void aft_engine_stop(AftEngine *engine);

/** Jumps scenario time ahead by @by_ns (0 or more), engine time standing still. There must be no
 *  slow event before the time arrived at; one exactly there is fine. */
void aft_engine_skip(AftEngine *engine, gint64 by_ns);

/** Scenario time of the earliest slow event; G_MAXINT64 when there is none. */
gint64 aft_engine_next_slow(const AftEngine *engine);

/** Events executed so far, and pending now on both calendars. */
guint64 aft_engine_executed(const AftEngine *engine);
guint aft_engine_pending(const AftEngine *engine);
