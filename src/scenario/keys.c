/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lists.h"

#include <aftershock/scenario/keys.h>
#include <aftershock/scenario/nearest.h>
#include <aftershock/scenario/parts.h>

#include <string.h>

enum { LONGEST_NAME = 64, LONGEST_INDEX = 9 };

static gsize name_length(const char *text)
{
    gsize n = 0;
    while (g_ascii_isalnum(text[n]) || text[n] == '_' || text[n] == '-') {
        n++;
    }
    return n <= LONGEST_NAME ? n : 0;
}

/* Reads "[12]" or, for a list of one, nothing. Returns: what follows; NULL: neither. */
static const char *read_index(const char *path, guint *ret_index)
{
    *ret_index = 0;
    if (path[0] != '[') {
        return path;
    }
    gsize n = strspn(path + 1, "0123456789");
    if (n == 0 || n > LONGEST_INDEX || path[1 + n] != ']') {
        return NULL;
    }
    *ret_index = (guint)g_ascii_strtoull(path + 1, NULL, 10);
    return path + n + 2;
}

/* Follows @pattern along @path as far as @path goes.
 * Returns: the rest of the pattern; NULL: @path goes another way. */
static const char *follow(const char *pattern, const char *path, AftKeyStep *step)
{
    while (*path != '\0') {
        if (*pattern == '[') { /* "[*]", in the table's words */
            path = read_index(path, &step->index);
            step->name = NULL;
            step++;
            pattern += 3;
            if (path == NULL) {
                return NULL;
            }
        } else if (*pattern == '*') {
            step->name = path;
            step->name_length = name_length(path);
            path += step->name_length;
            pattern++;
            if (step->name_length == 0) {
                return NULL;
            }
            step++;
        } else if (*pattern == *path) {
            pattern++;
            path++;
        } else {
            return NULL;
        }
    }
    return pattern;
}

gboolean aft_keys_find(const char *path, AftKeyMatch *ret_match)
{
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        AftKeyMatch match = {.key = &keys[i]};
        const char *rest = follow(keys[i].path, path, match.step);
        /* What is left of "values[*]" behind "values" is the index of a list of one. */
        if (rest != NULL && (*rest == '\0' || strcmp(rest, "[*]") == 0)) {
            *ret_match = match;
            return TRUE;
        }
    }
    return FALSE;
}

static AftKeyShape shape_of_rest(const char *rest)
{
    if (*rest == '\0') {
        return AFT_SHAPE_VALUE;
    }
    if (*rest == '.') {
        return AFT_SHAPE_MAP;
    }
    if (g_str_has_prefix(rest, "[*]")) {
        return AFT_SHAPE_LIST | shape_of_rest(rest + 3);
    }
    return AFT_SHAPE_UNKNOWN; /* in the middle of a name */
}

AftKeyShape aft_keys_shape(const char *path)
{
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    AftKeyShape shape = *path == '\0' ? AFT_SHAPE_MAP : AFT_SHAPE_UNKNOWN;
    for (guint i = 0; i < n && *path != '\0'; i++) {
        AftKeyStep step[AFT_KEY_STEPS] = {0};
        const char *rest = follow(keys[i].path, path, step);
        shape |= rest == NULL ? AFT_SHAPE_UNKNOWN : shape_of_rest(rest);
    }
    return shape;
}

gboolean aft_list_at(const char *path, AftListId *ret_list, AftKeyStep *step)
{
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        AftKeyStep found[AFT_KEY_STEPS] = {0};
        const char *rest = follow(keys[i].path, path, found);
        if (rest != NULL && g_str_has_prefix(rest, "[*]")) {
            rest += 3;
        }
        if (rest != NULL && *rest == '.' && strchr(rest, '*') == NULL) {
            *ret_list = keys[i].list;
            memcpy(step, found, sizeof found);
            return keys[i].list != AFT_LIST_NONE;
        }
    }
    return FALSE;
}

char *aft_keys_path(const char *pattern, const AftKeyStep *step)
{
    GString *path = g_string_new(NULL);
    for (const char *p = pattern; *p != '\0'; p++) {
        if (*p == '[') {
            g_string_append_printf(path, "[%u]", (step++)->index);
            p += 2;
        } else if (*p == '*') {
            g_string_append_len(path, step->name, (gssize)step->name_length);
            step++;
        } else {
            g_string_append_c(path, *p);
        }
    }
    return g_string_free(path, FALSE);
}

/* The names that may follow the map at @prefix, in the table's words. */
static GPtrArray *names_below(const char *prefix)
{
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < n; i++) {
        AftKeyStep step[AFT_KEY_STEPS] = {0};
        const char *rest = follow(keys[i].path, prefix, step);
        if (rest != NULL && g_str_has_prefix(rest, "[*]")) {
            rest += 3;
        }
        if (rest != NULL && (*prefix == '\0' || *rest == '.')) {
            rest += *rest == '.';
            g_ptr_array_add(names, g_strndup(rest, strcspn(rest, ".[")));
        }
    }
    return names;
}

/* The one key anywhere whose last name is @name; NULL: none or several. */
static char *elsewhere(const char *name)
{
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    const AftKey *found = NULL;
    for (guint i = 0; i < n; i++) {
        const char *last = strrchr(keys[i].path, '.');
        if (last != NULL && strcmp(last + 1, name) == 0 && strchr(keys[i].path, '*') == NULL) {
            if (found != NULL) {
                return NULL;
            }
            found = &keys[i];
        }
    }
    return found == NULL ? NULL : g_strdup(found->path);
}

/* The length of the longest start of @path, whole names of it, that is a map. */
static gsize known_length(const char *path)
{
    gsize known = 0;
    for (const char *dot = strchr(path, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        g_autofree char *prefix = g_strndup(path, (gsize)(dot - path));
        if ((aft_keys_shape(prefix) & AFT_SHAPE_MAP) == 0) {
            break;
        }
        known = (gsize)(dot - path);
    }
    return known;
}

/* @path with the @length bytes from @from on replaced by @name, as far as the table knows it. */
static char *corrected(const char *path, gsize from, gsize length, const char *name)
{
    g_autofree char *start = g_strdup_printf("%.*s%s", (int)from, path, name);
    char *whole = g_strconcat(start, path + from + length, NULL);
    if (aft_keys_shape(whole) == AFT_SHAPE_UNKNOWN) {
        g_free(whole);
        return g_steal_pointer(&start);
    }
    return whole;
}

/* The name that all of @names are; NULL: there are several. */
static const char *only(const GPtrArray *names)
{
    const char *name = names->len > 0 ? names->pdata[0] : NULL;
    for (guint i = 1; i < names->len; i++) {
        if (strcmp(names->pdata[i], name) != 0) {
            return NULL;
        }
    }
    return name;
}

/* @path down to where there is a choice. Takes @path. */
static char *completed(char *path)
{
    g_autoptr(GPtrArray) names = names_below(path);
    const char *name = only(names);
    if (name == NULL) {
        return path;
    }
    char *longer = g_strdup_printf("%s.%s", path, name);
    g_free(path);
    return completed(longer);
}

char *aft_keys_suggest(const char *path)
{
    gsize known = known_length(path), from = known + (known > 0);
    gsize length = strcspn(path + from, ".[");
    g_autofree char *prefix = g_strndup(path, known);
    g_autofree char *name = g_strndup(path + from, length);
    g_autoptr(GPtrArray) names = names_below(prefix);
    const char *nearest = aft_nearest(name, (const char *const *)names->pdata, names->len);
    const char *meant = nearest != NULL ? nearest : only(names);
    return meant == NULL ? elsewhere(name) : completed(corrected(path, from, length, meant));
}

/* "closed, open or paced" */
static char *join(const char *const *words)
{
    GString *text = g_string_new(words[0]);
    for (guint i = 1; words[0] != NULL && words[i] != NULL; i++) {
        g_string_append_printf(text, "%s%s", words[i + 1] == NULL ? " or " : ", ", words[i]);
    }
    return g_string_free(text, FALSE);
}

const AftKey *aft_key_meant(const AftKey *bare)
{
    g_autofree char *path = g_strdup_printf("%s.%s", bare->path, bare->choices[0]);
    const AftKey *key = bare;
    while (strcmp(key->path, path) != 0) {
        key++; /* the table has the keys of a map behind its bare form */
    }
    return key;
}

static char *describe_part(const AftKey *key)
{
    g_autofree char *examples = aft_part_examples(key->parts);
    return g_strconcat("a part, like ", examples, NULL);
}

static char *describe_value(const AftKey *key)
{
    switch (key->type) {
    case AFT_KEY_TEXT:
        return g_strdup("a name (one line of at most 200 bytes)");
    case AFT_KEY_FILE:
        return g_strdup("the path of a file");
    case AFT_KEY_WORD:
    case AFT_KEY_CHOICE:
        return join(key->choices);
    case AFT_KEY_COUNT:
    case AFT_KEY_INTEGER:
        return g_strdup("a whole number");
    case AFT_KEY_NUMBER:
        return g_strdup("a number");
    case AFT_KEY_SELECTOR:
        return g_strdup("nodes, like all, 0, 1,3, 2:5 or -1");
    case AFT_KEY_PART:
        return describe_part(key);
    case AFT_KEY_BARE:
        return aft_key_describe(aft_key_meant(key));
    default:
        return g_strdup(aft_units_describe(aft_key_unit(key)));
    }
}

AftUnit aft_key_unit(const AftKey *key)
{
    switch (key->type) {
    case AFT_KEY_TIME:
        return AFT_UNIT_TIME;
    case AFT_KEY_BYTES:
        return AFT_UNIT_BYTES;
    case AFT_KEY_BANDWIDTH:
        return AFT_UNIT_BYTES_PER_TIME;
    case AFT_KEY_RATE:
        return AFT_UNIT_RATE;
    case AFT_KEY_SHARE:
        return AFT_UNIT_SHARE;
    default:
        return AFT_UNIT_COUNT;
    }
}

char *aft_key_describe(const AftKey *key)
{
    g_autofree char *value = describe_value(key);
    return key->word == NULL ? g_strdup(value) : g_strdup_printf("%s, or %s", value, key->word);
}

typedef struct {
    AftListId chain[AFT_KEY_STEPS]; /* lists from the outermost in */
    guint depth;
    AftBaseFunction function;
    gpointer data;
} Walk;

static void walk(const Walk *now, guint depth, void *base, AftKeyStep *step)
{
    if (depth == now->depth) {
        now->function(base, step, now->data);
        return;
    }
    g_assert(depth < AFT_KEY_STEPS);
    const AftKeyList *list = aft_keys_list(now->chain[depth]);
    char *items = aft_list_items(list, base);
    for (guint i = 0; i < aft_list_length(list, base); i++) {
        void *item = items + i * list->item_bytes;
        const char *name = list->named ? *(char **)item : NULL;
        step[depth] = (AftKeyStep){i, name, name == NULL ? 0 : strlen(name)};
        walk(now, depth + 1, item, step);
    }
}

void aft_list_each(const AftScenario *scenario, AftListId list, AftBaseFunction function,
                   gpointer data)
{
    Walk now = {.function = function, .data = data};
    for (AftListId id = list; id != AFT_LIST_NONE; id = aft_keys_list(id)->within) {
        now.depth++;
    }
    guint depth = now.depth;
    for (AftListId id = list; id != AFT_LIST_NONE; id = aft_keys_list(id)->within) {
        now.chain[--depth] = id;
    }
    AftKeyStep step[AFT_KEY_STEPS] = {0};
    walk(&now, 0, (void *)(gsize)scenario, step); /* who visits decides whether to change it */
}

void *aft_list_items(const AftKeyList *list, const void *base)
{
    return *(void *const *)((const char *)base + list->items);
}

guint aft_list_length(const AftKeyList *list, const void *base)
{
    return *(const guint *)((const char *)base + list->n_items);
}

typedef struct {
    const AftKey *key;
    AftKeyVisitor function;
    gpointer data;
} Visit;

static void visit_item(void *base, const AftKeyStep *step, gpointer data)
{
    const Visit *visit = data;
    g_autofree char *path = aft_keys_path(visit->key->path, step);
    visit->function(visit->key, path, (char *)base + visit->key->offset, visit->data);
}

void aft_key_visit(const AftScenario *scenario, const AftKey *key, AftKeyVisitor function,
                   gpointer data)
{
    Visit visit = {key, function, data};
    aft_list_each(scenario, key->list, visit_item, &visit);
}

void aft_keys_visit(const AftScenario *scenario, AftKeyVisitor function, gpointer data)
{
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        if (keys[i].type != AFT_KEY_BARE) {
            aft_key_visit(scenario, &keys[i], function, data);
        }
    }
}
