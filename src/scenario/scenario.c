/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "lists.h"
#include "value.h"

#include <aftershock/scenario/devices.h>

#include <string.h>

static void problem_free(gpointer data)
{
    AftProblem *problem = data;
    g_free(problem->path);
    g_free(problem->message);
    g_free(problem->suggestion);
    g_free(problem);
}

GPtrArray *aft_problems_new(void)
{
    return g_ptr_array_new_with_free_func(problem_free);
}

void aft_problems_add(GPtrArray *problems, gboolean warning, const char *path,
                      const char *suggestion, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    AftProblem *problem = g_new(AftProblem, 1);
    *problem = (AftProblem){
        .path = g_strdup(path),
        .message = g_strdup_vprintf(format, arguments),
        .suggestion = suggestion == NULL ? NULL : g_strdup_printf("did you mean %s?", suggestion),
        .warning = warning,
    };
    va_end(arguments);
    g_ptr_array_add(problems, problem);
}

/* Gives the keys of @list in the struct at @base their defaults. */
static void reset_all(AftListId list, void *base)
{
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        if (keys[i].list == list && keys[i].type != AFT_KEY_BARE) {
            aft_value_reset(&keys[i], (char *)base + keys[i].offset);
        }
    }
}

/* Adds an item to @list in the struct at @base; room is made in powers of two. */
static void *append(AftListId id, void *base)
{
    const AftKeyList *list = aft_keys_list(id);
    void **items = (void **)(void *)((char *)base + list->items);
    guint *n = (guint *)(void *)((char *)base + list->n_items);
    if ((*n & (*n - 1)) == 0) {
        *items = g_realloc_n(*items, MAX(1, *n * 2), list->item_bytes);
    }
    void *item = (char *)*items + *n * list->item_bytes;
    memset(item, 0, list->item_bytes);
    (*n)++;
    reset_all(id, item);
    return item;
}

static void add_builtin_devices(AftScenario *scenario)
{
    guint n = 0;
    const AftBuiltinDevice *builtin = aft_devices_builtin(&n);
    for (guint i = 0; i < n; i++) {
        AftDeviceProfile *device = append(AFT_LIST_DEVICES, scenario);
        *device = builtin[i].profile;
        device->name = g_strdup(builtin[i].profile.name);
    }
}

AftScenario *aft_scenario_new(void)
{
    AftScenario *scenario = g_new0(AftScenario, 1);
    scenario->written = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    scenario->spoiled = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    reset_all(AFT_LIST_NONE, scenario);
    add_builtin_devices(scenario);
    return scenario;
}

static void clear_field(void *base, const AftKeyStep *step, gpointer data)
{
    (void)step;
    const AftKey *key = data;
    aft_value_clear(key, (char *)base + key->offset);
}

static void clear_fields(const AftScenario *scenario)
{
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        aft_list_each(scenario, keys[i].list, clear_field, (gpointer)&keys[i]);
    }
}

static void free_items(void *base, const AftKeyStep *step, gpointer data)
{
    (void)step;
    const AftKeyList *list = data;
    char *items = aft_list_items(list, base);
    for (guint i = 0; list->named && i < aft_list_length(list, base); i++) {
        g_free(*(char **)(void *)(items + i * list->item_bytes));
    }
    g_free(items);
}

void aft_scenario_free(AftScenario *scenario)
{
    if (scenario == NULL) {
        return;
    }
    for (guint i = 0; i < scenario->n_workloads; i++) {
        g_free(scenario->workloads[i].on_nodes);
        g_free(scenario->workloads[i].mix);
    }
    for (guint i = 0; i < scenario->n_faults; i++) {
        g_free(scenario->faults[i].on_nodes);
    }
    g_free(scenario->cluster.sites);
    clear_fields(scenario);
    for (AftListId id = AFT_LISTS - 1; id > AFT_LIST_NONE; id--) { /* inner lists come later */
        const AftKeyList *list = aft_keys_list(id);
        aft_list_each(scenario, list->within, free_items, (gpointer)list);
    }
    g_hash_table_unref(scenario->written);
    g_hash_table_unref(scenario->spoiled);
    g_free(scenario);
}

/* Where the items of @list in the struct at @base have the one that @step names.
 * Returns: its index, the length of the list when there is none. */
static guint index_of_item(const AftKeyList *list, const void *base, const AftKeyStep *step)
{
    guint n = aft_list_length(list, base);
    if (!list->named) {
        return step->index;
    }
    const char *items = aft_list_items(list, base);
    for (guint i = 0; i < n; i++) {
        const char *name = *(char *const *)(const void *)(items + i * list->item_bytes);
        if (strlen(name) == step->name_length &&
            strncmp(name, step->name, step->name_length) == 0) {
            return i;
        }
    }
    return n;
}

typedef struct {
    AftScenario *scenario;
    const char *path;
    GPtrArray *problems; /* (nullable): nothing grows and nothing is said */
} Search;

/* The item of @id in the struct at @base that @step names, new when it is the next. */
static void *item_at(const Search *search, AftListId id, void *base, const AftKeyStep *step)
{
    const AftKeyList *list = aft_keys_list(id);
    guint n = aft_list_length(list, base);
    guint index = index_of_item(list, base, step);
    if (index < n) {
        return (char *)aft_list_items(list, base) + index * list->item_bytes;
    }
    if (search->problems == NULL) {
        return NULL;
    }
    if (index >= list->limit) {
        aft_problems_add(search->problems, FALSE, search->path, NULL,
                         "expected at most %u items in the list", list->limit);
        return NULL;
    }
    if (index > n) {
        aft_problems_add(search->problems, FALSE, search->path, NULL,
                         "item %u leaves a gap: the list has %u", index, n);
        return NULL;
    }
    void *item = append(id, base);
    if (list->named) {
        *(char **)item = g_strndup(step->name, step->name_length);
    }
    return item;
}

/* The struct that holds the fields of @list on the way of @step. */
static void *base_at(const Search *search, AftListId id, const AftKeyStep *step)
{
    if (id == AFT_LIST_NONE) {
        return search->scenario;
    }
    const AftKeyList *list = aft_keys_list(id);
    guint depth = list->within == AFT_LIST_NONE ? 0 : 1;
    void *base = base_at(search, list->within, step);
    return base == NULL ? NULL : item_at(search, id, base, &step[depth]);
}

static void remember(GHashTable *paths, const char *pattern, const AftKeyStep *step)
{
    g_hash_table_add(paths, aft_keys_path(pattern, step));
}

static gboolean set_key(const Search *search, const AftKey *key, const AftKeyStep *step,
                        const char *text)
{
    void *base = base_at(search, key->list, step);
    gboolean fine = base != NULL && aft_value_read(key, text, (char *)base + key->offset,
                                                   search->path, search->problems);
    g_autofree char *full = aft_keys_path(key->path, step);
    if (fine) {
        g_hash_table_remove(search->scenario->spoiled, full);
    } else {
        g_hash_table_add(search->scenario->spoiled, g_strdup(full));
    }
    g_hash_table_add(search->scenario->written, g_steal_pointer(&full));
    return fine;
}

/* Whether @path is that of something in the map @bare. */
static gboolean is_below(const char *path, const AftKey *bare)
{
    gsize n = strlen(bare->path);
    return strncmp(path, bare->path, n) == 0 && path[n] == '.';
}

/* Empties the lists of numbers that the map @bare holds. */
static void empty_lists(const AftKey *bare, void *base)
{
    for (AftListId id = AFT_LIST_NONE + 1; id < AFT_LISTS; id++) {
        const AftKeyList *list = aft_keys_list(id);
        if (is_below(list->path, bare)) {
            *(guint *)(void *)((char *)base + list->n_items) = 0;
        }
    }
}

/* Gives all keys of the map @bare their defaults, as if they had never been written. */
static void forget(const Search *search, const AftKeyMatch *match, void *base)
{
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        if (is_below(keys[i].path, match->key) && keys[i].list == match->key->list) {
            g_autofree char *full = aft_keys_path(keys[i].path, match->step);
            g_hash_table_remove(search->scenario->written, full);
            g_hash_table_remove(search->scenario->spoiled, full);
            aft_value_reset(&keys[i], (char *)base + keys[i].offset);
        }
    }
    empty_lists(match->key, base);
}

/* One value for a whole map: what the map held before is gone. */
static gboolean set_bare(const Search *search, const AftKeyMatch *match, const char *text)
{
    void *base = base_at(search, match->key->list, match->step);
    if (base == NULL) {
        return FALSE;
    }
    forget(search, match, base);
    gboolean fine = TRUE;
    for (guint i = 0; match->key->choices[i] != NULL && fine; i++) {
        AftKeyMatch below;
        g_autofree char *path = g_strdup_printf("%s.%s", search->path, match->key->choices[i]);
        fine = aft_keys_find(path, &below) && set_key(search, below.key, below.step, text);
    }
    return fine;
}

/* What stands at @path counts as written wrongly, so that nobody asks for it as well. */
static void spoil(const Search *search, const char *path)
{
    AftKeyMatch match;
    if (aft_keys_find(path, &match)) {
        remember(search->scenario->written, match.key->path, match.step);
        remember(search->scenario->spoiled, match.key->path, match.step);
    } else {
        g_hash_table_add(search->scenario->spoiled, g_strdup(path));
    }
}

/* Says that there is no such key. */
static void refuse_unknown(const Search *search)
{
    g_autofree char *suggestion = aft_keys_suggest(search->path);
    aft_problems_add(search->problems, FALSE, search->path, suggestion, "unknown key");
    if (suggestion != NULL) {
        spoil(search, suggestion);
    }
}

/* Says that one value cannot stand where a map or a list is wanted. */
static void refuse_value(const Search *search, AftKeyShape shape, const char *text)
{
    aft_problems_add(search->problems, FALSE, search->path, NULL, "expected %s, got \"%s\"",
                     (shape & AFT_SHAPE_LIST) != 0 ? "a list of maps" : "a map of keys", text);
    spoil(search, search->path);
}

gboolean aft_scenario_set(AftScenario *scenario, const char *path, const char *text,
                          GPtrArray *problems)
{
    aft_timeline_unsort(scenario);
    Search search = {scenario, path, problems};
    AftKeyMatch match;
    if (!aft_keys_find(path, &match)) {
        AftKeyShape shape = aft_keys_shape(path);
        if (shape == AFT_SHAPE_UNKNOWN) {
            refuse_unknown(&search);
        } else {
            refuse_value(&search, shape, text);
        }
        return FALSE;
    }
    if (match.key->type == AFT_KEY_BARE) {
        return set_bare(&search, &match, text);
    }
    return set_key(&search, match.key, match.step, text);
}

char *aft_scenario_get(const AftScenario *scenario, const char *path)
{
    AftKeyMatch match;
    if (!aft_keys_find(path, &match) || match.key->type == AFT_KEY_BARE) {
        return NULL;
    }
    Search search = {(AftScenario *)(gsize)scenario, path, NULL}; /* which changes nothing */
    const char *base = base_at(&search, match.key->list, match.step);
    return base == NULL ? NULL : aft_value_write(match.key, base + match.key->offset);
}

gboolean aft_scenario_open(AftScenario *scenario, const char *path, gboolean list,
                           GPtrArray *problems)
{
    aft_timeline_unsort(scenario);
    Search search = {scenario, path, problems};
    AftKeyShape shape = aft_keys_shape(path);
    if (shape == AFT_SHAPE_UNKNOWN) {
        refuse_unknown(&search);
        return FALSE;
    }
    if ((shape & (list ? AFT_SHAPE_LIST : AFT_SHAPE_MAP)) == 0) {
        AftKeyMatch match;
        g_autofree char *expected =
            aft_keys_find(path, &match) ? aft_key_describe(match.key) : g_strdup("a map of keys");
        aft_problems_add(problems, FALSE, path, NULL, "expected %s, got a %s", expected,
                         list ? "list" : "map");
        spoil(&search, path);
        return FALSE;
    }
    AftListId id = AFT_LIST_NONE;
    AftKeyStep step[AFT_KEY_STEPS] = {0};
    return list || !aft_list_at(path, &id, step) || base_at(&search, id, step) != NULL;
}

gboolean aft_scenario_written(const AftScenario *scenario, const char *path)
{
    return g_hash_table_contains(scenario->written, path);
}
