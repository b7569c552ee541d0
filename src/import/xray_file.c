/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A template is hidden from the YAML parser as as many characters: OPEN, its number, and FILL up to
 * its width. These are for private use, and plain text to YAML wherever they stand. */
#include "xray_file.h"

#include "text.h"
#include "xray_template.h"

#include <aftershock/base/error.h>

#include <math.h>
#include <string.h>

#define OPEN "\xee\x80\x80"
#define FILL "\xee\x80\x81"

enum {
    MOST_TEMPLATES = 1000, /* whose numbers fit into {{x}} */
    MARK_BYTES = 3,
    LONGEST_VALUE = 65536 /* bytes, with its templates filled in */
};

void aft_xray_file_clear(AftXrayFile *file)
{
    g_clear_pointer(&file->path, g_free);
    g_clear_pointer(&file->templates, g_ptr_array_unref);
    g_clear_pointer(&file->top, aft_yaml_free);
}

static gboolean fail_template(const AftXrayFile *file, const char *text, const char *at,
                              const char *message, GError **error)
{
    guint64 line = 1;
    for (const char *c = text; c < at; c++) {
        line += *c == '\n';
    }
    return aft_text_fail(error, file->path, line, "%s", message);
}

/* Takes the template at @at, which ends before @end, for its number. */
static void hide_one(AftXrayFile *file, const char *at, const char *end, GString *hidden)
{
    glong width = g_utf8_strlen(at, end - at);
    char number[16];
    glong digits = g_snprintf(number, sizeof number, "%u", file->templates->len);
    g_string_append_printf(hidden, OPEN "%s", number);
    for (glong i = digits + 1; i < width; i++) {
        g_string_append(hidden, FILL);
    }
    g_ptr_array_add(file->templates, g_strndup(at + 2, (gsize)(end - at - 4)));
}

static gboolean hide(AftXrayFile *file, const char *text, GString *hidden, GError **error)
{
    const char *from = text;
    for (const char *at; (at = strpbrk(from, "{")) != NULL; from = at) {
        gboolean opens = at[1] == '{';
        const char *end = opens ? strstr(at, "}}") : NULL;
        if (at[1] == '%') {
            return fail_template(file, text, at, "statements of templates, {% ... %}, are not read",
                                 error);
        }
        if (opens && (end == NULL || end < at + 3 || memchr(at, '\n', (gsize)(end - at)) != NULL)) {
            return fail_template(file, text, at, "a template, {{ ... }}, does not end on its line",
                                 error);
        }
        if (opens && file->templates->len == MOST_TEMPLATES) {
            return fail_template(file, text, at, "expected at most 1,000 templates", error);
        }
        g_string_append_len(hidden, from, at - from);
        if (opens) {
            hide_one(file, at, end + 2, hidden);
        } else {
            g_string_append_c(hidden, '{');
        }
        at = opens ? end + 2 : at + 1;
    }
    g_string_append(hidden, from);
    return TRUE;
}

gboolean aft_xray_file_read(AftXrayFile *file, char *path, GError **error)
{
    *file = (AftXrayFile){.path = path};
    file->templates = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *text = aft_text_read(path, error);
    g_autoptr(GString) hidden = g_string_new(NULL);
    if (text == NULL) {
        return FALSE;
    }
    if (strlen(text) > AFT_YAML_MOST_BYTES) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "%s: expected at most 4 MiB", path);
        return FALSE;
    }
    if (!g_utf8_validate(text, -1, NULL)) {
        return aft_text_fail(error, path, 0, "is not UTF-8 text");
    }
    if (!hide(file, text, hidden, error)) {
        return FALSE;
    }
    file->top = aft_yaml_read(path, hidden->str, hidden->len, error);
    return file->top != NULL;
}

gboolean aft_xray_fail(const AftXrayFile *file, const AftYaml *at, GError **error,
                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *clean = aft_text_clean(message, AFT_TEXT_LONGEST_LINE);
    g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s:%u:%u: %s", file->path, at->line,
                at->column, clean);
    return FALSE;
}

gboolean aft_xray_has_template(const char *text)
{
    return strstr(text, OPEN) != NULL;
}

/* The number behind OPEN at @at. Returns: where it goes on; NULL: it is none of ours. */
static const char *find_number(const AftXrayFile *file, const char *at, guint *ret_number)
{
    char *end = NULL;
    guint64 number = g_ascii_strtoull(at + MARK_BYTES, &end, 10);
    if (!g_ascii_isdigit(at[MARK_BYTES]) || number >= file->templates->len) {
        return NULL;
    }
    while (g_str_has_prefix(end, FILL)) {
        end += MARK_BYTES;
    }
    *ret_number = (guint)number;
    return end;
}

/* Returns: (transfer full) (nullable): @value with its templates filled in. */
static char *fill_in(const AftXrayFile *file, const AftYaml *value, GError **error)
{
    const AftYaml *variables = aft_yaml_member(file->top, "vars");
    g_autoptr(GString) filled = g_string_new(NULL);
    const char *from = value->text;
    for (const char *at; (at = strstr(from, OPEN)) != NULL;) {
        guint number = 0;
        const char *end = find_number(file, at, &number);
        g_string_append_len(filled, from, at - from);
        from = end != NULL ? end : at + MARK_BYTES;
        if (end != NULL) {
            const char *template = g_ptr_array_index(file->templates, number);
            g_autofree char *problem = aft_xray_template_append(template, variables, filled);
            if (problem != NULL) {
                aft_xray_fail(file, value, error, "{{%s}}: %s", template, problem);
                return NULL;
            }
            if (filled->len > LONGEST_VALUE) {
                aft_xray_fail(file, value, error, "comes to more than %d bytes", LONGEST_VALUE);
                return NULL;
            }
        }
    }
    g_string_append(filled, from);
    return g_string_free(g_steal_pointer(&filled), FALSE);
}

gboolean aft_xray_text(const AftXrayFile *file, const AftYaml *map, const char *key,
                       char **ret_text, GError **error)
{
    const AftYaml *value = aft_yaml_member(map, key);
    *ret_text = NULL;
    if (value == NULL || value->nothing) {
        return TRUE;
    }
    if (value->kind != AFT_YAML_VALUE) {
        return aft_xray_fail(file, value, error, "%s: expected one value", key);
    }
    *ret_text = fill_in(file, value, error);
    return *ret_text != NULL;
}

gboolean aft_xray_number(const AftXrayFile *file, const AftYaml *map, const char *key, double most,
                         double *ret_value, GError **error)
{
    g_autofree char *text = NULL;
    *ret_value = NAN;
    if (!aft_xray_text(file, map, key, &text, error)) {
        return FALSE;
    }
    if (text != NULL && (!aft_text_parse(text, FALSE, ret_value) || *ret_value > most)) {
        return aft_xray_fail(file, aft_yaml_member(map, key), error,
                             "%s: expected a number of 0 to %.15g, got \"%s\"", key, most, text);
    }
    return TRUE;
}
