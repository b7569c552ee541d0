/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "xray_walk.h"

#include "text.h"
#include "xray_load.h"
#include "xray_nodes.h"
#include "xray_timeline.h"

#include <aftershock/base/error.h>
#include <aftershock/base/units.h>

#include <math.h>
#include <string.h>

#define MOST_SECONDS (36500.0 * 86400.0)
#define UPGRADE_S    (600.0)
#define BOOT_S       (300.0)

struct AftXrayWalk {
    const AftXrayFile *file;
    const char *folder;
    guint n_nodes;
    AftFioJobs *jobs;
    double now_s;
    AftXrayTimeline *timeline;
    GPtrArray *loads; /* AftXrayLoad: started so far */
    gboolean down[AFT_XRAY_MOST_NODES];
    double switched_s[AFT_XRAY_MOST_NODES]; /* when it went down or up last; below 0: never */
};

/* A step on its way. */
typedef struct {
    const char *name;
    const AftYaml *place;
    const AftYaml *arguments; /* a map, or nothing */
} Step;

static void free_load(gpointer data)
{
    aft_xray_load_free(data);
}

AftXrayWalk *aft_xray_walk_new(const AftXrayFile *file, const char *folder, guint n_nodes,
                               AftFioJobs *jobs)
{
    g_assert(n_nodes >= 1 && n_nodes <= AFT_XRAY_MOST_NODES);
    AftXrayWalk *walk = g_new0(AftXrayWalk, 1);
    walk->file = file;
    walk->folder = folder;
    walk->n_nodes = n_nodes;
    walk->jobs = jobs;
    for (guint i = 0; i < n_nodes; i++) {
        walk->switched_s[i] = -1.0;
    }
    walk->timeline = aft_xray_timeline_new();
    walk->loads = g_ptr_array_new_with_free_func(free_load);
    return walk;
}

void aft_xray_walk_free(AftXrayWalk *walk)
{
    if (walk != NULL) {
        aft_xray_timeline_free(walk->timeline);
        g_ptr_array_unref(walk->loads);
        g_free(walk);
    }
}

/* Both in a comment where the step would be, and for who called. */
static void note(AftXrayWalk *walk, const Step *step, const char *why)
{
    char *text = g_strdup_printf("line %u: %s: %s", step->place->line, step->name, why);
    aft_text_remark(walk->jobs->remarks, "%s:%u: %s: %s", walk->file->path, step->place->line,
                    step->name, why);
    aft_xray_timeline_note(walk->timeline, walk->now_s, text);
}

static gboolean go_on(AftXrayWalk *walk, const Step *step, double until_s, GError **error)
{
    walk->now_s = MAX(walk->now_s, until_s);
    return walk->now_s <= MOST_SECONDS ||
           aft_xray_fail(walk->file, step->place, error, "%s: at most 36,500 days in all",
                         step->name);
}

/* Starts or stops, as @verb says, the items of @load. */
static void add_switch(AftXrayWalk *walk, const char *verb, const AftXrayLoad *load, double at_s)
{
    for (guint i = load->first; i < load->first + load->n; i++) {
        GString *text = g_string_new(verb);
        g_string_append(text, ": ");
        aft_text_quote(text, g_ptr_array_index(walk->jobs->ordered, i), AFT_TEXT_LONGEST_NAME);
        aft_xray_timeline_add(walk->timeline, at_s, g_string_free(text, FALSE));
    }
}

static void end_load(AftXrayWalk *walk, AftXrayLoad *load, double at_s)
{
    if (load->running) {
        add_switch(walk, "stop", load, MIN(at_s, load->end_s));
        load->running = FALSE;
    }
}

static AftXrayLoad *find_load(const AftXrayWalk *walk, const char *name)
{
    for (guint i = 0; i < walk->loads->len; i++) {
        AftXrayLoad *load = g_ptr_array_index(walk->loads, i);
        if (strcmp(load->name, name) == 0) {
            return load;
        }
    }
    return NULL;
}

/* The workload that @step is about; @ret_load is NULL when it was not started so far. */
static gboolean read_load(AftXrayWalk *walk, const Step *step, char **ret_name,
                          AftXrayLoad **ret_load, GError **error)
{
    if (!aft_xray_text(walk->file, step->arguments, "workload_name", ret_name, error)) {
        return FALSE;
    }
    if (*ret_name == NULL) {
        return aft_xray_fail(walk->file, step->place, error, "%s: expected a workload_name",
                             step->name);
    }
    *ret_load = find_load(walk, *ret_name);
    return TRUE;
}

static AftXrayLoad *add_load(AftXrayWalk *walk, const Step *step, const char *name, GError **error)
{
    AftXrayLoad *load = aft_xray_load_new(walk->file, step->place, name, walk->folder,
                                          walk->n_nodes, walk->jobs, error);
    if (load != NULL) {
        g_ptr_array_add(walk->loads, load);
        if (walk->now_s > 0.0) { /* else it begins with the run */
            add_switch(walk, "stop", load, 0.0);
            add_switch(walk, "start", load, walk->now_s);
        }
    }
    return load;
}

static gboolean read_flag(const AftXrayWalk *walk, const Step *step, const char *key,
                          gboolean *ret_flag, GError **error)
{
    g_autofree char *text = NULL;
    if (!aft_xray_text(walk->file, step->arguments, key, &text, error)) {
        return FALSE;
    }
    *ret_flag = text != NULL &&
                (g_ascii_strcasecmp(text, "true") == 0 || g_ascii_strcasecmp(text, "yes") == 0 ||
                 g_ascii_strcasecmp(text, "on") == 0);
    return TRUE;
}

/* Waits for @load to end, if that is known. */
static gboolean wait_for(AftXrayWalk *walk, const Step *step, AftXrayLoad *load, GError **error)
{
    if (isinf(load->end_s)) {
        note(walk, step, "when it ends, only fio knows: no time goes by");
        return TRUE;
    }
    double end_s = load->end_s;
    end_load(walk, load, end_s);
    return go_on(walk, step, end_s, error);
}

/* Starts what @step names, from now on and for @runtime_s (NaN: as long as its job file says). */
static AftXrayLoad *start_load(AftXrayWalk *walk, const Step *step, double runtime_s,
                               GError **error)
{
    g_autofree char *name = NULL;
    AftXrayLoad *load = NULL;
    if (!read_load(walk, step, &name, &load, error)) {
        return NULL;
    }
    if (load == NULL) {
        load = add_load(walk, step, name, error);
    } else {
        end_load(walk, load, walk->now_s);
        add_switch(walk, "start", load, walk->now_s);
    }
    if (load != NULL) {
        double lasts_s = runtime_s > 0.0 ? runtime_s : load->runtime_s;
        load->running = TRUE;
        load->end_s = lasts_s > 0.0 ? walk->now_s + lasts_s : (double)INFINITY;
    }
    return load;
}

static gboolean take_start(AftXrayWalk *walk, const Step *step, GError **error)
{
    const AftXrayFile *file = walk->file;
    double runtime_s = NAN, stagger_s = NAN;
    gboolean async = FALSE;
    if (!read_flag(walk, step, "async", &async, error) ||
        !aft_xray_number(file, step->arguments, "runtime_secs", MOST_SECONDS, &runtime_s, error) ||
        !aft_xray_number(file, step->arguments, "stagger_secs", MOST_SECONDS, &stagger_s, error)) {
        return FALSE;
    }
    AftXrayLoad *load = start_load(walk, step, runtime_s, error);
    if (load != NULL && stagger_s > 0.0) {
        note(walk, step, "stagger_secs: here all machines begin at the same time");
    }
    return load != NULL && (async || wait_for(walk, step, load, error));
}

/* The same of a workload that runs; @ret_load is NULL, after a note, when it does not. */
static gboolean read_running(AftXrayWalk *walk, const Step *step, AftXrayLoad **ret_load,
                             GError **error)
{
    g_autofree char *name = NULL;
    if (!read_load(walk, step, &name, ret_load, error)) {
        return FALSE;
    }
    if (*ret_load == NULL || !(*ret_load)->running) {
        *ret_load = NULL;
        note(walk, step, "that workload does not run then");
    }
    return TRUE;
}

static gboolean take_load_wait(AftXrayWalk *walk, const Step *step, GError **error)
{
    AftXrayLoad *load = NULL;
    return read_running(walk, step, &load, error) &&
           (load == NULL || wait_for(walk, step, load, error));
}

static gboolean take_stop(AftXrayWalk *walk, const Step *step, GError **error)
{
    AftXrayLoad *load = NULL;
    gboolean fine = read_running(walk, step, &load, error);
    if (load != NULL) {
        end_load(walk, load, walk->now_s);
    }
    return fine;
}

static gboolean take_wait(AftXrayWalk *walk, const Step *step, GError **error)
{
    double seconds = NAN;
    if (!aft_xray_number(walk->file, step->arguments, "duration_secs", MOST_SECONDS, &seconds,
                         error)) {
        return FALSE;
    }
    if (isnan(seconds)) {
        return aft_xray_fail(walk->file, step->place, error, "%s: expected duration_secs",
                             step->name);
    }
    return go_on(walk, step, walk->now_s + seconds, error);
}

static gboolean read_nodes(const AftXrayWalk *walk, const Step *step, gboolean *ret_chosen,
                           GError **error)
{
    g_autofree char *text = NULL;
    if (!aft_xray_text(walk->file, step->arguments, "nodes", &text, error)) {
        return FALSE;
    }
    if (text == NULL) {
        return aft_xray_fail(walk->file, step->place, error, "%s: expected nodes", step->name);
    }
    g_autofree char *problem = aft_xray_nodes(text, walk->n_nodes, ret_chosen);
    return problem == NULL || aft_xray_fail(walk->file, aft_yaml_member(step->arguments, "nodes"),
                                            error, "%s: nodes: %s", step->name, problem);
}

/* Leaves of the @chosen those that are not @down, or up, so far. @ret_now: one of them became so
 * just now. Returns: how many. */
static guint leave_others(const AftXrayWalk *walk, gboolean *chosen, gboolean down,
                          gboolean *ret_now)
{
    guint n = 0;
    *ret_now = FALSE;
    for (guint i = 0; i < walk->n_nodes; i++) {
        chosen[i] = chosen[i] && walk->down[i] != down;
        *ret_now = *ret_now || (chosen[i] && walk->switched_s[i] == walk->now_s);
        n += chosen[i] ? 1 : 0;
    }
    return n;
}

/* Takes nodes down, or up; those that are already are left alone. */
static gboolean switch_nodes(AftXrayWalk *walk, const Step *step, gboolean down, GError **error)
{
    gboolean chosen[AFT_XRAY_MOST_NODES], just_now = FALSE;
    if (!read_nodes(walk, step, chosen, error)) {
        return FALSE;
    }
    if (leave_others(walk, chosen, down, &just_now) == 0) {
        note(walk, step, down ? "no node is up then" : "no node is down then");
        return TRUE;
    }
    if (just_now) { /* nothing fails and returns at one time */
        note(walk, step, "how long a boot takes, only the test knows: 5 min for now");
        if (!go_on(walk, step, walk->now_s + BOOT_S, error)) {
            return FALSE;
        }
    }
    for (guint i = 0; i < walk->n_nodes; i++) {
        if (chosen[i]) {
            walk->down[i] = down;
            walk->switched_s[i] = walk->now_s;
            aft_xray_timeline_add(walk->timeline, walk->now_s,
                                  g_strdup_printf("%s: node %u", down ? "fail" : "restore", i));
        }
    }
    return TRUE;
}

static gboolean take_power_off(AftXrayWalk *walk, const Step *step, GError **error)
{
    return switch_nodes(walk, step, TRUE, error);
}

static gboolean take_shutdown(AftXrayWalk *walk, const Step *step, GError **error)
{
    note(walk, step, "here the node fails at once, rather than in order");
    return switch_nodes(walk, step, TRUE, error);
}

static gboolean take_power_on(AftXrayWalk *walk, const Step *step, GError **error)
{
    return switch_nodes(walk, step, FALSE, error);
}

static gboolean take_upgrade(AftXrayWalk *walk, const Step *step, GError **error)
{
    double n = NAN;
    if (!aft_xray_number(walk->file, step->arguments, "node_count", AFT_XRAY_MOST_NODES, &n,
                         error)) {
        return FALSE;
    }
    if (n < walk->n_nodes) {
        note(walk, step, "node_count: here all nodes take a turn");
    }
    note(walk, step, "how long a node is down, only the test knows: 10 min for now");
    aft_xray_timeline_add(walk->timeline, walk->now_s, g_strdup("upgrade: {each: 10 min}"));
    return go_on(walk, step, walk->now_s + UPGRADE_S * walk->n_nodes, error);
}

/* Names of steps, or how they begin; the first that fits. */
static const struct {
    const char *name;
    gboolean (*take)(AftXrayWalk *walk, const Step *step, GError **error);
    const char *why; /* there is nothing like it, where nothing takes it */
} kinds[] = {
    {"test.Wait", take_wait, NULL},
    {"workload.Start", take_start, NULL},
    {"workload.Wait", take_load_wait, NULL},
    {"workload.Stop", take_stop, NULL},
    {"workload.Prefill*", NULL, "data is there from the start"},
    {"nodes.PowerOff", take_power_off, NULL},
    {"nodes.Shutdown", take_shutdown, NULL},
    {"nodes.PowerOn", take_power_on, NULL},
    {"nodes.WaitFor*", NULL, "is done at once"},
    {"meta.RollingUpgrade", take_upgrade, NULL},
    {"vm_group.*", NULL, "machines are there from the start, and stay"},
    {"cluster.*", NULL, "is about machines, not about what they store"},
    {"*", NULL, "has no counterpart"},
};

static gboolean take_step(AftXrayWalk *walk, const Step *step, GError **error)
{
    guint i = 0;
    while (!g_pattern_match_simple(kinds[i].name, step->name)) {
        i++;
    }
    if (kinds[i].take != NULL) {
        return kinds[i].take(walk, step, error);
    }
    note(walk, step, kinds[i].why);
    return TRUE;
}

/* A step is a map of one key, or a name alone. */
static gboolean read_step(const AftXrayWalk *walk, const AftYaml *item, Step *ret_step,
                          GError **error)
{
    gboolean one = item->kind == AFT_YAML_MAP && item->keys->len == 1;
    if (item->kind == AFT_YAML_VALUE && !item->nothing) {
        *ret_step = (Step){item->text, item, item};
        return TRUE;
    }
    if (!one) {
        return aft_xray_fail(walk->file, item, error, "expected a step, like test.Wait: {...}");
    }
    const AftYaml *arguments = g_ptr_array_index(item->items, 0);
    if (arguments->kind != AFT_YAML_MAP && !arguments->nothing) {
        return aft_xray_fail(walk->file, arguments, error, "expected what the step takes, {...}");
    }
    *ret_step = (Step){((const AftYaml *)g_ptr_array_index(item->keys, 0))->text, item, arguments};
    return TRUE;
}

gboolean aft_xray_walk_run(AftXrayWalk *walk, GError **error)
{
    const AftYaml *run = aft_yaml_member(walk->file->top, "run");
    if (run == NULL || run->kind != AFT_YAML_LIST) {
        return aft_xray_fail(walk->file, run != NULL ? run : walk->file->top, error,
                             "expected run, a list of steps");
    }
    for (guint i = 0; i < run->items->len; i++) {
        Step step = {0};
        if (!read_step(walk, g_ptr_array_index(run->items, i), &step, error) ||
            !take_step(walk, &step, error)) {
            return FALSE;
        }
        if (aft_xray_timeline_is_full(walk->timeline)) {
            g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "%s:%u: expected at most %d events",
                        walk->file->path, step.place->line, AFT_XRAY_MOST_ENTRIES);
            return FALSE;
        }
    }
    return TRUE;
}

void aft_xray_walk_leave_out(AftXrayWalk *walk, const char *phase, const char *why)
{
    const AftYaml *steps = aft_yaml_member(walk->file->top, phase);
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; steps != NULL && steps->kind == AFT_YAML_LIST && i < steps->items->len; i++) {
        Step step = {0};
        if (read_step(walk, g_ptr_array_index(steps->items, i), &step, NULL)) {
            g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", step.name);
        }
    }
    if (names->len > 0) {
        aft_text_remark(walk->jobs->remarks, "%s:%u: %s: %s: %s", walk->file->path, steps->line,
                        phase, why, names->str);
        aft_xray_timeline_note(walk->timeline, walk->now_s,
                               g_strdup_printf("%s: %s: %s", phase, why, names->str));
    }
}

void aft_xray_walk_write(AftXrayWalk *walk, GString *yaml)
{
    for (guint i = 0; i < walk->loads->len; i++) {
        AftXrayLoad *load = g_ptr_array_index(walk->loads, i);
        if (load->end_s <= walk->now_s) {
            end_load(walk, load, load->end_s);
        }
    }
    aft_xray_timeline_write(walk->timeline, walk->now_s, yaml);
    if (walk->now_s > 0.0) {
        g_autofree char *duration = aft_units_format_exact(AFT_UNIT_TIME, walk->now_s);
        g_string_append_printf(yaml, "run: {until: duration, duration: %s}\n", duration);
    }
}
