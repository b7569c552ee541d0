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

/* A value of the text. */
typedef struct {
    guint line, column; /* as its place has them */
    gsize begin, end;   /* bytes */
} Spot;

static void change_clear(gpointer data)
{
    g_free(((Change *)data)->value);
}

/* The end of the line after a block of text belongs to the block, but not to what it says. */
static gsize end_of_value(const char *text, gsize begin, gsize end)
{
    while (end > begin && g_ascii_isspace(text[end - 1])) {
        end--;
    }
    return end;
}

/* Where the values of the text stand, in its order. What ends a line, and how many characters
 * there are before it, is for the parser to say. */
static GArray *find_values(const char *text, gsize bytes)
{
    GArray *spots = g_array_new(FALSE, FALSE, sizeof(Spot));
    yaml_parser_t parser;
    yaml_event_t event;
    const char *at = text; /* character @index, so that the way to the next one is short */
    gsize index = 0;
    gboolean goes_on = yaml_parser_initialize(&parser) != 0;
    yaml_parser_set_input_string(&parser, (const guchar *)text, bytes);
    while (goes_on && yaml_parser_parse(&parser, &event)) {
        if (event.type == YAML_SCALAR_EVENT) {
            const yaml_mark_t *start = &event.start_mark, *end = &event.end_mark;
            at = g_utf8_offset_to_pointer(at, (glong)start->index - (glong)index);
            index = start->index;
            gsize begin = (gsize)(at - text);
            const char *after = g_utf8_offset_to_pointer(at, (glong)(end->index - index));
            Spot spot = {(guint)start->line + 1, (guint)start->column + 1, begin,
                         end_of_value(text, begin, (gsize)(after - text))};
            g_array_append_val(spots, spot);
        }
        goes_on = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return spots;
}

static gint by_place(gconstpointer a, gconstpointer b)
{
    const Spot *first = a, *second = b;
    return first->line != second->line       ? (first->line < second->line ? -1 : 1)
           : first->column != second->column ? (first->column < second->column ? -1 : 1)
                                             : 0;
}

/* NULL: at @place stands a map, or nothing at all. */
static const Spot *spot_at(const GArray *spots, const AftPlace *place)
{
    Spot wanted = {.line = place->line, .column = place->column};
    guint index = 0;
    gboolean there = g_array_binary_search((GArray *)spots, &wanted, by_place, &index);
    const Spot *spot = there ? &g_array_index(spots, Spot, index) : NULL;
    return spot != NULL && spot->end > spot->begin ? spot : NULL;
}

/* Whether YAML takes @value for a text as it is, within braces too. */
static gboolean is_plain(const char *value)
{
    static const char plain[] = "0123456789.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                " _-+/%";
    gsize length = strlen(value);
    return g_ascii_isalnum(*value) && strspn(value, plain) == length && value[length - 1] != ' ';
}

/* In quotes where it was: in "key":"value" they have to be there; else only where YAML needs them.
 * Returns: (transfer full). */
static char *written(const char *before, const char *value)
{
    gboolean plain = is_plain(value);
    if (plain) {
        return *before == '"' || *before == '\''
                   ? g_strdup_printf("%c%s%c", *before, value, *before)
                   : g_strdup(value);
    }
    g_auto(GStrv) parts = g_strsplit(value, "'", -1);
    g_autofree char *doubled = g_strjoinv("''", parts);
    return g_strdup_printf("'%s'", doubled);
}

/* What is to stand at @spot from now on, whatever was to before. */
static void put_change(GArray *changes, const Spot *spot, char *value)
{
    for (guint i = 0; i < changes->len; i++) {
        Change *change = &g_array_index(changes, Change, i);
        if (change->begin == spot->begin) {
            g_free(change->value);
            change->value = value;
            return;
        }
    }
    Change change = {spot->begin, spot->end, value};
    g_array_append_val(changes, change);
}

/* Adds the change that @setting means. Returns: FALSE when its key has no value in the text. */
static gboolean add_change(const AftSource *source, const GArray *spots, const char *setting,
                           GArray *changes)
{
    const char *equals = strchr(setting, '=');
    g_autofree char *path = g_strndup(setting, (gsize)(equals - setting));
    const AftPlace *place = aft_places_value(source->places, path);
    const Spot *spot = place != NULL ? spot_at(spots, place) : NULL;
    if (spot == NULL) {
        return FALSE;
    }
    const char *before = source->diagnostics.text + spot->begin;
    put_change(changes, spot, written(before, equals + 1));
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
    g_autoptr(GArray) spots = find_values(text->text, text->bytes);
    g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(Change));
    g_array_set_clear_func(changes, change_clear);
    for (guint i = 0; settings[i] != NULL; i++) {
        if (!add_change(source, spots, settings[i], changes)) {
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
    g_autofree char *rest = whole_read ? edit(&source, settings, unwritten) : NULL;
    g_autofree char *mark = g_strndup(whole, (gsize)(source.diagnostics.text - whole));
    g_autofree char *edited = g_strconcat(mark, rest, NULL); /* with the byte order mark, if any */
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
