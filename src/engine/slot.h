/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slot.h - what a calendar knows of one event besides its key.
 *
 * An event keeps its slot for life, and the slot knows where its key is. What is needed to run
 * it, the entry, stands beside the key while the event is near, and in the slot otherwise.
 */
#pragma once

#include <aftershock/engine/engine.h>

typedef struct {
    AftHandler handler;
    void *context;
    AftEvent name; /* generation and slot; in a free slot, that of the next event in it */
} AftEntry;

typedef struct {
    AftEntry entry; /* stale while the event is near */
    guint32 place;  /* a leaf; or AFT_PLACE_FAR and an index into the pool of the ladder; or
                       AFT_PLACE_FREE and the next free slot */
} AftSlot;

#define AFT_PLACE_FAR  (1u << 31)
#define AFT_PLACE_FREE (1u << 30)
#define AFT_SLOT_NONE  (AFT_PLACE_FREE - 1)
