/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "job_file.h"

#include "text.h"

#include <aftershock/base/error.h>

#include <string.h>

typedef gboolean (*Take)(const AftJobSection *section, gpointer data, GError **error);

typedef struct {
    AftJobSection section;
    gboolean inside; /* of a section but [global] */
    gboolean begun;  /* there was a section at all */
    guint options;
    guint sections;
    Take take;
    gpointer data;
} Reading;

static void free_option(gpointer data)
{
    AftJobOption *option = data;
    g_free(option->key);
    g_free(option->value);
    g_free(option);
}

static gboolean fail_limit(const char *path, guint64 line, const char *what, guint most,
                           GError **error)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT,
                "%s:%" G_GUINT64_FORMAT ": expected at most %u %s", path, line, most, what);
    return FALSE;
}

static gboolean end_section(Reading *reading, GError **error)
{
    AftJobSection *section = &reading->section;
    gboolean fine = !reading->inside || reading->take(section, reading->data, error);
    g_ptr_array_set_size(section->own, 0);
    return fine;
}

static gboolean begin_section(Reading *reading, const char *line, guint64 number, GError **error)
{
    AftJobSection *section = &reading->section;
    const char *end = strrchr(line, ']');
    if (end == NULL) {
        return aft_text_fail(error, section->path, number, "a section is [NAME]: the ] is missing");
    }
    if (!end_section(reading, error)) {
        return FALSE;
    }
    g_free(section->name);
    section->name = g_strndup(line + 1, (gsize)(end - line - 1));
    section->line = number;
    reading->begun = TRUE;
    reading->inside = strcmp(section->name, "global") != 0;
    reading->sections += reading->inside ? 1 : 0;
    return reading->sections <= AFT_JOB_MOST_SECTIONS ||
           fail_limit(section->path, number, "jobs", AFT_JOB_MOST_SECTIONS, error);
}

static gboolean take_option(Reading *reading, const char *line, guint64 number, GError **error)
{
    AftJobSection *section = &reading->section;
    if (!reading->begun) {
        return aft_text_fail(error, section->path, number,
                             "expected a section first, like [global], got \"%s\"", line);
    }
    if (++reading->options > AFT_JOB_MOST_OPTIONS) {
        return fail_limit(section->path, number, "options", AFT_JOB_MOST_OPTIONS, error);
    }
    gsize length = strcspn(line, "=");
    AftJobOption *option = g_new0(AftJobOption, 1);
    g_autofree char *key = g_strndup(line, length);
    option->key = g_ascii_strdown(g_strstrip(key), -1);
    option->value = g_strstrip(g_strdup(line[length] == '=' ? line + length + 1 : ""));
    option->line = number;
    g_ptr_array_add(reading->inside ? section->own : section->globals, option);
    return TRUE;
}

static gboolean read_line(Reading *reading, char *line, guint64 number, GError **error)
{
    g_strstrip(line);
    if (*line == '\0' || *line == '#' || *line == ';') {
        return TRUE;
    }
    return *line == '[' ? begin_section(reading, line, number, error)
                        : take_option(reading, line, number, error);
}

static gboolean read_lines(Reading *reading, char *text, GError **error)
{
    guint64 number = 0;
    for (char *line = text, *next = NULL; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) {
            *next++ = '\0';
        }
        if (!read_line(reading, line, ++number, error)) {
            return FALSE;
        }
    }
    return end_section(reading, error);
}

gboolean aft_job_file_read(const char *path, Take take, gpointer data, GError **error)
{
    g_autofree char *text = aft_text_read(path, error);
    if (text == NULL) {
        return FALSE;
    }
    Reading reading = {.section = {.path = path}, .take = take, .data = data};
    reading.section.globals = g_ptr_array_new_with_free_func(free_option);
    reading.section.own = g_ptr_array_new_with_free_func(free_option);
    gboolean fine = read_lines(&reading, text, error);
    g_free(reading.section.name);
    g_ptr_array_unref(reading.section.globals);
    g_ptr_array_unref(reading.section.own);
    return fine;
}

static const AftJobOption *last_of(const GPtrArray *options, const char *key)
{
    for (guint i = options->len; i-- > 0;) {
        const AftJobOption *option = g_ptr_array_index(options, i);
        if (strcmp(option->key, key) == 0) {
            return option;
        }
    }
    return NULL;
}

const AftJobOption *aft_job_option(const AftJobSection *section, const char *key)
{
    const AftJobOption *own = last_of(section->own, key);
    return own != NULL ? own : last_of(section->globals, key);
}

gboolean aft_job_fail(const AftJobSection *section, const AftJobOption *option, GError **error,
                      const char *expected)
{
    return aft_text_fail(error, section->path, option->line, "%s: expected %s, got \"%s\"",
                         option->key, expected, option->value);
}

/* Splits "1.5g" at the end of its number. Returns: whether there is a number. */
static gboolean split(const char *text, double *ret_number, char **ret_unit)
{
    gsize digits = strspn(text, "0123456789.");
    g_autofree char *number = g_strndup(text, digits);
    if (!aft_text_parse(number, FALSE, ret_number)) {
        return FALSE;
    }
    g_autofree char *unit = g_ascii_strdown(text + digits, -1);
    *ret_unit = g_strdup(g_strstrip(unit));
    return TRUE;
}

static gboolean is_size(double value)
{
    return value >= 0.0 && value <= 1e18;
}

gboolean aft_job_size(const char *text, double base, double *ret_value)
{
    static const char letters[] = "kmgtp";
    g_autofree char *unit = NULL;
    double value = 0.0;
    if (!split(text, &value, &unit)) {
        return FALSE;
    }
    const char *letter = *unit != '\0' ? strchr(letters, *unit) : NULL;
    const char *rest = letter != NULL ? unit + 1 : unit;
    gboolean other = letter != NULL && *rest == 'i';
    rest += other;
    rest += *rest == 'b';
    double step = other ? 2024.0 - base : base;
    for (gsize i = 0; letter != NULL && i <= (gsize)(letter - letters); i++) {
        value *= step;
    }
    *ret_value = value;
    return *rest == '\0' && is_size(value);
}

gboolean aft_job_time(const char *text, double unit_s, double *ret_s)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"us", 1e-6}, {"usec", 1e-6}, {"ms", 1e-3},  {"msec", 1e-3}, {"s", 1.0},
                 {"sec", 1.0}, {"m", 60.0},    {"h", 3600.0}, {"d", 86400.0}};
    g_autofree char *unit = NULL;
    double value = 0.0;
    if (!split(text, &value, &unit)) {
        return FALSE;
    }
    gboolean known = *unit == '\0';
    double factor = unit_s;
    for (guint i = 0; i < G_N_ELEMENTS(units) && !known; i++) {
        known = g_str_equal(units[i].name, unit);
        factor = units[i].seconds;
    }
    *ret_s = value * factor;
    return known && is_size(*ret_s);
}
