/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <string.h>

static const struct {
    const char *name;
    AftActionKind kind;
    const char *needed[3]; /* keys of its map, up to NULL */
} verbs[] = {
    {"fail", AFT_ACTION_FAIL, {NULL}},
    {"restore", AFT_ACTION_RESTORE, {NULL}},
    {"slow", AFT_ACTION_SLOW, {"factor", "for", NULL}},
    {"corrupt", AFT_ACTION_CORRUPT, {"device", "sectors", NULL}},
    {"maintenance", AFT_ACTION_MAINTENANCE, {"node", "for", NULL}},
    {"upgrade", AFT_ACTION_UPGRADE, {"each", NULL}},
    {"add", AFT_ACTION_ADD, {"nodes", NULL}},
    {"start", AFT_ACTION_START, {NULL}},
    {"stop", AFT_ACTION_STOP, {NULL}},
    {"set", AFT_ACTION_CONVERT, {NULL}},
};

enum { VERBS = G_N_ELEMENTS(verbs) };
#define SPOILED (1u << VERBS) /* the whole item is not what it should be */

static const char *const list = "timeline[";

/* Flags of the verbs that each item has, by what was written of it, rightly or not. */
typedef struct {
    guint *flags;
    guint n;
} Items;

static void mark(Items *items, const char *path)
{
    char *rest = NULL;
    if (!g_str_has_prefix(path, list)) {
        return;
    }
    guint64 index = g_ascii_strtoull(path + strlen(list), &rest, 10);
    if (index >= items->n) {
        return;
    }
    if (strcmp(rest, "]") == 0) {
        items->flags[index] |= SPOILED;
    }
    for (guint i = 0; i < VERBS && g_str_has_prefix(rest, "]."); i++) {
        gsize length = strlen(verbs[i].name);
        if (strncmp(rest + 2, verbs[i].name, length) == 0 && strcspn(rest + 2, ".") == length) {
            items->flags[index] |= 1u << i;
        }
    }
}

static void mark_all(Items *items, GHashTable *paths)
{
    GHashTableIter iter;
    gpointer path = NULL;
    g_hash_table_iter_init(&iter, paths);
    while (g_hash_table_iter_next(&iter, &path, NULL)) {
        mark(items, path);
    }
}

static void refuse_none(AftCheck *check, const char *item)
{
    g_autoptr(GString) names = g_string_new(verbs[0].name);
    for (guint i = 1; i < VERBS; i++) {
        g_string_append_printf(names, "%s%s", i + 1 == VERBS ? " or " : ", ", verbs[i].name);
    }
    aft_check_error(check, item, "", NULL, "expected %s, like fail: node 2", names->str);
}

/* A link or a device is slow, one of them. */
static gboolean check_slow(AftCheck *check, const char *item)
{
    gboolean device = aft_check_written(check, item, "slow.device");
    gboolean link = aft_check_written(check, item, "slow.link");
    if (device && link) {
        aft_check_error(check, item, "slow.link", NULL,
                        "an item slows a device or a link, write one for each");
    } else if (!device && !link) {
        aft_check_error(check, item, "slow.device", NULL, "missing, expected it or slow.link");
    }
    return device != link;
}

/* Returns: whether the item says all that its verb needs. */
static gboolean check_needed(AftCheck *check, const char *item, guint verb)
{
    g_autofree char *map = g_strdup_printf("%s.%s", item, verbs[verb].name);
    if (!aft_check_sound(check, map)) {
        return FALSE;
    }
    gboolean complete = verbs[verb].kind != AFT_ACTION_SLOW || check_slow(check, item);
    for (guint i = 0; verbs[verb].needed[i] != NULL; i++) {
        if (!aft_check_written(check, map, verbs[verb].needed[i])) {
            aft_check_missing(check, map, verbs[verb].needed[i]);
            complete = FALSE;
        }
    }
    return complete;
}

/* Returns: whether item @i says when, and one thing to do. */
static gboolean check_item(AftCheck *check, guint i, guint flags)
{
    g_autofree char *item = g_strdup_printf("timeline[%u]", i);
    AftAction *action = &check->scenario->timeline[i];
    if ((flags & SPOILED) != 0) {
        return FALSE;
    }
    if (flags == 0) {
        refuse_none(check, item);
        return FALSE;
    }
    guint verb = g_bit_storage(flags) - 1;
    action->kind = verbs[verb].kind;
    if ((flags & (flags - 1)) != 0) {
        aft_check_error(check, item, verbs[verb].name, NULL,
                        "an item does one thing, write one for each");
        return FALSE;
    }
    if (action->kind != AFT_ACTION_CONVERT && aft_check_written(check, item, "pool")) {
        aft_check_error(check, item, "pool", NULL, "only a conversion has a pool");
    }
    return check_needed(check, item, verb) && aft_check_written(check, item, "at");
}

static gint compare_index(gconstpointer a, gconstpointer b, gpointer data)
{
    (void)data;
    const AftAction *first = a, *second = b;
    return (first->index > second->index) - (first->index < second->index);
}

static gint compare_time(gconstpointer a, gconstpointer b, gpointer data)
{
    const AftAction *first = a, *second = b;
    if (first->at_ns != second->at_ns) {
        return first->at_ns < second->at_ns ? -1 : 1;
    }
    return compare_index(a, b, data);
}

static void sort(AftScenario *scenario, GCompareDataFunc compare)
{
    if (scenario->n_timeline > 1) {
        g_qsort_with_data(scenario->timeline, (gint)scenario->n_timeline, sizeof(AftAction),
                          compare, NULL);
    }
}

void aft_timeline_unsort(AftScenario *scenario)
{
    if (scenario->resolved) {
        sort(scenario, compare_index);
    }
    scenario->resolved = FALSE;
}

static gboolean brings_down(const AftAction *action)
{
    return action->kind == AFT_ACTION_FAIL || action->kind == AFT_ACTION_MAINTENANCE ||
           action->kind == AFT_ACTION_UPGRADE;
}

gboolean aft_check_verbs(AftCheck *check)
{
    AftScenario *scenario = check->scenario;
    gboolean complete = aft_check_sound(check, "timeline");
    Items items = {g_new0(guint, scenario->n_timeline), scenario->n_timeline};
    mark_all(&items, scenario->written);
    mark_all(&items, scenario->spoiled);
    check->faults = scenario->n_faults > 0;
    for (guint i = 0; i < items.n; i++) {
        scenario->timeline[i].index = i;
        complete &= check_item(check, i, items.flags[i]);
        check->faults |= brings_down(&scenario->timeline[i]);
    }
    g_free(items.flags);
    sort(scenario, compare_time);
    return complete;
}
