/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats.h"

#define QUOTED 40 /* bytes of a wrong text that a message shows */

const AftRowFormat *aft_row_format(AftTraceFormat format)
{
    static const AftRowFormat *const formats[] = {
        [AFT_TRACE_MSR] = &aft_row_msr,
        [AFT_TRACE_ALIBABA] = &aft_row_alibaba,
    };
    g_assert(format > AFT_TRACE_AUTO && (guint)format < G_N_ELEMENTS(formats));
    return formats[format];
}

/* Fields beyond the most are counted only. */
void aft_fields_split(AftFields *fields, char *line)
{
    fields->n = 0;
    for (char *start = line; start != NULL; fields->n++) {
        char *comma = start;
        while (*comma != '\0' && *comma != ',') {
            comma++;
        }
        char *next = *comma == ',' ? comma + 1 : NULL;
        *comma = '\0';
        if (fields->n < AFT_FIELDS_MOST) {
            fields->field[fields->n] = g_strstrip(start);
        }
        start = next;
    }
}

static gboolean is_type(const AftRowFormat *format, const char *text)
{
    return g_ascii_strcasecmp(text, format->read) == 0 ||
           g_ascii_strcasecmp(text, format->write) == 0;
}

gboolean aft_row_format_fits(const AftRowFormat *format, const AftFields *fields)
{
    return fields->n == format->n_columns && is_type(format, fields->field[format->type]);
}

/* What is shown of a wrong text. Returns: (transfer full). */
static char *quoted(const char *text)
{
    g_autofree char *start = g_strndup(text, QUOTED);
    return g_strescape(start, NULL);
}

gboolean aft_fields_number(const AftFields *fields, guint i, const char *name, guint64 most,
                           guint64 *ret_number)
{
    if (g_ascii_string_to_unsigned(fields->field[i], 10, 0, most, ret_number, NULL)) {
        return TRUE;
    }
    g_autofree char *got = quoted(fields->field[i]);
    return aft_line_file_fail(fields->file, fields->error,
                              "%s: expected a whole number from 0 to %" G_GUINT64_FORMAT
                              ", got \"%s\"",
                              name, most, got);
}

/* FNV-1a */
guint64 aft_fields_hash(guint64 hash, const char *text)
{
    for (; *text != '\0'; text++) {
        hash = (hash ^ (guchar)*text) * G_GUINT64_CONSTANT(0x100000001B3);
    }
    return hash;
}

gboolean aft_row_format_read(const AftRowFormat *format, const AftFields *fields,
                             AftRawRow *ret_row)
{
    *ret_row = (AftRawRow){0};
    if (fields->n != format->n_columns) {
        return aft_line_file_fail(fields->file, fields->error,
                                  "expected %u columns (%s), got %u: is the file complete?",
                                  format->n_columns, format->columns, fields->n);
    }
    const char *type = fields->field[format->type];
    if (!is_type(format, type)) {
        g_autofree char *got = quoted(type);
        return aft_line_file_fail(fields->file, fields->error, "expected %s or %s, got \"%s\"",
                                  format->read, format->write, got);
    }
    ret_row->row.write = g_ascii_strcasecmp(type, format->write) == 0;
    return format->parse(fields, ret_row);
}
