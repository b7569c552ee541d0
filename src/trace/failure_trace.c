/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/trace/failure_trace.h>

#include "line_file.h"

#include <aftershock/scenario/parts.h>
#include <math.h>
#include <string.h>

#define LONGEST_S (36500.0 * 86400.0) /* as of a scenario */

typedef enum { COLUMN_TIME, COLUMN_EVENT, COLUMN_SUBJECT, COLUMNS } Column;

static const char *const titles[COLUMNS] = {"time_s", "event", "subject"};

struct AftFailureTrace {
    AftLineFile *file;
    guint column[COLUMNS];
    gint64 last_ns;
};

/* Takes the next field off @line, in place: "a,""b""" is a, then "b". Returns: (nullable): there is
 * none. */
static char *take_field(char **line)
{
    char *field = *line, *to = *line;
    gboolean quoted = field != NULL && *field == '"';
    if (field == NULL) {
        return NULL;
    }
    const char *from = quoted ? field + 1 : field;
    for (; *from != '\0' && (quoted || *from != ','); from++) {
        if (quoted && *from == '"' && *++from != '"') {
            break; /* the end of it, unless it is doubled */
        }
        *to++ = *from;
    }
    from += strcspn(from, ",");
    *line = *from == ',' ? (char *)(gsize)(from + 1) : NULL;
    *to = '\0';
    return field;
}

static gboolean find_columns(AftFailureTrace *trace, char *line, GError **error)
{
    gboolean found[COLUMNS] = {FALSE};
    char *field;
    for (guint at = 0; (field = take_field(&line)) != NULL; at++) {
        for (guint column = 0; column < COLUMNS; column++) {
            if (strcmp(field, titles[column]) == 0 && !found[column]) {
                trace->column[column] = at;
                found[column] = TRUE;
            }
        }
    }
    for (guint column = 0; column < COLUMNS; column++) {
        if (!found[column]) {
            return aft_line_file_fail(trace->file, error,
                                      "expected a line of titles with time_s, event and subject, "
                                      "found no %s",
                                      titles[column]);
        }
    }
    return TRUE;
}

AftFailureTrace *aft_failure_trace_open(const char *path, GError **error)
{
    AftLineFile *file = aft_line_file_open(path, error);
    if (file == NULL) {
        return NULL;
    }
    g_autoptr(AftFailureTrace) trace = g_new0(AftFailureTrace, 1);
    GError *problem = NULL;
    trace->file = file;
    char *line = aft_line_file_next(file, &problem);
    if (problem != NULL) {
        g_propagate_error(error, problem);
        return NULL;
    }
    return find_columns(trace, line, error) ? g_steal_pointer(&trace) : NULL;
}

void aft_failure_trace_free(AftFailureTrace *trace)
{
    if (trace != NULL) {
        aft_line_file_free(trace->file);
        g_free(trace);
    }
}

void aft_failure_trace_fail(const AftFailureTrace *trace, GError **error, const char *message)
{
    aft_line_file_fail(trace->file, error, "%s", message);
}

static gboolean read_time(AftFailureTrace *trace, const char *text, gint64 *ret_ns, GError **error)
{
    char *end = NULL;
    double seconds = g_ascii_strtod(text, &end);
    if (end == text || *end != '\0' || !(seconds >= 0.0 && seconds <= LONGEST_S)) {
        return aft_line_file_fail(trace->file, error,
                                  "time_s: expected seconds from 0 to a century, got \"%s\"", text);
    }
    *ret_ns = (gint64)round(seconds * 1e9);
    if (*ret_ns < trace->last_ns) {
        return aft_line_file_fail(trace->file, error,
                                  "time_s: %s is earlier than the row above, sort the file by time",
                                  text);
    }
    trace->last_ns = *ret_ns;
    return TRUE;
}

static gboolean read_part(const AftFailureTrace *trace, const char *text, AftPart *ret_part,
                          GError **error)
{
    const guint kinds = 1u << AFT_PART_NODE | 1u << AFT_PART_CONTROLLER | 1u << AFT_PART_DEVICE |
                        1u << AFT_PART_CACHE | 1u << AFT_PART_GROUP | 1u << AFT_PART_RACK;
    if (!aft_part_parse(text, kinds, FALSE, ret_part)) {
        g_autofree char *expected = aft_part_examples(kinds);
        return aft_line_file_fail(trace->file, error, "subject: expected %s, got \"%s\"", expected,
                                  text);
    }
    return TRUE;
}

/* Returns: whether the row is wrong; @ret_is_one: whether it is a failure or a return. */
static gboolean parse(AftFailureTrace *trace, char *line, AftFailureRow *ret_row,
                      gboolean *ret_is_one, GError **error)
{
    const char *text[COLUMNS] = {NULL};
    char *field;
    for (guint at = 0; (field = take_field(&line)) != NULL; at++) {
        for (guint column = 0; column < COLUMNS; column++) {
            text[column] = trace->column[column] == at ? field : text[column];
        }
    }
    for (guint column = 0; column < COLUMNS; column++) {
        if (text[column] == NULL) {
            return aft_line_file_fail(trace->file, error, "has no %s", titles[column]);
        }
    }
    ret_row->restore = strcmp(text[COLUMN_EVENT], "restore") == 0;
    *ret_is_one = ret_row->restore || strcmp(text[COLUMN_EVENT], "fail") == 0;
    return read_time(trace, text[COLUMN_TIME], &ret_row->time_ns, error) &&
           (!*ret_is_one || read_part(trace, text[COLUMN_SUBJECT], &ret_row->part, error));
}

gboolean aft_failure_trace_next(AftFailureTrace *trace, AftFailureRow *ret_row, GError **error)
{
    gboolean is_one = FALSE;
    GError *problem = NULL;
    AftFailureRow row = {0};
    while (!is_one) {
        char *line = aft_line_file_next(trace->file, &problem);
        if (line == NULL || !parse(trace, line, &row, &is_one, &problem)) {
            if (problem != NULL) {
                g_propagate_error(error, problem);
            }
            return FALSE;
        }
    }
    *ret_row = row;
    return TRUE;
}
