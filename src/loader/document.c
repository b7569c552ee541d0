/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document.h"

#include "events.h"
#include "key_name.h"

#include <string.h>

enum { MOST_ERRORS = 1000 };

typedef struct {
    AftEvents events;
    const AftDocumentTarget *target;
    gpointer data; /* the target's */
    AftDiagnostics *diagnostics;
    AftPlaces *places;
    GPtrArray *problems; /* of the present call */
    gboolean stopped;    /* nothing more can or shall be read */
} Document;

static AftPlace here(const Document *document)
{
    return aft_events_place(&document->events);
}

static void stop(Document *document, const AftPlace *place, const char *message)
{
    aft_diagnostics_error(document->diagnostics, place, "%s", message);
    document->stopped = TRUE;
}

/* Goes to the next event. Returns: FALSE when reading has stopped. */
static gboolean next(Document *document)
{
    if (document->stopped) {
        return FALSE;
    }
    AftPlace place;
    g_autofree char *problem = aft_events_next(&document->events, document->diagnostics, &place);
    if (problem != NULL) {
        stop(document, &place, problem);
    } else if (document->diagnostics->errors >= MOST_ERRORS) {
        place = here(document);
        stop(document, &place, "too many errors, the rest is not looked at");
    }
    return !document->stopped;
}

/* Passes over what the present event starts, up to its end. */
static void skip(Document *document)
{
    guint depth = document->events.depth - aft_events_starts(&document->events);
    while (document->events.depth > depth && next(document)) {
    }
}

/* Tells the problems of the call before, at @place. */
static void tell(Document *document, const AftPlace *place)
{
    for (guint i = 0; i < document->problems->len; i++) {
        aft_diagnostics_add(document->diagnostics, place, g_ptr_array_index(document->problems, i));
    }
    g_ptr_array_set_size(document->problems, 0);
}

/* Says what YAML has and we do without: names for values and types. Their values are read
 * all the same; @anchor and @tag are nullable. */
static void refuse_frills(Document *document, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    AftPlace place = here(document);
    if (anchor != NULL) {
        aft_diagnostics_error(document->diagnostics, &place,
                              "anchors (&%s) are not read, leave it out", anchor);
    }
    if (tag != NULL) {
        aft_diagnostics_error(document->diagnostics, &place, "tags (%s) are not read, leave it out",
                              tag);
    }
}

/* Whether the present event is or starts a value of its own; says what is wrong with it. */
static gboolean check_event(Document *document)
{
    const yaml_event_t *event = &document->events.event;
    AftPlace place = here(document);
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        aft_diagnostics_error(document->diagnostics, &place,
                              "aliases (*%s) are not read, write the value out",
                              event->data.alias.anchor);
        return FALSE;
    case YAML_SCALAR_EVENT:
        refuse_frills(document, event->data.scalar.anchor, event->data.scalar.tag);
        return TRUE;
    case YAML_SEQUENCE_START_EVENT:
        refuse_frills(document, event->data.sequence_start.anchor, event->data.sequence_start.tag);
        return TRUE;
    default:
        refuse_frills(document, event->data.mapping_start.anchor, event->data.mapping_start.tag);
        return TRUE;
    }
}

/* Whether the present value is the one that YAML has for nothing. */
static gboolean is_nothing(const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (*text == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
}

static void read_scalar(Document *document, const char *path, const AftPlace *place)
{
    const AftDocumentTarget *target = document->target;
    const char *text = (const char *)document->events.event.data.scalar.value;
    if (strlen(text) != document->events.event.data.scalar.length) {
        aft_diagnostics_error(document->diagnostics, place, "%s: a value cannot hold a zero byte",
                              path);
    } else if (is_nothing(&document->events.event) &&
               (target->shape(path) & AFT_SHAPE_VALUE) == 0) {
        /* "timeline:" with every item commented out is no timeline, but "-" is an item. */
        if (g_str_has_suffix(path, "]")) {
            target->open(document->data, path, FALSE, document->problems);
            tell(document, place);
        }
    } else {
        target->set(document->data, path, text, document->problems);
        tell(document, place);
    }
}

static void read_node(Document *document, const char *path);

static void read_items(Document *document, const char *path)
{
    for (guint i = 0; next(document) && document->events.event.type != YAML_SEQUENCE_END_EVENT;
         i++) {
        g_autofree char *item = g_strdup_printf("%s[%u]", path, i);
        AftPlace place = here(document);
        aft_places_add(document->places, item, &place, &place);
        read_node(document, item);
    }
}

/* The path of the key at the present event, below @map, if it can be one: a name, or where settings
 * or paths are held more than that. Returns: (nullable). */
static char *join_key(Document *document, const char *map)
{
    const AftDocumentTarget *target = document->target;
    const char *text = (const char *)document->events.event.data.scalar.value;
    gsize length = document->events.event.data.scalar.length;
    AftPlace place = here(document);
    if (target->holds_paths != NULL && target->holds_paths(map)) {
        if (aft_key_path_is(text, length)) {
            return g_strdup_printf("%s[%s]", map, text);
        }
        aft_diagnostics_error(document->diagnostics, &place,
                              "\"%s\" is no path of a key, like cluster.nodes", text);
    } else if (aft_key_name_is(text, length, strstr(map, "].set") != NULL)) {
        return g_strconcat(map, *map == '\0' ? "" : ".", text, NULL);
    } else {
        aft_diagnostics_error(document->diagnostics, &place,
                              "\"%s\" is no key: expected letters, digits, _ and -", text);
    }
    return NULL;
}

/* The path of the key at the present event, below @map. Returns: (nullable): no key can be that,
 * and it was said so. */
static char *read_key(Document *document, const char *map)
{
    AftPlace place = here(document);
    const yaml_event_t *event = &document->events.event;
    if (!check_event(document)) {
        return NULL;
    }
    char *path = NULL;
    if (event->type == YAML_SCALAR_EVENT) {
        path = join_key(document, map);
    } else {
        aft_diagnostics_error(document->diagnostics, &place, "expected a key, got a %s",
                              event->type == YAML_MAPPING_START_EVENT ? "map" : "list");
    }
    if (path == NULL) {
        skip(document);
    }
    return path;
}

/* Whether the key @path at @place is one, and the first of its name; says so if not. */
static gboolean is_welcome(Document *document, const char *path, const AftPlace *place)
{
    AftPlace value = here(document);
    if (!aft_places_add(document->places, path, place, &value)) {
        const AftPlace *first = aft_places_find(document->places, path);
        aft_diagnostics_error(document->diagnostics, place, "%s: duplicate key, first on line %u",
                              path, first->line);
        return FALSE;
    }
    if (document->target->shape(path) == AFT_SHAPE_UNKNOWN) {
        document->target->set(document->data, path, "", document->problems);
        tell(document, place);
        return FALSE;
    }
    return TRUE;
}

static void read_pairs(Document *document, const char *map)
{
    while (next(document) && document->events.event.type != YAML_MAPPING_END_EVENT) {
        AftPlace place = here(document);
        g_autofree char *path = read_key(document, map);
        if (!next(document)) {
            return;
        }
        if (path != NULL && is_welcome(document, path, &place)) {
            read_node(document, path);
        } else {
            skip(document);
        }
    }
}

/* A map where a list is allowed is its first item; it has no place of its own. */
static char *item_of_map(const AftDocumentTarget *target, const char *path)
{
    gboolean list = (target->shape(path) & AFT_SHAPE_LIST) != 0;
    return g_strconcat(path, list ? "[0]" : "", NULL);
}

/* Reads the value of @path that the present event is or starts, up to its end. */
static void read_node(Document *document, const char *path)
{
    AftPlace place = here(document);
    yaml_event_type_t type = document->events.event.type;
    if (!check_event(document)) {
        return;
    }
    if (type == YAML_SCALAR_EVENT) {
        read_scalar(document, path, &place);
    } else if (!document->target->open(document->data, path, type == YAML_SEQUENCE_START_EVENT,
                                       document->problems)) {
        tell(document, &place);
        skip(document);
    } else if (type == YAML_SEQUENCE_START_EVENT) {
        read_items(document, path);
    } else {
        g_autofree char *item = item_of_map(document->target, path);
        read_pairs(document, item);
    }
}

/* The document is a map of keys. */
static void read_root(Document *document)
{
    AftPlace place = here(document);
    if (!check_event(document)) {
        return;
    }
    if (document->events.event.type == YAML_MAPPING_START_EVENT) {
        read_pairs(document, "");
    } else if (document->events.event.type == YAML_SCALAR_EVENT &&
               is_nothing(&document->events.event)) {
        stop(document, &place, "the file is empty, expected keys, like version: 1");
    } else {
        stop(document, &place, "expected keys, like version: 1");
    }
}

static void read_stream(Document *document)
{
    AftPlace start = {1, 1, NULL};
    if (!next(document) || !next(document)) { /* the start of the stream and what follows */
        return;
    }
    if (document->events.event.type == YAML_STREAM_END_EVENT) {
        stop(document, &start, "the file is empty, expected keys, like version: 1");
        return;
    }
    if (next(document)) {
        read_root(document);
    }
    if (next(document) && next(document) && document->events.event.type != YAML_STREAM_END_EVENT) {
        AftPlace place = here(document);
        stop(document, &place, "a second document, only one is read from a file");
    }
}

gboolean aft_document_read(const AftDocumentTarget *target, gpointer data,
                           AftDiagnostics *diagnostics, AftPlaces *places)
{
    Document document = {.target = target,
                         .data = data,
                         .diagnostics = diagnostics,
                         .places = places};
    document.problems = aft_problems_new();
    aft_events_init(&document.events, diagnostics->text, diagnostics->bytes);
    read_stream(&document);
    aft_events_clear(&document.events);
    g_ptr_array_unref(document.problems);
    return !document.stopped;
}

typedef struct {
    guint nodes;    /* keys and values of the outermost map so far */
    gboolean asked; /* the last of them was the key "kind" */
    char *kind;
    AftPlace place;
} KindSearch;

/* Goes on with the present event. Returns: FALSE when the search is over. */
static gboolean search_on(KindSearch *search, const AftEvents *events)
{
    yaml_event_type_t type = events->event.type;
    guint starts = aft_events_starts(events);
    gboolean scalar = type == YAML_SCALAR_EVENT;
    const char *text = scalar ? (const char *)events->event.data.scalar.value : "";
    if (events->depth - starts == 1 && (scalar || starts || type == YAML_ALIAS_EVENT)) {
        if (search->asked) {
            search->kind = scalar ? g_strdup(text) : NULL;
            search->place = aft_events_place(events);
            return FALSE;
        }
        search->asked = search->nodes++ % 2 == 0 && strcmp(text, "kind") == 0;
    }
    gboolean list = events->depth - starts == 0 && type == YAML_SEQUENCE_START_EVENT;
    return !list && type != YAML_DOCUMENT_END_EVENT && type != YAML_STREAM_END_EVENT;
}

char *aft_document_kind(const AftDiagnostics *diagnostics, AftPlace *ret_place)
{
    AftEvents events;
    KindSearch search = {.place = {1, 1, NULL}};
    gboolean going = TRUE;
    aft_events_init(&events, diagnostics->text, diagnostics->bytes);
    while (going) {
        AftPlace place;
        g_autofree char *problem = aft_events_next(&events, diagnostics, &place);
        going = problem == NULL && search_on(&search, &events);
    }
    aft_events_clear(&events);
    *ret_place = search.place;
    return search.kind;
}
