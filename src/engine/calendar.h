/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calendar.h - pending events in the order of their times.
 *
 * What is near stands in a tournament. As long as not too many events are pending, that is all
 * of them. Beyond that, what is due later waits unsorted in a ladder, whose buckets enter the
 * tournament one after the other:
 *
 *     time   now |------ tournament ------| near_end |------ ladder ------
 *
 * Both order events by one key, so an event's order does not depend on where it waits.
 *
 * The leaf of the event that runs stays in the tree until the handler schedules its next one,
 * which moves in there: a step then costs one replay instead of two.
 */
#pragma once

#include "entry.h"
#include "ladder.h"
#include "tournament.h"

typedef struct {
    AftTournament near;
    guint64 near_end;      /* ns; the ladder holds what is due from here on */
    guint64 next_sequence; /* below 2^AFT_KEY_SEQUENCE_BITS */
    guint vacant;          /* leaf of the event that runs, or AFT_LEAF_NONE */
    guint free_slot;       /* head of the list of free slots, or AFT_SLOT_NONE */
    guint32 *places;       /* one a slot */
    AftEvent *names;       /* one a slot: of a free one, the name of the next event in it */
    guint n_slots;
    guint mark; /* AFT_NAME_MARK or 0 */
    AftLadder far;
    guint64 laid_at; /* next_sequence when a row of the ladder was last laid out of turn */
} AftCalendar;

/** @mark, AFT_NAME_MARK or 0, is in all handles of this calendar. */
void aft_calendar_init(AftCalendar *calendar, guint mark);
void aft_calendar_clear(AftCalendar *calendar);

/** Puts a new event in. Returns: its name. */
AftEvent aft_calendar_insert(AftCalendar *calendar, guint64 time, AftHandler handler,
                             void *context);

/** Returns: the slot of the pending event called @event, or AFT_SLOT_NONE. */
guint aft_calendar_find(const AftCalendar *calendar, AftEvent event);

/** Takes the event in @slot out. */
void aft_calendar_remove(AftCalendar *calendar, guint slot);

/** Moves the event in @slot to @time, behind all that are due then. */
void aft_calendar_move(AftCalendar *calendar, guint slot, guint64 time);

/** When the event in @slot is due. */
guint64 aft_calendar_due(const AftCalendar *calendar, guint slot);

/** Frees the leaf of the event that ran, as no other one moved in. */
void aft_calendar_vacate(AftCalendar *calendar);

/** Numbers all pending events anew from 0, in their order. */
void aft_calendar_renumber(AftCalendar *calendar);

/** Events pending; the one that runs is not. */
static inline guint aft_calendar_pending(const AftCalendar *calendar)
{
    return calendar->near.count + calendar->far.count - (calendar->vacant != AFT_LEAF_NONE);
}

/** When the earliest event is due, G_MAXUINT64 when there is none. There is nobody running. */
static inline guint64 aft_calendar_first(const AftCalendar *calendar)
{
    return aft_key_time(aft_tournament_first(&calendar->near));
}

/** Lets go of the earliest event, whose leaf is vacant from now on.
 *  Returns: (transfer none): its entry, good until something is scheduled. */
static inline const AftEntry *aft_calendar_pop(AftCalendar *calendar)
{
    calendar->vacant = aft_key_tail(aft_tournament_first(&calendar->near));
    AftEntry *entry = &calendar->near.entries[calendar->vacant];
    entry->name += AFT_NAME_STEP;
    return entry;
}

/** As aft_calendar_insert(), but the new event takes over the vacant leaf and slot if it can. */
static inline AftEvent aft_calendar_schedule(AftCalendar *calendar, guint64 time,
                                             AftHandler handler, void *context)
{
    guint leaf = calendar->vacant;
    if (leaf == AFT_LEAF_NONE || time >= calendar->near_end ||
        calendar->next_sequence >> AFT_KEY_SEQUENCE_BITS) {
        return aft_calendar_insert(calendar, time, handler, context);
    }
    calendar->vacant = AFT_LEAF_NONE;
    AftEntry *entry = &calendar->near.entries[leaf];
    entry->handler = handler;
    entry->context = context;
    aft_tournament_set(&calendar->near, leaf, aft_key(time, calendar->next_sequence++, leaf));
    return entry->name;
}
