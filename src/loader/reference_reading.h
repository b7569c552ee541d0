/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference_reading.h - a reference while it is made of the sheet of its file. */
#pragma once

#include "reading.h"

#include <aftershock/reference/reference.h>

typedef struct {
    AftReading keys;
    AftReference *reference;
    AftTolerance tolerance; /* of all cells that do not say otherwise */
} AftReferenceReading;

/** A value bounds both sides, keys each its own; what is written forgets what was before. */
void aft_reading_tolerance(const AftReading *reading, const char *item, AftUnit unit,
                           AftTolerance *tolerance);

/** Adds cell @index to the reference. */
void aft_reading_cell(const AftReferenceReading *reading, guint index);
