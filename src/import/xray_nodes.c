/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "xray_nodes.h"

#include <string.h>

static const char expected[] = "expected nodes, like 0, \"0, 2\", \"1:3\", \":n/2\", \"-1\" or all";

static gint64 number_at(const char **at, gint64 n, gboolean *ret_fine)
{
    gsize digits = strspn(*at, G_CSET_DIGITS);
    gint64 value = 0;
    if (digits > 0 && digits < 7) {
        value = g_ascii_strtoll(*at, NULL, 10);
        *at += digits;
    } else if (**at == 'n') {
        value = n;
        *at += 1;
    } else {
        *ret_fine = FALSE;
    }
    return value;
}

/* "n/2-1" from left to right. Returns: whether it is one; @ret_value is held to what lists have. */
static gboolean read_place(const char *text, gint64 n, gint64 *ret_value)
{
    gboolean fine = TRUE, negative = *text == '-';
    const char *at = text + (negative ? 1 : 0);
    gint64 value = number_at(&at, n, &fine);
    value = negative ? -value : value;
    while (fine && *at != '\0') {
        char sign = *at++;
        gint64 other = number_at(&at, n, &fine);
        switch (sign) {
        case '+':
            value += other;
            break;
        case '-':
            value -= other;
            break;
        case '*':
            value = CLAMP(value * other, -1000000, 1000000);
            break;
        case '/':
            fine = fine && other > 0;
            value = fine ? value / other : 0;
            break;
        default:
            fine = FALSE;
        }
        value = CLAMP(value, -1000000, 1000000);
    }
    *ret_value = value < 0 ? value + n : value;
    return fine;
}

static char *choose_range(const char *text, const char *colon, gint64 n, gboolean *chosen)
{
    g_autofree char *first = g_strndup(text, (gsize)(colon - text));
    gint64 from = 0, to = n;
    if ((*first != '\0' && !read_place(first, n, &from)) ||
        (colon[1] != '\0' && !read_place(colon + 1, n, &to))) {
        return g_strdup(expected);
    }
    for (gint64 i = MAX(from, 0); i < MIN(to, n); i++) {
        chosen[i] = TRUE;
    }
    return NULL;
}

static char *choose_one(const char *text, gint64 n, gboolean *chosen)
{
    gint64 place = 0;
    if (!read_place(text, n, &place)) {
        return g_strdup(expected);
    }
    if (place < 0 || place >= n) {
        return g_strdup_printf("there is no node %s of %" G_GINT64_FORMAT "; --nodes says how many "
                               "there are",
                               text, n);
    }
    chosen[place] = TRUE;
    return NULL;
}

static char *strip_blanks(const char *text)
{
    GString *bare = g_string_new(NULL);
    for (const char *c = text; *c != '\0'; c++) {
        if (!g_ascii_isspace(*c)) {
            g_string_append_c(bare, *c);
        }
    }
    return g_string_free(bare, FALSE);
}

char *aft_xray_nodes(const char *text, guint n, gboolean *ret_chosen)
{
    memset(ret_chosen, 0, n * sizeof *ret_chosen);
    g_autofree char *bare = strip_blanks(text);
    g_auto(GStrv) pieces = g_strsplit(bare, ",", -1);
    for (guint i = 0; pieces[i] != NULL; i++) {
        const char *piece = g_str_equal(pieces[i], "all") ? ":" : pieces[i];
        const char *colon = strchr(piece, ':');
        char *problem = colon != NULL ? choose_range(piece, colon, n, ret_chosen)
                                      : choose_one(piece, n, ret_chosen);
        if (problem != NULL) {
            return problem;
        }
    }
    return *bare != '\0' ? NULL : g_strdup(expected);
}
