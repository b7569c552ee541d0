/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slot.h - what a calendar knows of one event besides its key. */
#pragma once

#include <aftershock/engine/engine.h>

typedef struct {
    AftHandler handler;
    void *context;
    AftEvent name; /* the handle of the event in here, or of the next one while the slot is free */
    guint32 place; /* a leaf, or AFT_PLACE_FAR and an index into the pool of the ladder;
                      of a free slot, the next free one */
} AftSlot;

#define AFT_PLACE_FAR (1u << 31)
