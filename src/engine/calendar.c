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
    g_free(calendar->slots);
    memset(calendar, 0, sizeof *calendar);
}

static void free_slot(AftCalendar *calendar, AftEvent next_name)
{
    guint slot = aft_name_slot(next_name);
    calendar->slots[slot].entry.name = next_name;
    calendar->slots[slot].place = AFT_PLACE_FREE | calendar->free_slot;
    calendar->free_slot = slot;
}

static void grow_slots(AftCalendar *calendar)
{
    guint n_old = calendar->n_slots, n = MAX(2 * n_old, 16);
    if (n > AFT_KEY_TAIL_MASK + 1) {
        g_error("more than %u events pending", AFT_KEY_TAIL_MASK + 1);
    }
    calendar->slots = g_renew(AftSlot, calendar->slots, n);
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
    calendar->free_slot = calendar->slots[slot].place & ~AFT_PLACE_FREE;
    return slot;
}

static AftKey *key_at(const AftCalendar *calendar, guint place)
{
    if (place & AFT_PLACE_FAR) {
        return &calendar->far.pool[place & ~AFT_PLACE_FAR];
    }
    return aft_tournament_leaf(&calendar->near, place);
}

static const AftEntry *entry_of(const AftCalendar *calendar, guint slot)
{
    guint place = calendar->slots[slot].place;
    return place & AFT_PLACE_FAR ? &calendar->slots[slot].entry : &calendar->near.entries[place];
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
        AftKey key = aft_ladder_pop(&calendar->far, bucket);
        AftSlot *slot = &calendar->slots[aft_key_tail(key)];
        guint leaf = aft_tournament_take(near, slot->entry);
        *aft_tournament_leaf(near, leaf) = aft_key_with_tail(key, leaf);
        slot->place = leaf;
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
    AftBucket *bucket = aft_ladder_open(&calendar->far, calendar->slots, &calendar->near_end);
    if (bucket->count > BUCKET_MOST && may_lay_row(calendar)) {
        calendar->laid_at = calendar->next_sequence;
        aft_ladder_flatten(&calendar->far, calendar->slots);
        bucket = aft_ladder_open(&calendar->far, calendar->slots, &calendar->near_end);
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
        load(calendar, aft_ladder_flatten(&calendar->far, calendar->slots));
    } else {
        load(calendar, open_bucket(calendar));
    }
}

static void put_far(AftCalendar *calendar, AftEntry entry, AftKey key)
{
    guint slot = aft_name_slot(entry.name);
    calendar->slots[slot].entry = entry;
    aft_ladder_add(&calendar->far, calendar->slots, aft_key_with_tail(key, slot));
}

/* Moves everything into the ladder, and the earliest part of it back. */
static void spread(AftCalendar *calendar)
{
    AftTournament *near = &calendar->near;
    calendar->laid_at = calendar->next_sequence;
    aft_ladder_flatten(&calendar->far, calendar->slots);
    for (guint leaf = 0; leaf < near->n_touched; leaf++) {
        AftKey key = *aft_tournament_leaf(near, leaf);
        if (key != AFT_KEY_NEVER) {
            put_far(calendar, near->entries[leaf], key);
        }
    }
    load(calendar, open_bucket(calendar));
}

static void put_near(AftCalendar *calendar, AftEntry entry, AftKey key)
{
    guint leaf = aft_tournament_take(&calendar->near, entry);
    calendar->slots[aft_name_slot(entry.name)].place = leaf;
    aft_tournament_set(&calendar->near, leaf, aft_key_with_tail(key, leaf));
}

static void put(AftCalendar *calendar, AftEntry entry, AftKey key)
{
    if (aft_key_time(key) < calendar->near_end) {
        put_near(calendar, entry, key);
    } else {
        put_far(calendar, entry, key);
    }
}

static AftEntry take(AftCalendar *calendar, guint slot)
{
    AftEntry entry = *entry_of(calendar, slot);
    guint place = calendar->slots[slot].place;
    if (place & AFT_PLACE_FAR) {
        aft_ladder_remove(&calendar->far, calendar->slots, place & ~AFT_PLACE_FAR);
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

AftEvent aft_calendar_insert(AftCalendar *calendar, guint64 time, AftHandler handler, void *context)
{
    if (calendar->vacant != AFT_LEAF_NONE) {
        aft_calendar_vacate(calendar);
    }
    if (calendar->near.count >= NEAR_MOST && may_lay_row(calendar)) {
        spread(calendar);
    }
    AftKey key = next_key(calendar, time, 0);
    guint slot = take_slot(calendar);
    AftEvent name = calendar->slots[slot].entry.name;
    put(calendar, (AftEntry){handler, context, name}, key);
    return name;
}

guint aft_calendar_find(const AftCalendar *calendar, AftEvent event)
{
    guint slot = aft_name_slot(event);
    gboolean is_used = slot < calendar->n_slots && !(calendar->slots[slot].place & AFT_PLACE_FREE);
    return is_used && entry_of(calendar, slot)->name == event ? slot : AFT_SLOT_NONE;
}

void aft_calendar_remove(AftCalendar *calendar, guint slot)
{
    AftEntry entry = take(calendar, slot);
    free_slot(calendar, entry.name + AFT_NAME_STEP);
    refill(calendar);
}

void aft_calendar_move(AftCalendar *calendar, guint slot, guint64 time)
{
    guint place = calendar->slots[slot].place;
    AftKey key = next_key(calendar, time, place & AFT_KEY_TAIL_MASK);
    if (!(place & AFT_PLACE_FAR) && time < calendar->near_end) {
        aft_tournament_set(&calendar->near, place, key);
    } else {
        put(calendar, take(calendar, slot), key);
        refill(calendar);
    }
}

guint64 aft_calendar_due(const AftCalendar *calendar, guint slot)
{
    return aft_key_time(*key_at(calendar, calendar->slots[slot].place));
}
