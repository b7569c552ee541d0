/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "selector.h"

#include <string.h>

enum { LONGEST_NUMBER = 7, LARGEST = 9999999 }; /* digits; a cluster has at most 100,000 nodes */

static const char *after_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* Reads "3" or "-1". Returns: what follows; NULL: no number. */
static const char *read_number(const char *text, gint64 *ret_number)
{
    text = after_blanks(text);
    const char *digits = text + (*text == '-');
    gsize n = strspn(digits, "0123456789");
    if (n == 0 || n > LONGEST_NUMBER) {
        return NULL;
    }
    *ret_number = g_ascii_strtoll(text, NULL, 10);
    return after_blanks(digits + n);
}

/* One item of a selection: nodes from first up to, not including, end; "3" is the node alone. */
typedef struct {
    gint64 first, end;
    gboolean alone;
} Item;

/* Reads "3" or "2:5". Returns: what follows; NULL: neither. */
static const char *read_item(const char *text, Item *ret_item)
{
    const char *rest = read_number(text, &ret_item->first);
    ret_item->alone = rest == NULL || *rest != ':';
    return ret_item->alone ? rest : read_number(rest + 1, &ret_item->end);
}

gboolean aft_selector_is_all(const char *text)
{
    g_autofree char *word = g_strstrip(g_strdup(text));
    return strcmp(word, "all") == 0;
}

gboolean aft_selector_is_valid(const char *text)
{
    if (aft_selector_is_all(text)) {
        return TRUE;
    }
    Item item;
    const char *rest = read_item(text, &item);
    while (rest != NULL && *rest == ',') {
        rest = read_item(rest + 1, &item);
    }
    return rest != NULL && *rest == '\0';
}

char *aft_selector_pattern(void)
{
    g_autofree char *number = g_strdup_printf("[ \\t]*-?[0-9]{1,%d}[ \\t]*", LONGEST_NUMBER);
    g_autofree char *item = g_strdup_printf("%s(?::%s)?", number, number);
    return g_strdup_printf("(?:[ \\t]*all[ \\t]*|%s(?:,%s)*)", item, item);
}

guint aft_selector_largest(void)
{
    return LARGEST;
}

/* Marks what @item selects. Returns: whether all of it exists. */
static gboolean mark(const Item *item, guint nodes, gboolean *chosen)
{
    gint64 n = nodes;
    gint64 first = item->first < 0 ? item->first + n : item->first;
    gint64 end = item->alone ? first + 1 : item->end < 0 ? item->end + n : item->end;
    if (first < 0 || end > n) {
        return FALSE;
    }
    for (gint64 i = first; i < end; i++) {
        chosen[i] = TRUE;
    }
    return TRUE;
}

static gboolean mark_all(const char *text, guint nodes, gboolean *chosen)
{
    Item item = {0, nodes, FALSE};
    if (aft_selector_is_all(text)) {
        return mark(&item, nodes, chosen);
    }
    const char *rest = read_item(text, &item);
    gboolean exist = mark(&item, nodes, chosen);
    while (*rest == ',' && exist) {
        rest = read_item(rest + 1, &item);
        exist = mark(&item, nodes, chosen);
    }
    return exist;
}

guint *aft_selector_expand(const char *text, guint nodes, guint *ret_n)
{
    g_assert(aft_selector_is_valid(text));
    g_autofree gboolean *chosen = g_new0(gboolean, nodes);
    if (!mark_all(text, nodes, chosen)) {
        return NULL;
    }
    g_autofree guint *selected = g_new(guint, nodes);
    guint n = 0;
    for (guint i = 0; i < nodes; i++) {
        if (chosen[i]) {
            selected[n++] = i;
        }
    }
    if (n == 0) {
        return NULL;
    }
    *ret_n = n;
    return g_steal_pointer(&selected);
}
