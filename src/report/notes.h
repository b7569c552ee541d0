/* SPDX-License-Identifier: GPL-3.0-or-later */
/* notes.h - what is worth a line below a result's table: requirement, losses, moved bytes, space,
 * intervals that stayed wide, and how much was simulated. */
#pragma once

#include "grid.h"

typedef struct {
    const char *label; /* static */
    char *text;
    AftTint tint; /* of the label; NONE: as all labels */
} AftNote;

/** Returns: (transfer full): AftNote elements, in the order to show them. */
GPtrArray *aft_notes_new(const AftResult *result);
