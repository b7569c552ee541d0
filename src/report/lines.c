/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lines.h"

#include <aftershock/base/shown.h>

#include <string.h>

enum { INDENT = 12 };

char *aft_lines_headline(const char *name, const char *label)
{
    if (*label == '\0' || *name == '\0' || g_str_equal(name, label)) {
        return g_strconcat(name, *name == '\0' ? label : "", NULL);
    }
    return g_strdup_printf("%s (%s)", name, label);
}

void aft_lines_append_headline(GString *out, const char *name, const char *label,
                               const AftTextStyle *style)
{
    g_autofree char *title = aft_lines_headline(name, label);
    g_autofree char *text = aft_text_for(title, style->utf8);
    aft_tint_append(out, text, AFT_TINT_STRONG, style->colour);
    g_string_append_c(out, '\n');
}

static gboolean ends_part(const char *word)
{
    gsize length = strlen(word);
    return length > 0 && strchr(",;:", word[length - 1]) != NULL;
}

/* Returns: (transfer full): @text cut where a line may end, after a comma, semicolon or colon. */
static GPtrArray *parts_of(const char *text)
{
    GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    g_autoptr(GString) part = g_string_new(NULL);
    for (guint i = 0; words[i] != NULL; i++) {
        g_string_append_printf(part, "%s%s", part->len > 0 ? " " : "", words[i]);
        if (ends_part(words[i]) || words[i + 1] == NULL) {
            g_ptr_array_add(parts, g_strdup(part->str));
            g_string_truncate(part, 0);
        }
    }
    return parts;
}

/* Appends @text part by part, indented from its second line on. */
static void append_wrapped(GString *out, const char *text, const AftTextStyle *style)
{
    g_autoptr(GPtrArray) parts = parts_of(text);
    guint column = INDENT;
    for (guint i = 0; i < parts->len; i++) {
        const char *part = g_ptr_array_index(parts, i);
        guint length = aft_shown_columns(part);
        if (i > 0 && style->width > 0 && column + 1 + length > style->width) {
            g_string_append_printf(out, "\n%*s", INDENT, "");
            column = INDENT;
        } else if (i > 0) {
            g_string_append_c(out, ' ');
            column++;
        }
        g_string_append(out, part);
        column += length;
    }
    g_string_append_c(out, '\n');
}

void aft_lines_append(GString *out, const char *label, const char *text, AftTint tint,
                      const AftTextStyle *style)
{
    g_autofree char *shown = aft_text_for(text, style->utf8);
    g_assert(strlen(label) < INDENT);
    aft_tint_append(out, label, tint != AFT_TINT_NONE ? tint : AFT_TINT_STRONG, style->colour);
    g_string_append_printf(out, "%*s", INDENT - (int)strlen(label), "");
    append_wrapped(out, shown, style);
}
