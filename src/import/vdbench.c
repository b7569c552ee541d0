/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns in blanks, named by the line that begins with tod; rows avg_2-5 are the means of a run.
 * MB/sec is MiB/s. */
#include "cells.h"
#include "kinds.h"
#include "text.h"

#include <aftershock/base/error.h>

#include <math.h>
#include <string.h>

#define MIB (1048576.0)
#define MS  (1e-3)

enum { MOST_ROWS = 10000 };

static const struct {
    const char *title;
    const char *metric;
    double factor;
} columns[] = {
    {"rate", "iops", 1.0},
    {"MB/sec", "mb_per_s", MIB},
    {"mb_read", "read_mb_per_s", MIB},
    {"mb_write", "write_mb_per_s", MIB},
    {"resp", "mean", MS},
    {"read_resp", "read_mean", MS},
    {"write_resp", "write_mean", MS},
};

typedef struct {
    const char *path;
    guint64 line;
    AftCells *cells;
    const AftImportOptions *options;
    GPtrArray *titles; /* NULL before they are told */
    guint rows;        /* of means */
} Reading;

/* The words of @line, which are put an end to in place. Returns: (transfer container). */
static GPtrArray *split(char *line)
{
    GPtrArray *words = g_ptr_array_new();
    for (char *at = line + strspn(line, " \t\r"); *at != '\0'; at += strspn(at, " \t\r")) {
        g_ptr_array_add(words, at);
        at += strcspn(at, " \t\r");
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    return words;
}

/* The word in the column @title. (nullable) */
static const char *word_of(const Reading *reading, const GPtrArray *words, const char *title)
{
    for (guint i = 0; i < reading->titles->len; i++) {
        if (g_str_equal(reading->titles->pdata[i], title)) {
            return words->pdata[i];
        }
    }
    return NULL;
}

/* @ret_value is NaN where there is no number. */
static gboolean number_of(const Reading *reading, const GPtrArray *words, const char *title,
                          double *ret_value, GError **error)
{
    const char *word = word_of(reading, words, title);
    *ret_value = NAN;
    if (word == NULL || strcmp(word, "n/a") == 0) {
        return TRUE;
    }
    return aft_text_parse(word, FALSE, ret_value) ||
           aft_text_fail(error, reading->path, reading->line,
                         "%s: expected a number of 0 or more, got \"%s\"", title, word);
}

static char *label_of(Reading *reading, const GPtrArray *words)
{
    const char *run = word_of(reading, words, "Run");
    const char *wanted = reading->options->label != NULL ? reading->options->label : run;
    char *label = aft_cells_label(reading->cells, wanted != NULL ? wanted : "vdbench");
    const char *threads = word_of(reading, words, "threads");
    aft_cells_comment(reading->cells, "run %s, %s, threads %s, wanted rate %s",
                      run != NULL ? run : "?", word_of(reading, words, "Interval"),
                      threads != NULL ? threads : "?", word_of(reading, words, "reqrate"));
    return label;
}

static gboolean add_shares(const Reading *reading, const GPtrArray *words, const char *where,
                           const char *label, GError **error)
{
    double rate = NAN, percent = NAN;
    const char *derivation = "rate and read%";
    if (!number_of(reading, words, "rate", &rate, error) ||
        !number_of(reading, words, "read%", &percent, error)) {
        return FALSE;
    }
    if (percent > 100.0) {
        return aft_text_fail(error, reading->path, reading->line,
                             "read%%: expected 0 to 100, got %g", percent);
    }
    return aft_cells_add(reading->cells, where, label, "read_iops", rate * percent / 100.0,
                         derivation, error) &&
           aft_cells_add(reading->cells, where, label, "write_iops",
                         rate * (100.0 - percent) / 100.0, derivation, error);
}

static gboolean take_means(Reading *reading, const GPtrArray *words, GError **error)
{
    g_autofree char *where = g_strdup_printf("%s:%" G_GUINT64_FORMAT, reading->path, reading->line);
    if (++reading->rows > MOST_ROWS) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "%s: expected at most %d rows of means",
                    where, MOST_ROWS);
        return FALSE;
    }
    g_autofree char *label = label_of(reading, words);
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        double value = NAN;
        if (!number_of(reading, words, columns[i].title, &value, error) ||
            !aft_cells_add(reading->cells, where, label, columns[i].metric,
                           value * columns[i].factor, NULL, error)) {
            return FALSE;
        }
    }
    return add_shares(reading, words, where, label, error);
}

static gboolean take_titles(Reading *reading, const GPtrArray *words, GError **error)
{
    static const char *const needed[] = {"Interval", "reqrate", "rate"};
    g_clear_pointer(&reading->titles, g_ptr_array_unref);
    reading->titles = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < words->len; i++) {
        g_ptr_array_add(reading->titles, g_strdup(words->pdata[i]));
    }
    for (guint i = 0; i < G_N_ELEMENTS(needed); i++) {
        if (word_of(reading, words, needed[i]) == NULL) {
            return aft_text_fail(error, reading->path, reading->line, "there is no column %s",
                                 needed[i]);
        }
    }
    return TRUE;
}

static gboolean read_line(Reading *reading, char *line, GError **error)
{
    g_autoptr(GPtrArray) words = split(line);
    const char *first = words->len > 0 ? words->pdata[0] : "*";
    if (*first == '*' || *first == '<') { /* a comment, and what makes it HTML */
        return TRUE;
    }
    if (g_str_equal(first, "tod")) {
        return take_titles(reading, words, error);
    }
    if (reading->titles == NULL) {
        return aft_text_fail(error, reading->path, reading->line,
                             "expected the line of titles, which begins with tod");
    }
    if (words->len != reading->titles->len) {
        return aft_text_fail(error, reading->path, reading->line, "expected %u columns, got %u",
                             reading->titles->len, words->len);
    }
    gboolean means = g_str_has_prefix(word_of(reading, words, "Interval"), "avg_");
    return !means || take_means(reading, words, error);
}

static gboolean read_lines(Reading *reading, char *text, GError **error)
{
    for (char *line = text, *next = NULL; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) {
            *next++ = '\0';
        }
        reading->line++;
        if (!read_line(reading, line, error)) {
            return FALSE;
        }
    }
    return reading->rows > 0 || aft_text_fail(error, reading->path, 0,
                                              "has no means, rows like avg_2-5: did the run end?");
}

char *aft_import_vdbench(const char *const *files, const AftImportOptions *options,
                         GPtrArray *remarks G_GNUC_UNUSED, GError **error)
{
    g_autoptr(AftCells) cells = aft_cells_new(options);
    aft_cells_tool(cells, "vdbench");
    for (guint i = 0; files[i] != NULL; i++) {
        g_autofree char *text = aft_text_read(files[i], error);
        Reading reading = {.path = files[i], .cells = cells, .options = options};
        gboolean fine = text != NULL && read_lines(&reading, text, error);
        g_clear_pointer(&reading.titles, g_ptr_array_unref);
        if (!fine) {
            return NULL;
        }
    }
    return aft_cells_write(cells, files, error);
}
