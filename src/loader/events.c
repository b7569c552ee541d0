/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "events.h"

#include <string.h>

void aft_events_init(AftEvents *events, const char *text, gsize bytes)
{
    memset(events, 0, sizeof *events);
    int ready = yaml_parser_initialize(&events->parser);
    g_assert(ready); /* short of memory, as elsewhere */
    yaml_parser_set_encoding(&events->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&events->parser, (const unsigned char *)text, bytes);
}

void aft_events_clear(AftEvents *events)
{
    yaml_event_delete(&events->event);
    yaml_parser_delete(&events->parser);
}

static AftPlace place_of(const yaml_mark_t *mark)
{
    return (AftPlace){(guint)mark->line + 1, (guint)mark->column + 1, NULL};
}

AftPlace aft_events_place(const AftEvents *events)
{
    return place_of(&events->event.start_mark);
}

guint aft_events_starts(const AftEvents *events)
{
    yaml_event_type_t type = events->event.type;
    return type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT;
}

guint aft_events_ends(const AftEvents *events)
{
    yaml_event_type_t type = events->event.type;
    return type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT;
}

/* Where libyaml stopped: at a mark, or for what is not even text for YAML at a byte. */
static AftPlace place_of_problem(const yaml_parser_t *parser, const AftDiagnostics *diagnostics)
{
    return parser->error == YAML_READER_ERROR
               ? aft_diagnostics_place(diagnostics, parser->problem_offset)
               : place_of(&parser->problem_mark);
}

static char *problem_of(const yaml_parser_t *parser)
{
    gboolean tab = parser->unread > 0 && *parser->buffer.pointer == '\t';
    if (tab && parser->error == YAML_SCANNER_ERROR) {
        return g_strdup("a tab does not indent, use blanks");
    }
    const char *context = parser->context == NULL ? "" : parser->context;
    return g_strdup_printf("not YAML: %s%s%s", context, *context == '\0' ? "" : ", ",
                           parser->problem == NULL ? "out of memory" : parser->problem);
}

char *aft_events_next(AftEvents *events, const AftDiagnostics *diagnostics, AftPlace *ret_place)
{
    yaml_event_delete(&events->event);
    if (!yaml_parser_parse(&events->parser, &events->event)) {
        *ret_place = place_of_problem(&events->parser, diagnostics);
        return problem_of(&events->parser);
    }
    events->depth += aft_events_starts(events);
    events->depth -= aft_events_ends(events);
    if (events->depth > AFT_EVENTS_DEEPEST) {
        *ret_place = aft_events_place(events);
        return g_strdup("nested too deeply, at most 32 maps and lists may hold each other");
    }
    return NULL;
}
