/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "diagnostics.h"

#include <aftershock/base/shown.h>

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

/* @text fit to be printed, and of bounded length. */
static char *printable(const char *text)
{
    gsize bytes = strlen(text);
    g_autofree char *beginning = g_strndup(text, MIN(bytes, LONGEST_MESSAGE));
    g_autofree char *shown = aft_shown_text(beginning, "");
    return g_strconcat(shown, bytes > LONGEST_MESSAGE ? "..." : "", NULL);
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

/* Up to @n characters of @text after the first @skip. */
static char *substring(const char *text, guint skip, guint n)
{
    glong length = g_utf8_strlen(text, -1), from = MIN((glong)skip, length);
    return g_utf8_substring(text, from, MIN(from + (glong)n, length));
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
    g_autofree char *beginning = g_strndup(line, shown_bytes);
    g_autofree char *shown = aft_shown_text(g_strdelimit(g_strchomp(beginning), "\t", ' '), "");
    g_autofree char *part = substring(shown, first - 1, LONGEST_LINE);
    g_autofree char *before = substring(part, 0, place->column - first);
    g_string_append_printf(message, "\n  %s\n  %*s^", part, (int)aft_shown_columns(before), "");
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
