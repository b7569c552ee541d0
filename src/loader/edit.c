/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/loader/edit.h>

#include "file.h"
#include "scenario_target.h"
#include "source.h"

#include <aftershock/base/error.h>

#include <string.h>
#include <yaml.h>

/* A value of the text: where it stands, and the bytes that it takes. */
typedef struct {
    guint line, column; /* from 1 */
    gsize begin, end;
} Value;

/* What is to stand in the place of bytes of the text. */
typedef struct {
    gsize begin, end;
    char *value;
} Change;

static void change_clear(gpointer data)
{
    g_free(((Change *)data)->value);
}

/* A place in the text, by characters, which marks count, and by bytes. */
typedef struct {
    const char *at;
    gsize index;
} Walker;

static const char *walk(Walker *walker, gsize index)
{
    glong way = (glong)index - (glong)walker->index;
    *walker = (Walker){g_utf8_offset_to_pointer(walker->at, way), index};
    return walker->at;
}

/* Returns: (transfer full): Value. */
static GArray *find_values(const char *text, gsize bytes)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(Value));
    Walker walker = {text, 0};
    yaml_parser_t parser;
    yaml_event_t event;
    gboolean goes_on = yaml_parser_initialize(&parser) != 0;
    yaml_parser_set_input_string(&parser, (const guchar *)text, bytes);
    while (goes_on && yaml_parser_parse(&parser, &event)) {
        if (event.type == YAML_SCALAR_EVENT) {
            const yaml_mark_t *mark = &event.start_mark;
            Value value = {(guint)mark->line + 1, (guint)mark->column + 1, 0, 0};
            value.begin = (gsize)(walk(&walker, mark->index) - text);
            value.end = (gsize)(walk(&walker, event.end_mark.index) - text);
            g_array_append_val(values, value);
        }
        goes_on = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return values;
}

/* Returns: (nullable): a map or a list is there, or nothing at all. */
static const Value *value_at(const GArray *values, const AftPlace *place)
{
    for (guint i = 0; place != NULL && i < values->len; i++) {
        const Value *it = &g_array_index(values, Value, i);
        if (it->line == place->line && it->column == place->column && it->end > it->begin) {
            return it;
        }
    }
    return NULL;
}

/* As YAML has it, within braces too. Returns: (transfer full). */
static char *written(const char *text)
{
    static const char plain[] = "0123456789.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                " _-+/%";
    gsize length = strlen(text);
    if (g_ascii_isalnum(text[0]) && strspn(text, plain) == length && text[length - 1] != ' ') {
        return g_strdup(text);
    }
    g_auto(GStrv) parts = g_strsplit(text, "'", -1);
    g_autofree char *doubled = g_strjoinv("''", parts);
    return g_strdup_printf("'%s'", doubled);
}

/* Adds @change; of several in one place the last one counts. */
static void add_change(GArray *changes, Change change)
{
    for (guint i = 0; i < changes->len; i++) {
        if (g_array_index(changes, Change, i).begin == change.begin) {
            g_array_remove_index(changes, i);
            break;
        }
    }
    g_array_append_val(changes, change);
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
    g_autoptr(GArray) values = find_values(text->text, text->bytes);
    g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(Change));
    g_array_set_clear_func(changes, change_clear);
    for (guint i = 0; settings[i] != NULL; i++) {
        const char *equals = strchr(settings[i], '=');
        g_autofree char *path = g_strndup(settings[i], (gsize)(equals - settings[i]));
        const Value *value = value_at(values, aft_places_value(source->places, path));
        if (value != NULL) {
            add_change(changes, (Change){value->begin, value->end, written(equals + 1)});
        } else {
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
