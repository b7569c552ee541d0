/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out.h"

#include <errno.h>

enum { PIECE = 1 << 16 };

AftOut aft_out(FILE *stream)
{
    return (AftOut){stream, g_string_sized_new(PIECE + PIECE / 8), 0};
}

static void flush(AftOut *out)
{
    if (out->failure == 0 &&
        fwrite(out->text->str, 1, out->text->len, out->stream) != out->text->len) {
        out->failure = errno;
    }
    g_string_truncate(out->text, 0);
}

static void flush_pieces(AftOut *out)
{
    if (out->text->len >= PIECE) {
        flush(out);
    }
}

void aft_out_add(AftOut *out, const char *text)
{
    g_string_append(out->text, text);
    flush_pieces(out);
}

void aft_out_format(AftOut *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_string_append_vprintf(out->text, format, arguments);
    va_end(arguments);
    flush_pieces(out);
}

void aft_out_number(AftOut *out, double value, guint digits)
{
    char format[8], text[G_ASCII_DTOSTR_BUF_SIZE];
    g_snprintf(format, sizeof format, "%%.%ug", digits);
    g_string_append(out->text, g_ascii_formatd(text, sizeof text, format, value + 0.0)); /* no -0 */
}

void aft_out_seconds(AftOut *out, gint64 ms)
{
    char fraction[8];
    g_snprintf(fraction, sizeof fraction, ".%03d", (int)(ms % 1000));
    for (guint i = 3; i > 0 && fraction[i] == '0'; i--) {
        fraction[i] = '\0';
    }
    aft_out_format(out, "%" G_GINT64_FORMAT "%s", ms / 1000, fraction[1] != '\0' ? fraction : "");
}

gboolean aft_out_end(AftOut *out)
{
    flush(out);
    if (out->failure == 0 && fflush(out->stream) != 0) {
        out->failure = errno;
    }
    g_string_free(out->text, TRUE);
    errno = out->failure;
    return out->failure == 0;
}
