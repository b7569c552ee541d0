/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.h - YAML event by event, held to a depth. */
#pragma once

#include "diagnostics.h"

#include <yaml.h>

enum { AFT_EVENTS_DEEPEST = 32 };

typedef struct {
    yaml_parser_t parser;
    yaml_event_t event; /* the present one */
    guint depth;        /* of maps and lists around it */
} AftEvents;

/** Makes @events ready for @text, valid UTF-8, which is borrowed until they are cleared. */
void aft_events_init(AftEvents *events, const char *text, gsize bytes);

void aft_events_clear(AftEvents *events);

/** Where the present event stands. */
AftPlace aft_events_place(const AftEvents *events);

/** Whether the present event starts, or ends, a map or a list: 1 or 0. */
guint aft_events_starts(const AftEvents *events);
guint aft_events_ends(const AftEvents *events);

/** Goes to the next event. Returns: (transfer full) (nullable): why there is none, and where; the
 *  text is that of @diagnostics. */
char *aft_events_next(AftEvents *events, const AftDiagnostics *diagnostics, AftPlace *ret_place);
