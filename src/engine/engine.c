/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/engine/engine.h>

#include "calendar.h"

struct AftEngine {
    AftCalendar io;       /* in engine time */
    guint64 bound;        /* ns of engine time: I/O may run that is due before this */
    gint64 now;           /* engine time, ns */
    guint64 executed;     /* events */
    AftCalendar slow;     /* in scenario time */
    gint64 offset;        /* scenario time less engine time, ns */
    gint64 until;         /* engine time this run goes to, ns; -1 when none is in progress */
    gboolean is_stopping; /* the run in progress is to end */
};

AftEngine *aft_engine_new(void)
{
    AftEngine *engine = g_new0(AftEngine, 1);
    aft_calendar_init(&engine->io, AFT_NAME_MARK);
    aft_calendar_init(&engine->slow, 0);
    engine->until = -1;
    return engine;
}

void aft_engine_free(AftEngine *engine)
{
    if (engine != NULL) {
        aft_calendar_clear(&engine->io);
        aft_calendar_clear(&engine->slow);
        g_free(engine);
    }
}

gint64 aft_engine_now(const AftEngine *engine)
{
    return engine->now;
}

gint64 aft_engine_scenario_now(const AftEngine *engine)
{
    return engine->now + engine->offset;
}

/* Engine time of the earliest slow event, G_MAXUINT64 when there is none. */
static guint64 slow_due(const AftEngine *engine)
{
    guint64 due = aft_calendar_first(&engine->slow);
    return due == G_MAXUINT64 ? due : due - (guint64)engine->offset;
}

/* I/O runs up to and at the end of the run, but strictly before the next slow event. */
static void set_bound(AftEngine *engine)
{
    guint64 end = engine->is_stopping ? 0 : (guint64)engine->until + 1;
    engine->bound = MIN(end, slow_due(engine));
}

AftEvent aft_engine_schedule(AftEngine *engine, gint64 at_ns, AftHandler handler, void *context)
{
    g_assert(at_ns >= engine->now);
    return aft_calendar_schedule(&engine->io, (guint64)at_ns, handler, context);
}

AftEvent aft_engine_schedule_slow(AftEngine *engine, gint64 at_ns, AftHandler handler,
                                  void *context)
{
    g_assert(at_ns >= aft_engine_scenario_now(engine));
    AftEvent event = aft_calendar_insert(&engine->slow, (guint64)at_ns, handler, context);
    set_bound(engine);
    return event;
}

static gboolean is_slow(AftEvent event)
{
    return !(event & AFT_NAME_MARK);
}

gboolean aft_engine_reschedule(AftEngine *engine, AftEvent event, gint64 at_ns)
{
    AftCalendar *calendar = is_slow(event) ? &engine->slow : &engine->io;
    guint slot = aft_calendar_find(calendar, event);
    if (slot == AFT_SLOT_NONE) {
        return FALSE;
    }
    g_assert(at_ns >= (is_slow(event) ? aft_engine_scenario_now(engine) : engine->now));
    aft_calendar_move(calendar, slot, (guint64)at_ns);
    if (is_slow(event)) {
        set_bound(engine);
    }
    return TRUE;
}

gboolean aft_engine_cancel(AftEngine *engine, AftEvent event)
{
    AftCalendar *calendar = is_slow(event) ? &engine->slow : &engine->io;
    guint slot = aft_calendar_find(calendar, event);
    if (slot == AFT_SLOT_NONE) {
        return FALSE;
    }
    aft_calendar_remove(calendar, slot);
    if (is_slow(event)) {
        set_bound(engine);
    }
    return TRUE;
}

gint64 aft_engine_due(const AftEngine *engine, AftEvent event)
{
    const AftCalendar *calendar = is_slow(event) ? &engine->slow : &engine->io;
    guint slot = aft_calendar_find(calendar, event);
    return slot == AFT_SLOT_NONE ? -1 : (gint64)aft_calendar_due(calendar, slot);
}

static void run_io(AftEngine *engine)
{
    AftCalendar *io = &engine->io;
    guint64 due;
    while ((due = aft_calendar_first(io)) < engine->bound) {
        engine->now = (gint64)due;
        engine->executed++;
        const AftEntry *entry = aft_calendar_pop(io);
        entry->handler(entry->context, (gint64)due);
        if (io->vacant != AFT_LEAF_NONE) {
            aft_calendar_vacate(io);
        }
    }
}

static void run_slow_event(AftEngine *engine)
{
    engine->now = (gint64)slow_due(engine);
    engine->executed++;
    AftEntry entry = *aft_calendar_pop(&engine->slow);
    aft_calendar_vacate(&engine->slow);
    set_bound(engine);
    entry.handler(entry.context, engine->now);
}

gboolean aft_engine_run(AftEngine *engine, gint64 until_ns)
{
    g_assert(engine->until < 0);
    g_assert(until_ns >= aft_engine_scenario_now(engine));
    engine->is_stopping = FALSE;
    engine->until = until_ns - engine->offset;
    set_bound(engine);
    run_io(engine);
    while (!engine->is_stopping && slow_due(engine) <= (guint64)engine->until) {
        run_slow_event(engine);
        run_io(engine);
    }
    if (!engine->is_stopping) {
        engine->now = engine->until;
    }
    engine->until = -1;
    return !engine->is_stopping;
}

void aft_engine_stop(AftEngine *engine)
{
    engine->is_stopping = TRUE;
    set_bound(engine);
}

void aft_engine_skip(AftEngine *engine, gint64 by_ns)
{
    g_assert(engine->until < 0);
    g_assert(by_ns >= 0);
    g_assert(by_ns <= aft_engine_next_slow(engine) - aft_engine_scenario_now(engine));
    engine->offset += by_ns;
}

gint64 aft_engine_next_slow(const AftEngine *engine)
{
    return (gint64)MIN(aft_calendar_first(&engine->slow), (guint64)G_MAXINT64);
}

guint64 aft_engine_executed(const AftEngine *engine)
{
    return engine->executed;
}

guint aft_engine_pending(const AftEngine *engine)
{
    return aft_calendar_pending(&engine->io) + aft_calendar_pending(&engine->slow);
}
