/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/loader/edit.h>

#include "file.h"
#include "scenario_target.h"
#include "source.h"

#include <aftershock/base/error.h>

#include <string.h>
#include <yaml.h>

/* Bytes of the text that a value takes, and what is to stand there. */
typedef struct {
    gsize begin, end;
    char *value;
} Change;

static void change_clear(gpointer data)
{
    g_free(((Change *)data)->value);
}

/* Where the values of the text stand: a byte of each begins an entry, and its end. */
static GHashTable *find_values(const char *text, gsize bytes)
{
    GHashTable *ends = g_hash_table_new(NULL, NULL);
    yaml_parser_t parser;
    yaml_event_t event;
    gboolean goes_on = yaml_parser_initialize(&parser) != 0;
    yaml_parser_set_input_string(&parser, (const guchar *)text, bytes);
    while (goes_on && yaml_parser_parse(&parser, &event)) {
        if (event.type == YAML_SCALAR_EVENT) { /* marks count characters */
            gsize begin =
                (gsize)(g_utf8_offset_to_pointer(text, (glong)event.start_mark.index) - text);
            gsize end = (gsize)(g_utf8_offset_to_pointer(text, (glong)event.end_mark.index) - text);
            g_hash_table_insert(ends, GSIZE_TO_POINTER(begin), GSIZE_TO_POINTER(end));
        }
        goes_on = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return ends;
}

static gsize offset_of(const char *text, const AftPlace *place)
{
    const char *line = text;
    for (guint i = 1; i < place->line; i++) {
        line = strchr(line, '\n') + 1;
    }
    return (gsize)(g_utf8_offset_to_pointer(line, place->column - 1) - text);
}

/* Adds the change that @setting means. Returns: FALSE when its key has no value in the text. */
static gboolean add_change(const AftSource *source, GHashTable *ends, const char *setting,
                           GArray *changes)
{
    const char *equals = strchr(setting, '=');
    g_autofree char *path = g_strndup(setting, (gsize)(equals - setting));
    const AftPlace *place = aft_places_value(source->places, path);
    if (place == NULL) {
        return FALSE;
    }
    gsize begin = offset_of(source->diagnostics.text, place);
    gsize end = GPOINTER_TO_SIZE(g_hash_table_lookup(ends, GSIZE_TO_POINTER(begin)));
    Change change = {begin, end, g_strdup(equals + 1)};
    if (end <= begin) { /* a map, or nothing at all */
        change_clear(&change);
        return FALSE;
    }
    g_array_append_val(changes, change);
    return TRUE;
}

static gint by_begin(gconstpointer a, gconstpointer b)
{
    gsize first = ((const Change *)a)->begin, second = ((const Change *)b)->begin;
    return first < second ? -1 : first > second;
}

static char *apply(const char *text, gsize bytes, GArray *changes)
{
    GString *out = g_string_new(NULL);
    gsize from = 0;
    g_array_sort(changes, by_begin);
    for (guint i = 0; i < changes->len; i++) {
        const Change *change = &g_array_index(changes, Change, i);
        g_string_append_len(out, text + from, (gssize)(change->begin - from));
        g_string_append(out, change->value);
        from = change->end;
    }
    g_string_append_len(out, text + from, (gssize)(bytes - from));
    return g_string_free(out, FALSE);
}

static char *edit(const AftSource *source, const char *const *settings, GPtrArray *unwritten)
{
    const AftDiagnostics *text = &source->diagnostics;
    g_autoptr(GHashTable) ends = find_values(text->text, text->bytes);
    g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(Change));
    g_array_set_clear_func(changes, change_clear);
    for (guint i = 0; settings[i] != NULL; i++) {
        if (!add_change(source, ends, settings[i], changes)) {
            g_ptr_array_add(unwritten, g_strdup(settings[i]));
        }
    }
    return apply(text->text, text->bytes, changes);
}

char *aft_loader_edit_text(const char *name, const char *text, gsize bytes,
                           const char *const *settings, GPtrArray *unwritten, GError **error)
{
    AftSource source;
    g_autofree char *whole = g_strndup(text, bytes); /* ends in a zero */
    if (!aft_source_init(&source, name, whole, bytes, aft_scenario_full_path, error)) {
        return NULL;
    }
    g_autoptr(AftScenario) scenario = aft_scenario_new();
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    AftScenarioReading reading = {scenario, name};
    gboolean whole_read = aft_source_read(&source, &aft_scenario_target, &reading);
    g_autofree char *edited = whole_read ? edit(&source, settings, unwritten) : NULL;
    return aft_source_finish(&source, messages, error) ? g_steal_pointer(&edited) : NULL;
}

char *aft_loader_edit_file(const char *path, const char *const *settings, GPtrArray *unwritten,
                           GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    const char *text = aft_file_read(path, bytes, error);
    return text != NULL ? aft_loader_edit_text(path, text, bytes->len, settings, unwritten, error)
                        : NULL;
}
