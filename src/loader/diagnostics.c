/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "diagnostics.h"

#include <string.h>

enum {
    LONGEST_MESSAGE = 500,   /* bytes */
    LONGEST_LINE = 120,      /* characters of a line that are shown */
    BEFORE_CARET = 80,       /* of them, at most this many before the place */
    FARTHEST_COLUMN = 10000, /* in longer lines places are not shown */
    LONGEST_CHARACTER = 4,   /* bytes */
    MOST_MESSAGES = 1000
};

typedef struct {
    AftPlace place;
    guint order;
    gboolean warning;
    char *message;
} Entry;

static void clear_entry(gpointer data)
{
    Entry *entry = data;
    g_free(entry->message);
}

void aft_diagnostics_init(AftDiagnostics *diagnostics, const char *name, const char *text,
                          gsize bytes)
{
    *diagnostics = (AftDiagnostics){name, text, bytes, g_array_new(FALSE, FALSE, sizeof(Entry)), 0};
    g_array_set_clear_func(diagnostics->entries, clear_entry);
}

void aft_diagnostics_clear(AftDiagnostics *diagnostics)
{
    g_clear_pointer(&diagnostics->entries, g_array_unref);
}

AftPlace aft_diagnostics_place(const AftDiagnostics *diagnostics, gsize offset)
{
    AftPlace place = {1, 1, NULL};
    const char *end = diagnostics->text + MIN(offset, diagnostics->bytes);
    for (const char *p = diagnostics->text; p < end; p = g_utf8_next_char(p)) {
        place.line += *p == '\n';
        place.column = *p == '\n' ? 1 : place.column + 1;
    }
    return place;
}

/* Whether a terminal shows @c as one of its own: no controls, and no marks that turn text. */
static gboolean is_shown(gunichar c)
{
    return g_unichar_isprint(c) && !g_unichar_iszerowidth(c);
}

/* @text fit to be printed: valid, of bounded length, free of what would move a cursor. */
static char *printable(const char *text)
{
    gsize bytes = strlen(text);
    g_autofree char *valid = g_utf8_make_valid(text, (gssize)MIN(bytes, LONGEST_MESSAGE));
    GString *shown = g_string_new(NULL);
    for (const char *p = valid; *p != '\0'; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);
        g_string_append_unichar(shown, is_shown(c) ? c : '?');
    }
    g_string_append(shown, bytes > LONGEST_MESSAGE ? "..." : "");
    return g_string_free(shown, FALSE);
}

static void append(AftDiagnostics *diagnostics, const AftPlace *place, gboolean warning,
                   const char *message)
{
    Entry entry = {*place, diagnostics->entries->len, warning, printable(message)};
    g_array_append_val(diagnostics->entries, entry);
    diagnostics->errors += !warning;
}

void aft_diagnostics_error(AftDiagnostics *diagnostics, const AftPlace *place, const char *format,
                           ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    append(diagnostics, place, FALSE, message);
    va_end(arguments);
}

void aft_diagnostics_add(AftDiagnostics *diagnostics, const AftPlace *place,
                         const AftProblem *problem)
{
    const char *suggestion = problem->suggestion == NULL ? "" : problem->suggestion;
    g_autofree char *message = g_strdup_printf("%s: %s%s%s", problem->path, problem->message,
                                               problem->suggestion == NULL ? "" : "; ", suggestion);
    append(diagnostics, place, problem->warning, message);
}

/* The start of line @line (from 1) of the text and its length in bytes; NULL: there is none. */
static const char *find_line(const AftDiagnostics *diagnostics, guint line, gsize *ret_bytes)
{
    const char *start = diagnostics->text, *end = start + diagnostics->bytes;
    for (guint i = 1; i < line && start != NULL; i++) {
        const char *newline = memchr(start, '\n', (gsize)(end - start));
        start = newline == NULL ? NULL : newline + 1;
    }
    if (start == NULL || start == end) {
        return NULL;
    }
    const char *newline = memchr(start, '\n', (gsize)(end - start));
    *ret_bytes = (gsize)((newline == NULL ? end : newline) - start);
    return start;
}

/* Adds the line at @place to @message with a caret below the place. What is far from it is left
 * out, and so is a place that takes long to get to. */
static void append_line(GString *message, const AftDiagnostics *diagnostics, const AftPlace *place)
{
    gsize bytes = 0;
    const char *line = find_line(diagnostics, place->line, &bytes);
    if (line == NULL || place->column > FARTHEST_COLUMN) {
        return;
    }
    guint first = place->column > BEFORE_CARET ? place->column - BEFORE_CARET : 1;
    gsize shown_bytes = MIN(bytes, ((gsize)first + LONGEST_LINE) * LONGEST_CHARACTER);
    g_autofree char *valid = g_strchomp(g_utf8_make_valid(line, (gssize)shown_bytes));
    g_autoptr(GString) below = g_string_new(NULL);
    const char *p = valid;
    g_string_append(message, "\n  ");
    for (guint column = 1; *p != '\0' && column < first + LONGEST_LINE; column++) {
        gunichar c = g_utf8_get_char(p);
        p = g_utf8_next_char(p);
        if (column >= first) {
            g_string_append_unichar(message, is_shown(c) ? c : c == '\t' ? ' ' : '?');
            g_string_append(below, column >= place->column ? "" : g_unichar_iswide(c) ? "  " : " ");
        }
    }
    g_string_append_printf(message, "\n  %s^", below->str);
}

static char *format(const AftDiagnostics *diagnostics, const Entry *entry)
{
    GString *message = g_string_new(NULL);
    if (entry->place.override != NULL) {
        g_autofree char *override = printable(entry->place.override);
        g_string_append_printf(message, "--set %s", override);
    } else {
        g_autofree char *name = printable(diagnostics->name);
        g_string_append_printf(message, "%s:%u:%u", name, entry->place.line, entry->place.column);
    }
    g_string_append_printf(message, ": %s: %s", entry->warning ? "warning" : "error",
                           entry->message);
    if (entry->place.override == NULL) {
        append_line(message, diagnostics, &entry->place);
    }
    return g_string_free(message, FALSE);
}

static gint compare(gconstpointer a, gconstpointer b)
{
    const Entry *first = a, *second = b;
    gboolean set = first->place.override != NULL, other_set = second->place.override != NULL;
    if (set != other_set) {
        return set ? 1 : -1;
    }
    if (first->place.line != second->place.line) {
        return first->place.line < second->place.line ? -1 : 1;
    }
    if (first->place.column != second->place.column) {
        return first->place.column < second->place.column ? -1 : 1;
    }
    return (first->order > second->order) - (first->order < second->order);
}

void aft_diagnostics_write(AftDiagnostics *diagnostics, GPtrArray *messages)
{
    g_array_sort(diagnostics->entries, compare);
    guint n = diagnostics->entries->len;
    for (guint i = 0; i < MIN(n, MOST_MESSAGES); i++) {
        g_ptr_array_add(messages,
                        format(diagnostics, &g_array_index(diagnostics->entries, Entry, i)));
    }
    if (n > MOST_MESSAGES) {
        g_ptr_array_add(messages, g_strdup_printf("%s: and %u more of the kind", diagnostics->name,
                                                  n - MOST_MESSAGES));
    }
}
