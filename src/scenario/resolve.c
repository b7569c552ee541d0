/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include "lists.h"

#include <aftershock/base/units.h>
#include <aftershock/scenario/devices.h>
#include <aftershock/scenario/schemes.h>

#include <string.h>

#define MOST_TRACE_ROWS (10000000)

static char *join(const char *item, const char *key)
{
    gboolean both = *item != '\0' && *key != '\0';
    return g_strconcat(item, both ? "." : "", key, NULL);
}

/* Leaves the index of a list of one out, as most people do: "workload.rate". */
static char *shown(const AftScenario *scenario, const char *path)
{
    static const AftListId maps[] = {AFT_LIST_DISK_GROUPS, AFT_LIST_POOLS, AFT_LIST_WORKLOADS};
    for (guint i = 0; i < G_N_ELEMENTS(maps); i++) {
        const AftKeyList *list = aft_keys_list(maps[i]);
        gsize n = strlen(list->path) - strlen("[*]");
        if (aft_list_length(list, scenario) == 1 && strncmp(path, list->path, n) == 0 &&
            g_str_has_prefix(path + n, "[0]")) {
            return g_strdup_printf("%.*s%s", (int)n, path, path + n + strlen("[0]"));
        }
    }
    return g_strdup(path);
}

static void add(AftCheck *check, gboolean warning, const char *path, const char *suggestion,
                const char *format, va_list arguments)
{
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    g_autofree char *place = shown(check->scenario, path);
    aft_problems_add(check->problems, warning, place, suggestion, "%s", message);
}

void aft_check_error(AftCheck *check, const char *item, const char *key, const char *suggestion,
                     const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *path = join(item, key);
    add(check, FALSE, path, suggestion, format, arguments);
    check->failed = TRUE;
    va_end(arguments);
}

void aft_check_warning(AftCheck *check, const char *item, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *path = join(item, key);
    add(check, TRUE, path, NULL, format, arguments);
    va_end(arguments);
}

void aft_check_missing(AftCheck *check, const char *item, const char *key)
{
    AftKeyMatch match;
    g_autofree char *path = join(item, key);
    gboolean found = aft_keys_find(path, &match);
    g_assert(found);
    g_autofree char *expected = aft_key_describe(match.key);
    aft_check_error(check, path, "", NULL, "missing, expected %s", expected);
}

gboolean aft_check_written(const AftCheck *check, const char *item, const char *key)
{
    g_autofree char *path = join(item, key);
    return aft_scenario_written(check->scenario, path);
}

guint aft_check_written_below(const AftCheck *check, const char *pattern, guint index)
{
    guint n = 0, written = 0;
    const AftKey *keys = aft_keys(&n);
    const AftKeyStep step[AFT_KEY_STEPS] = {{.index = index}};
    gsize length = strlen(pattern);
    for (guint i = 0; i < n; i++) {
        if (strncmp(keys[i].path, pattern, length) == 0 && keys[i].path[length] == '.') {
            g_autofree char *path = aft_keys_path(keys[i].path, step);
            written += aft_scenario_written(check->scenario, path) ? 1 : 0;
        }
    }
    return written;
}

gboolean aft_check_sound(const AftCheck *check, const char *path)
{
    GHashTableIter iter;
    gpointer spoiled = NULL;
    g_hash_table_iter_init(&iter, check->scenario->spoiled);
    while (g_hash_table_iter_next(&iter, &spoiled, NULL)) {
        if (g_str_has_prefix(spoiled, path) || g_str_has_prefix(path, spoiled)) {
            return FALSE;
        }
    }
    return TRUE;
}

char *aft_check_time(gint64 ns)
{
    return aft_units_format(AFT_UNIT_TIME, (double)ns / 1e9);
}

char *aft_check_bytes(double bytes)
{
    return aft_units_format(AFT_UNIT_BYTES, bytes);
}

static gboolean is_builtin_device(const char *path)
{
    guint n = 0;
    const AftBuiltinDevice *builtin = aft_devices_builtin(&n);
    for (guint i = 0; i < n; i++) {
        g_autofree char *prefix = g_strdup_printf("devices.%s.", builtin[i].profile.name);
        if (g_str_has_prefix(path, prefix)) {
            return TRUE;
        }
    }
    return FALSE;
}

static void check_required(const AftKey *key, const char *path, void *field, gpointer data)
{
    (void)key;
    (void)field;
    AftCheck *check = data;
    if (!aft_scenario_written(check->scenario, path) && !is_builtin_device(path)) {
        aft_check_missing(check, path, "");
    }
}

static void check_all_required(AftCheck *check)
{
    guint n = 0;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        if (keys[i].required) {
            aft_key_visit(check->scenario, &keys[i], check_required, check);
        }
    }
}

static void check_lists(AftCheck *check)
{
    for (AftListId id = AFT_LIST_NONE + 1; id < AFT_LISTS; id++) {
        const AftKeyList *list = aft_keys_list(id);
        if (list->needed != NULL && aft_list_length(list, check->scenario) == 0) {
            g_autofree char *item = g_strndup(list->path, strlen(list->path) - strlen("[*]"));
            if (aft_check_sound(check, item)) {
                aft_check_missing(check, item, list->needed);
            }
        }
    }
}

void aft_check_file(AftCheck *check, const char *item, const char *key, const char *path)
{
    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        aft_check_error(check, item, key, NULL, "\"%s\" is a folder, not a file", path);
    } else if (!g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        aft_check_error(check, item, key, NULL, "there is no file \"%s\"", path);
    }
}

/* Whether anything is to happen that a run waits for. */
static gboolean has_course(const AftScenario *scenario)
{
    gboolean course = scenario->n_timeline > 0 || scenario->n_faults > 0;
    for (guint i = 0; i < scenario->n_pools; i++) {
        course |= aft_scheme_width(&scenario->pools[i].encoded) > 0; /* once it is old enough */
    }
    for (guint i = 0; i < scenario->n_workloads; i++) {
        const AftWorkloadSpec *workload = &scenario->workloads[i];
        course |= workload->kind == AFT_WORKLOAD_TRACE && !workload->repeat;
    }
    return course;
}

static void check_run(AftCheck *check)
{
    const AftRunSpec *run = &check->scenario->run;
    if (!aft_check_sound(check, "run")) {
        return;
    }
    double rows = (double)run->duration_ns / (double)run->trace_interval_ns;
    if (rows > MOST_TRACE_ROWS) {
        aft_check_error(check, "run", "trace_interval", NULL,
                        "expected at most %u rows in run.duration, got %.0f", MOST_TRACE_ROWS,
                        rows);
    }
    gboolean settles = aft_check_written(check, "run", "settle");
    if (settles && run->until == AFT_UNTIL_DURATION) {
        aft_check_warning(check, "run", "settle", "has no effect with run.until: duration");
    } else if (settles && run->settle_ns >= run->duration_ns) {
        g_autofree char *end = aft_check_time(run->duration_ns);
        aft_check_warning(check, "run", "settle", "has no effect, run.duration is %s", end);
    } else if (settles && run->settle_ns == 0 && !has_course(check->scenario)) {
        aft_check_error(check, "run", "settle", NULL,
                        "with nothing to wait for, the run would end at 0 s: expected more than "
                        "0 s, or run.until: duration");
    }
}

gboolean aft_scenario_resolve(AftScenario *scenario, GPtrArray *problems)
{
    AftCheck check = {
        .scenario = scenario,
        .problems = problems,
        .failed = g_hash_table_size(scenario->spoiled) > 0,
    };
    aft_timeline_unsort(scenario);
    check_all_required(&check);
    gboolean complete = aft_check_verbs(&check);
    aft_check_cluster(&check);
    check_lists(&check);
    aft_check_sites(&check);
    aft_check_spreads(&check);
    aft_check_disks(&check);
    aft_check_pools(&check);
    aft_check_workloads(&check);
    aft_check_tiers(&check);
    aft_check_scheduler(&check);
    aft_check_timeline(&check, complete);
    aft_check_lifetimes(&check);
    aft_check_background(&check);
    check_run(&check);
    for (guint i = 0; i < G_N_ELEMENTS(check.domains); i++) {
        g_clear_pointer(&check.domains[i], g_array_unref);
    }
    scenario->resolved = TRUE;
    return !check.failed;
}
