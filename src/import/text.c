/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text.h"

#include <aftershock/base/error.h>
#include <aftershock/result/csv.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_KEY = 60, QUOTED_BYTES = 60 };

#define MOST_NUMBER (1e18)

static void refuse(const char *path, const char *reason, GError **error)
{
    g_set_error(error, AFT_ERROR, AFT_ERROR_FILE, "%s: %s", path, reason);
}

FILE *aft_text_open(const char *path, GError **error)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &status) != 0) {
        refuse(path, g_strerror(errno), error);
    } else if (!S_ISREG(status.st_mode)) {
        refuse(path, S_ISDIR(status.st_mode) ? "is a folder" : "is not a regular file", error);
    } else {
        FILE *stream = fdopen(file, "r");
        g_assert(stream != NULL);
        return stream;
    }
    if (file >= 0) {
        close(file);
    }
    return NULL;
}

/* Up to the limit and a byte: a file may grow while it is read. Returns: whether it could be. */
static gboolean read_all(FILE *stream, GString *text)
{
    char buffer[65536];
    gsize n = 1;
    while (n > 0 && text->len <= AFT_TEXT_MOST_BYTES) {
        n = fread(buffer, 1, sizeof buffer, stream);
        g_string_append_len(text, buffer, (gssize)n);
    }
    return !ferror(stream);
}

static gboolean is_short(const char *path, gsize bytes, GError **error)
{
    if (bytes > AFT_TEXT_MOST_BYTES) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "%s: expected at most %d MiB", path,
                    AFT_TEXT_MOST_BYTES / 1024 / 1024);
        return FALSE;
    }
    return TRUE;
}

/* Before any of it is read. */
static gboolean starts_short(FILE *stream, const char *path, GError **error)
{
    struct stat status;
    return fstat(fileno(stream), &status) != 0 || is_short(path, (gsize)status.st_size, error);
}

static gboolean is_fit(const char *path, const GString *text, GError **error)
{
    if (!is_short(path, text->len, error)) {
        return FALSE;
    }
    const char *zero = memchr(text->str, '\0', text->len);
    if (zero != NULL) {
        guint64 line = 1;
        for (const char *c = text->str; c < zero; c++) {
            line += *c == '\n';
        }
        return aft_text_fail(error, path, line, "expected text, got a zero byte");
    }
    return TRUE;
}

char *aft_text_read(const char *path, GError **error)
{
    FILE *stream = aft_text_open(path, error);
    if (stream == NULL) {
        return NULL;
    }
    if (!starts_short(stream, path, error)) {
        fclose(stream);
        return NULL;
    }
    g_autoptr(GString) text = g_string_new(NULL);
    gboolean read = read_all(stream, text);
    int read_errno = errno;
    fclose(stream);
    if (!read) {
        refuse(path, g_strerror(read_errno), error);
        return NULL;
    }
    return is_fit(path, text, error) ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}

/* Ends @text before the character that does not end within @most bytes, with dots. */
static void shorten(GString *text, gsize most)
{
    if (text->len <= most) {
        return;
    }
    const char *end = g_utf8_find_prev_char(text->str, text->str + most - 2);
    g_string_truncate(text, end != NULL ? (gsize)(end - text->str) : 0);
    g_string_append(text, "...");
}

char *aft_text_clean(const char *text, gsize most)
{
    gsize bytes = strlen(text);
    g_autofree char *valid = g_utf8_make_valid(text, (gssize)MIN(bytes, 4 * most));
    GString *clean = g_string_new(NULL);
    for (const char *c = valid; *c != '\0'; c = g_utf8_next_char(c)) {
        gunichar character = g_utf8_get_char(c);
        GUnicodeType type = g_unichar_type(character);
        gboolean ends = type == G_UNICODE_LINE_SEPARATOR || type == G_UNICODE_PARAGRAPH_SEPARATOR;
        gboolean prints = g_unichar_isprint(character) && !ends && character != 0xfffd;
        g_string_append_unichar(clean, prints ? character : ' ');
    }
    g_strstrip(clean->str);
    clean->len = strlen(clean->str);
    shorten(clean, most);
    g_string_append(clean, clean->len == 0 ? "?" : "");
    return g_string_free(clean, FALSE);
}

char *aft_text_key(const char *text)
{
    g_autofree char *key = g_strndup(text, LONGEST_KEY);
    g_strcanon(key, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_", '-');
    const char *begin = key + strspn(key, "-");
    return g_strdup(*begin != '\0' ? begin : "unnamed");
}

void aft_text_quote(GString *yaml, const char *text, gsize most)
{
    g_autofree char *clean = aft_text_clean(text, most);
    g_string_append_c(yaml, '"');
    for (const char *c = clean; *c != '\0'; c++) {
        g_string_append(yaml, *c == '"' || *c == '\\' ? "\\" : "");
        g_string_append_c(yaml, *c);
    }
    g_string_append_c(yaml, '"');
}

void aft_text_comment(GString *yaml, guint indent, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *clean = aft_text_clean(message, AFT_TEXT_LONGEST_LINE);
    g_string_append_printf(yaml, "%*s# %s\n", (int)indent, "", clean);
}

void aft_text_cell(GString *csv, const char *text)
{
    g_autofree char *clean = aft_text_clean(text, AFT_TEXT_LONGEST_LINE);
    gboolean formula = strchr("=+-@", *clean) != NULL;
    g_autofree char *cell = g_strconcat(formula ? "'" : "", clean, NULL);
    aft_csv_append(csv, cell);
}

void aft_text_number(GString *text, double value, guint digits)
{
    char format[8], number[G_ASCII_DTOSTR_BUF_SIZE];
    g_snprintf(format, sizeof format, "%%.%ug", digits);
    g_string_append(text, g_ascii_formatd(number, sizeof number, format, value));
}

void aft_text_remark(GPtrArray *remarks, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_ptr_array_add(remarks, aft_text_clean(message, AFT_TEXT_LONGEST_LINE));
}

gboolean aft_text_fail(GError **error, const char *path, guint64 line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *clean = aft_text_clean(message, AFT_TEXT_LONGEST_LINE);
    g_autofree char *place = line > 0 ? g_strdup_printf(":%" G_GUINT64_FORMAT, line) : g_strdup("");
    g_set_error(error, AFT_ERROR, AFT_ERROR_SYNTAX, "%s%s: %s", path, place, clean);
    return FALSE;
}

gboolean aft_text_parse(const char *text, gboolean commas, double *ret_value)
{
    g_autofree char *number = g_strstrip(g_strndup(text, QUOTED_BYTES));
    if (commas) {
        g_auto(GStrv) pieces = g_strsplit(number, ",", -1);
        g_free(number);
        number = g_strjoinv("", pieces);
    }
    char *end = NULL;
    double value = g_ascii_strtod(number, &end);
    gboolean plain = *number != '\0' && strspn(number, "0123456789.eE+-") == strlen(number);
    if (!plain || *end != '\0' || !(value >= 0.0 && value <= MOST_NUMBER)) { /* NaN fails too */
        return FALSE;
    }
    *ret_value = value;
    return TRUE;
}
