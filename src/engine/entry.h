/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.h - what a calendar knows of one event besides its key, and where it stands.
 *
 * The entry travels with the key of its event, so that who finds one has the other at hand. What
 * stays for the life of an event is its slot, a number: a table tells the place of each slot.
 */
#pragma once

#include <aftershock/engine/engine.h>

typedef struct {
    AftHandler handler;
    void *context;
    AftEvent name; /* the handle; its end is the slot */
} AftEntry;

/* A place is a leaf of the tournament; or this and an index into the pool of the ladder; */
#define AFT_PLACE_FAR (1u << 31)
/* or, when the slot is free, this and the next free slot, AFT_SLOT_NONE for the last. */
#define AFT_PLACE_FREE (1u << 30)
#define AFT_SLOT_NONE  (AFT_PLACE_FREE - 1)

/* A handle is a generation (39 bits), one bit that tells two calendars apart, and the slot. */
#define AFT_NAME_SLOT_BITS 24
#define AFT_NAME_MARK      (1u << AFT_NAME_SLOT_BITS)
#define AFT_NAME_STEP      ((guint64)AFT_NAME_MARK << 1)

static inline guint aft_name_slot(AftEvent name)
{
    return (guint)name & (AFT_NAME_MARK - 1);
}
