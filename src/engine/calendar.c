/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calendar.h"

#include <stdlib.h>
#include <string.h>

/* A ladder pays from some 16,000 pending events on; with fewer than a quarter of that it is given
 * up again, so that a load that breathes does not switch with every breath. */
#define NEAR_MOST   16384
#define FAR_LEAST   4096
#define BUCKET_MOST (4 * AFT_LADDER_FILL) /* a fuller one says that the row fits no longer */

void aft_calendar_init(AftCalendar *calendar, guint mark)
{
    memset(calendar, 0, sizeof *calendar);
    aft_tournament_init(&calendar->near);
    aft_ladder_init(&calendar->far);
    calendar->near_end = G_MAXUINT64;
    calendar->vacant = AFT_LEAF_NONE;
    calendar->free_slot = AFT_SLOT_NONE;
    calendar->mark = mark;
}

void aft_calendar_clear(AftCalendar *calendar)
{
    aft_tournament_clear(&calendar->near);
    aft_ladder_clear(&calendar->far);
    g_free(calendar->places);
    g_free(calendar->names);
    memset(calendar, 0, sizeof *calendar);
}

static void free_slot(AftCalendar *calendar, AftEvent next_name)
{
    guint slot = aft_name_slot(next_name);
    calendar->names[slot] = next_name;
    calendar->places[slot] = AFT_PLACE_FREE | calendar->free_slot;
    calendar->free_slot = slot;
}

static void grow_slots(AftCalendar *calendar)
{
    guint n_old = calendar->n_slots, n = MAX(2 * n_old, 16);
    if (n > AFT_NAME_MARK) {
        g_error("more than %u events pending", AFT_NAME_MARK);
    }
    calendar->places = g_renew(guint32, calendar->places, n);
    calendar->names = g_renew(AftEvent, calendar->names, n);
    calendar->n_slots = n;
    for (guint slot = n; slot > n_old; slot--) {
        free_slot(calendar, AFT_NAME_STEP | calendar->mark | (slot - 1));
    }
}

static guint take_slot(AftCalendar *calendar)
{
    if (calendar->free_slot == AFT_SLOT_NONE) {
        grow_slots(calendar);
    }
    guint slot = calendar->free_slot;
    calendar->free_slot = calendar->places[slot] & ~AFT_PLACE_FREE;
    return slot;
}

static const AftEntry *entry_at(const AftCalendar *calendar, guint place)
{
    if (place & AFT_PLACE_FAR) {
        return &calendar->far.pool[place & ~AFT_PLACE_FAR].entry;
    }
    return &calendar->near.entries[place];
}

static int compare_keys(const void *a, const void *b)
{
    AftKey left = **(AftKey *const *)a, right = **(AftKey *const *)b;
    return (left > right) - (left < right);
}

void aft_calendar_renumber(AftCalendar *calendar)
{
    g_autoptr(GPtrArray) keys = g_ptr_array_new();
    for (guint leaf = 0; leaf < calendar->near.n_touched; leaf++) {
        AftKey *key = aft_tournament_leaf(&calendar->near, leaf);
        if (*key != AFT_KEY_NEVER) {
            g_ptr_array_add(keys, key);
        }
    }
    aft_ladder_collect(&calendar->far, keys);
    g_ptr_array_sort(keys, compare_keys);
    for (guint i = 0; i < keys->len; i++) {
        AftKey *key = g_ptr_array_index(keys, i);
        *key = aft_key(aft_key_time(*key), i, aft_key_tail(*key));
    }
    aft_tournament_replay(&calendar->near);
    calendar->next_sequence = keys->len;
}

static AftKey next_key(AftCalendar *calendar, guint64 time, guint tail)
{
    if (G_UNLIKELY(calendar->next_sequence >> AFT_KEY_SEQUENCE_BITS)) {
        aft_calendar_renumber(calendar);
    }
    return aft_key(time, calendar->next_sequence++, tail);
}

/* Empties @bucket into the tournament, which is empty. */
static void load(AftCalendar *calendar, AftBucket *bucket)
{
    AftTournament *near = &calendar->near;
    aft_tournament_reset(near, bucket->count);
    while (bucket->count > 0) {
        const AftWaiting *event = aft_ladder_pop(&calendar->far, bucket);
        guint leaf = aft_tournament_take(near);
        near->entries[leaf] = event->entry;
        *aft_tournament_leaf(near, leaf) = aft_key_with_tail(event->key, leaf);
        calendar->places[aft_name_slot(event->entry.name)] = leaf;
    }
    aft_tournament_replay(near);
}

/* Laying a row costs time in proportion to what is pending, so as much must have happened since
 * it was last done. */
static gboolean may_lay_row(const AftCalendar *calendar)
{
    return calendar->next_sequence - calendar->laid_at >= aft_calendar_pending(calendar);
}

static AftBucket *open_bucket(AftCalendar *calendar)
{
    AftBucket *bucket = aft_ladder_open(&calendar->far, calendar->places, &calendar->near_end);
    if (bucket->count > BUCKET_MOST && may_lay_row(calendar)) {
        calendar->laid_at = calendar->next_sequence;
        aft_ladder_flatten(&calendar->far, calendar->places);
        bucket = aft_ladder_open(&calendar->far, calendar->places, &calendar->near_end);
    }
    return bucket;
}

/* Brings the next events near when none is. */
static void refill(AftCalendar *calendar)
{
    if (G_LIKELY(calendar->near.count > 0 || calendar->near_end == G_MAXUINT64)) {
        return;
    }
    if (calendar->far.count < FAR_LEAST) {
        calendar->near_end = G_MAXUINT64;
        load(calendar, aft_ladder_flatten(&calendar->far, calendar->places));
    } else {
        load(calendar, open_bucket(calendar));
    }
}

/* Moves everything into the ladder, and the earliest part of it back. */
static void spread(AftCalendar *calendar)
{
    AftTournament *near = &calendar->near;
    calendar->laid_at = calendar->next_sequence;
    aft_ladder_flatten(&calendar->far, calendar->places);
    for (guint leaf = 0; leaf < near->n_touched; leaf++) {
        AftKey key = *aft_tournament_leaf(near, leaf);
        if (key != AFT_KEY_NEVER) {
            guint slot = aft_name_slot(near->entries[leaf].name);
            AftEntry *entry = aft_ladder_add(&calendar->far, calendar->places, key, slot);
            *entry = near->entries[leaf];
        }
    }
    load(calendar, open_bucket(calendar));
}

/* Puts in the event of @slot. Returns: (transfer none): its entry, for the caller to fill. */
static AftEntry *put(AftCalendar *calendar, AftKey key, guint slot)
{
    if (aft_key_time(key) >= calendar->near_end) {
        return aft_ladder_add(&calendar->far, calendar->places, key, slot);
    }
    guint leaf = aft_tournament_take(&calendar->near);
    calendar->places[slot] = leaf;
    aft_tournament_set(&calendar->near, leaf, aft_key_with_tail(key, leaf));
    return &calendar->near.entries[leaf];
}

static AftEntry take(AftCalendar *calendar, guint slot)
{
    guint place = calendar->places[slot];
    AftEntry entry = *entry_at(calendar, place);
    if (place & AFT_PLACE_FAR) {
        aft_ladder_remove(&calendar->far, calendar->places, place & ~AFT_PLACE_FAR);
    } else {
        aft_tournament_drop(&calendar->near, place);
    }
    return entry;
}

void aft_calendar_vacate(AftCalendar *calendar)
{
    guint leaf = calendar->vacant;
    calendar->vacant = AFT_LEAF_NONE;
    free_slot(calendar, calendar->near.entries[leaf].name);
    aft_tournament_drop(&calendar->near, leaf);
    refill(calendar);
}

/* The slot of the event that ran passes on to the next one, its leaf does not. */
static AftEvent replace(AftCalendar *calendar, AftKey key, AftHandler handler, void *context)
{
    guint leaf = calendar->vacant;
    AftEvent name = calendar->near.entries[leaf].name;
    calendar->vacant = AFT_LEAF_NONE;
    *put(calendar, key, aft_name_slot(name)) = (AftEntry){handler, context, name};
    aft_tournament_drop(&calendar->near, leaf);
    refill(calendar);
    return name;
}

AftEvent aft_calendar_insert(AftCalendar *calendar, guint64 time, AftHandler handler, void *context)
{
    AftKey key = next_key(calendar, time, 0);
    if (calendar->vacant != AFT_LEAF_NONE) {
        return replace(calendar, key, handler, context);
    }
    if (calendar->near.count >= NEAR_MOST && may_lay_row(calendar)) {
        spread(calendar);
    }
    guint slot = take_slot(calendar);
    AftEvent name = calendar->names[slot];
    *put(calendar, key, slot) = (AftEntry){handler, context, name};
    return name;
}

guint aft_calendar_find(const AftCalendar *calendar, AftEvent event)
{
    guint slot = aft_name_slot(event);
    if (slot >= calendar->n_slots || calendar->places[slot] & AFT_PLACE_FREE) {
        return AFT_SLOT_NONE;
    }
    return entry_at(calendar, calendar->places[slot])->name == event ? slot : AFT_SLOT_NONE;
}

void aft_calendar_remove(AftCalendar *calendar, guint slot)
{
    AftEntry entry = take(calendar, slot);
    free_slot(calendar, entry.name + AFT_NAME_STEP);
    refill(calendar);
}

void aft_calendar_move(AftCalendar *calendar, guint slot, guint64 time)
{
    guint place = calendar->places[slot];
    AftKey key = next_key(calendar, time, place & AFT_KEY_TAIL_MASK);
    if (!(place & AFT_PLACE_FAR) && time < calendar->near_end) {
        aft_tournament_set(&calendar->near, place, key);
    } else {
        AftEntry entry = take(calendar, slot);
        *put(calendar, key, slot) = entry;
        refill(calendar);
    }
}

guint64 aft_calendar_due(const AftCalendar *calendar, guint slot)
{
    guint place = calendar->places[slot];
    if (place & AFT_PLACE_FAR) {
        return aft_key_time(calendar->far.pool[place & ~AFT_PLACE_FAR].key);
    }
    return aft_key_time(*aft_tournament_leaf(&calendar->near, place));
}
