/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "events.h"

#include <aftershock/base/error.h>
#include <aftershock/loader/yaml.h>

#include <string.h>

typedef struct {
    AftEvents events;
    AftDiagnostics diagnostics; /* what the text is; collects nothing */
    guint parts;
    GError **error;
} Reading;

void aft_yaml_free(AftYaml *yaml)
{
    if (yaml != NULL) {
        g_free(yaml->text);
        g_clear_pointer(&yaml->keys, g_ptr_array_unref);
        g_clear_pointer(&yaml->items, g_ptr_array_unref);
        g_free(yaml);
    }
}

static void free_yaml(gpointer data)
{
    aft_yaml_free(data);
}

const AftYaml *aft_yaml_member(const AftYaml *yaml, const char *key)
{
    for (guint i = 0; yaml->kind == AFT_YAML_MAP && i < yaml->keys->len; i++) {
        const AftYaml *name = g_ptr_array_index(yaml->keys, i);
        if (strcmp(name->text, key) == 0) {
            return g_ptr_array_index(yaml->items, i);
        }
    }
    return NULL;
}

/* Returns: NULL. */
static AftYaml *fail(Reading *reading, AftError code, const AftPlace *place, const char *message)
{
    g_set_error(reading->error, AFT_ERROR, (gint)code, "%s:%u:%u: %s", reading->diagnostics.name,
                place->line, place->column, message);
    return NULL;
}

static AftYaml *fail_here(Reading *reading, AftError code, const char *message)
{
    AftPlace place = aft_events_place(&reading->events);
    return fail(reading, code, &place, message);
}

static gboolean next(Reading *reading)
{
    AftPlace place;
    g_autofree char *problem = aft_events_next(&reading->events, &reading->diagnostics, &place);
    if (problem != NULL) {
        gboolean deep = reading->events.depth > AFT_EVENTS_DEEPEST;
        fail(reading, deep ? AFT_ERROR_LIMIT : AFT_ERROR_SYNTAX, &place, problem);
    }
    return problem == NULL;
}

static AftYaml *new_part(Reading *reading, AftYamlKind kind)
{
    AftPlace place = aft_events_place(&reading->events);
    if (++reading->parts > AFT_YAML_MOST_PARTS) {
        return fail_here(reading, AFT_ERROR_LIMIT, "expected at most 100,000 keys and values");
    }
    AftYaml *yaml = g_new0(AftYaml, 1);
    yaml->kind = kind;
    yaml->line = place.line;
    yaml->column = place.column;
    yaml->keys = kind == AFT_YAML_MAP ? g_ptr_array_new_with_free_func(free_yaml) : NULL;
    yaml->items = kind != AFT_YAML_VALUE ? g_ptr_array_new_with_free_func(free_yaml) : NULL;
    return yaml;
}

static AftYaml *read_value(Reading *reading)
{
    const yaml_event_t *event = &reading->events.event;
    const char *text = (const char *)event->data.scalar.value;
    if (strlen(text) != event->data.scalar.length) {
        return fail_here(reading, AFT_ERROR_SYNTAX, "a value cannot hold a zero byte");
    }
    AftYaml *yaml = new_part(reading, AFT_YAML_VALUE);
    if (yaml != NULL) {
        yaml->text = g_strdup(text);
        yaml->nothing = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
                        (*text == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
    }
    return yaml;
}

static AftYaml *read_part(Reading *reading);

static gboolean read_items(Reading *reading, AftYaml *list)
{
    while (next(reading)) {
        if (reading->events.event.type == YAML_SEQUENCE_END_EVENT) {
            return TRUE;
        }
        AftYaml *item = read_part(reading);
        if (item == NULL) {
            return FALSE;
        }
        g_ptr_array_add(list->items, item);
    }
    return FALSE;
}

/* Reads the key at the present event, and its value. @seen has the keys so far. */
static gboolean read_pair(Reading *reading, AftYaml *map, GHashTable *seen)
{
    if (reading->events.event.type != YAML_SCALAR_EVENT) {
        fail_here(reading, AFT_ERROR_SYNTAX, "expected a key, a plain text");
        return FALSE;
    }
    g_autoptr(AftYaml) key = read_value(reading);
    if (key == NULL) {
        return FALSE;
    }
    if (!g_hash_table_add(seen, key->text)) {
        fail_here(reading, AFT_ERROR_SYNTAX, "this key is there twice");
        return FALSE;
    }
    AftYaml *value = next(reading) ? read_part(reading) : NULL;
    if (value != NULL) {
        g_ptr_array_add(map->items, value);
        g_ptr_array_add(map->keys, g_steal_pointer(&key));
    }
    return value != NULL;
}

static gboolean read_pairs(Reading *reading, AftYaml *map)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    while (next(reading)) {
        if (reading->events.event.type == YAML_MAPPING_END_EVENT) {
            return TRUE;
        }
        if (!read_pair(reading, map, seen)) {
            return FALSE;
        }
    }
    return FALSE;
}

/* Reads what the present event is or starts, up to its end. */
static AftYaml *read_part(Reading *reading)
{
    yaml_event_type_t type = reading->events.event.type;
    if (type == YAML_ALIAS_EVENT) {
        return fail_here(reading, AFT_ERROR_SYNTAX, "aliases are not read, write the value out");
    }
    if (type == YAML_SCALAR_EVENT) {
        return read_value(reading);
    }
    gboolean map = type == YAML_MAPPING_START_EVENT;
    g_autoptr(AftYaml) yaml = new_part(reading, map ? AFT_YAML_MAP : AFT_YAML_LIST);
    gboolean fine = yaml != NULL && (map ? read_pairs(reading, yaml) : read_items(reading, yaml));
    return fine ? g_steal_pointer(&yaml) : NULL;
}

static AftYaml *read_document(Reading *reading)
{
    if (!next(reading) || !next(reading)) { /* the start of the stream and what follows */
        return NULL;
    }
    if (reading->events.event.type == YAML_STREAM_END_EVENT) {
        AftPlace start = {1, 1, NULL};
        return fail(reading, AFT_ERROR_SYNTAX, &start, "the file is empty");
    }
    g_autoptr(AftYaml) top = next(reading) ? read_part(reading) : NULL;
    if (top == NULL || !next(reading) || !next(reading)) {
        return NULL;
    }
    return reading->events.event.type == YAML_STREAM_END_EVENT
               ? g_steal_pointer(&top)
               : fail_here(reading, AFT_ERROR_SYNTAX,
                           "a second document, only one is read from a file");
}

AftYaml *aft_yaml_read(const char *name, const char *text, gsize bytes, GError **error)
{
    const char *bad = NULL;
    Reading reading = {.diagnostics = {.name = name, .text = text, .bytes = bytes}, .error = error};
    if (bytes > AFT_YAML_MOST_BYTES) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "%s: expected at most 4 MiB", name);
        return NULL;
    }
    if (!g_utf8_validate_len(text, bytes, &bad)) {
        AftPlace place = aft_diagnostics_place(&reading.diagnostics, (gsize)(bad - text));
        return fail(&reading, AFT_ERROR_SYNTAX, &place, "is not UTF-8 text");
    }
    aft_events_init(&reading.events, text, bytes);
    AftYaml *top = read_document(&reading);
    aft_events_clear(&reading.events);
    return top;
}
