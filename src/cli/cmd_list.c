/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "load.h"
#include "options.h"
#include "shipped.h"
#include "terminal.h"

#include <aftershock/model/kinds.h>
#include <aftershock/scenario/devices.h>
#include <aftershock/scenario/keys.h>
#include <aftershock/scenario/nearest.h>
#include <aftershock/scenario/schedulers.h>
#include <aftershock/scenario/schemes.h>
#include <aftershock/station/scheduler.h>

static const AftCommand command;

enum { NAME_COLUMNS = 28 }; /* the longest name of a shipped scenario */

static void append_line(GString *list, const char *name, const char *help)
{
    g_string_append_printf(list, "%-*s %s\n", NAME_COLUMNS, name, help);
}

static void list_scenarios(GString *list)
{
    g_autoptr(GPtrArray) names = aft_shipped_names(AFT_SHIPPED_SCENARIO);
    for (guint i = 0; i < names->len; i++) {
        const char *name = g_ptr_array_index(names, i);
        g_autofree char *file = aft_shipped_path(AFT_SHIPPED_SCENARIO, name);
        g_autoptr(AftScenario) scenario = file != NULL ? aft_load_scenario(file, NULL) : NULL;
        append_line(list, name, scenario != NULL ? scenario->name : "(has errors)");
    }
}

static void list_references(GString *list)
{
    g_autoptr(GPtrArray) names = aft_shipped_names(AFT_SHIPPED_REFERENCE);
    for (guint i = 0; i < names->len; i++) {
        const char *name = g_ptr_array_index(names, i);
        g_autofree char *file = aft_shipped_path(AFT_SHIPPED_REFERENCE, name);
        g_autoptr(AftReference) reference = file != NULL ? aft_load_reference(file) : NULL;
        append_line(list, name, reference != NULL ? reference->name : "(has errors)");
    }
}

static void list_sweeps(GString *list)
{
    g_autoptr(GPtrArray) names = aft_shipped_names(AFT_SHIPPED_SWEEP);
    for (guint i = 0; i < names->len; i++) {
        const char *name = g_ptr_array_index(names, i);
        g_autofree char *file = aft_shipped_path(AFT_SHIPPED_SWEEP, name);
        g_autoptr(AftSweep) sweep = file != NULL ? aft_load_sweep(file) : NULL;
        append_line(list, name, sweep != NULL ? sweep->name : "(has errors)");
    }
}

static void list_designs(GString *list)
{
    for (guint i = 0; i < AFT_DESIGNS; i++) {
        append_line(list, aft_design_name((AftDesign)i), aft_design_help((AftDesign)i));
    }
}

static void list_distributions(GString *list)
{
    for (guint i = 0; i < AFT_DISTRIBUTIONS; i++) {
        append_line(list, aft_distribution_name((AftDistributionKind)i),
                    aft_distribution_help((AftDistributionKind)i));
    }
}

static void list_metrics(GString *list)
{
    guint n;
    const AftMetric *metrics = aft_metrics(&n);
    for (guint i = 0; i < n; i++) {
        append_line(list, metrics[i].name, metrics[i].help);
    }
}

static void list_devices(GString *list)
{
    guint n;
    const AftBuiltinDevice *devices = aft_devices_builtin(&n);
    for (guint i = 0; i < n; i++) {
        append_line(list, devices[i].profile.name, devices[i].help);
    }
}

static void list_schedulers(GString *list)
{
    guint n;
    const AftScheduler *const *schedulers = aft_scheduler_all(&n);
    for (guint i = 0; i < n; i++) {
        append_line(list, schedulers[i]->name, schedulers[i]->help);
    }
    const AftSchedulerPreset *presets = aft_scheduler_presets(&n);
    for (guint i = 0; i < n; i++) {
        append_line(list, presets[i].name, presets[i].help);
    }
}

static void list_schemes(GString *list)
{
    guint n;
    const AftScheme *schemes = aft_schemes(&n);
    for (guint i = 0; i < n; i++) {
        append_line(list, schemes[i].name, schemes[i].help);
    }
}

/* As --set takes them where lists have one item. */
static void list_keys(GString *list)
{
    guint n;
    const AftKey *keys = aft_keys(&n);
    for (guint i = 0; i < n; i++) {
        g_auto(GStrv) parts = g_strsplit(keys[i].path, "[*]", -1);
        g_autofree char *path = g_strjoinv("", parts);
        append_line(list, path, keys[i].help);
    }
}

static void append_kinds(GString *list, const AftKind *kinds, guint n)
{
    for (guint i = 0; i < n; i++) {
        append_line(list, kinds[i].name, kinds[i].help);
    }
}

static void list_tasks(GString *list)
{
    guint n;
    const AftKind *kinds = aft_task_kinds(&n);
    append_kinds(list, kinds, n);
}

static void list_workloads(GString *list)
{
    guint n;
    const AftKind *kinds = aft_workload_kinds(&n);
    append_kinds(list, kinds, n);
}

static const struct {
    const char *name;
    void (*list)(GString *list);
} lists[] = {
    {"designs", list_designs},
    {"devices", list_devices},
    {"distributions", list_distributions},
    {"keys", list_keys},
    {"metrics", list_metrics},
    {"references", list_references},
    {"scenarios", list_scenarios},
    {"schedulers", list_schedulers},
    {"schemes", list_schemes},
    {"sweeps", list_sweeps},
    {"tasks", list_tasks},
    {"workloads", list_workloads},
};

/* "devices, scenarios and tasks". Returns: (transfer full). */
static char *all_names(void)
{
    GString *text = g_string_new(lists[0].name);
    for (guint i = 1; i < G_N_ELEMENTS(lists); i++) {
        g_string_append(text, i + 1 < G_N_ELEMENTS(lists) ? ", " : " and ");
        g_string_append(text, lists[i].name);
    }
    return g_string_free(text, FALSE);
}

static AftExit complain_about(const char *name)
{
    const char *names[G_N_ELEMENTS(lists)];
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        names[i] = lists[i].name;
    }
    const char *meant = aft_nearest(name, names, G_N_ELEMENTS(names));
    g_autofree char *all = all_names();
    return aft_options_complain(&command, "there is no list of \"%s\"; %s%s%s", name,
                                meant != NULL ? "did you mean " : "there are ",
                                meant != NULL ? meant : all, meant != NULL ? "?" : "");
}

static AftExit list(int argc, char **argv)
{
    const GOptionEntry entries[] = {G_OPTION_ENTRY_NULL};
    AftExit status = aft_options_parse(&command, entries, &argc, &argv);
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    if (argc != 2) {
        g_autofree char *all = all_names();
        return aft_options_complain(&command, "a list of what? there are %s", all);
    }
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        if (g_str_equal(lists[i].name, argv[1])) {
            g_autoptr(GString) text = g_string_new(NULL);
            lists[i].list(text);
            return aft_print("%s", text->str);
        }
    }
    return complain_about(argv[1]);
}

static const AftCommand command = {
    .name = "list",
    .arguments = "WHAT",
    .summary = "List what comes with the program: devices, scenarios, ...",
    .more =
        "WHAT is designs (which points of a sweep are run), devices (profiles a scenario can\n"
        "name), distributions (of values of a sweep), keys (of a scenario, as --set takes them),\n"
        "metrics (figures a reference can hold), references (to compare with by name), scenarios\n"
        "(to run by name), schedulers (ways to share a station between classes of work), schemes\n"
        "(ways to protect data), sweeps (to run by name), tasks (work in the background) or\n"
        "workloads (kinds of users). One line each: the name, and what it is.\n"
        "\n"
        "Example:\n"
        "  aftershock list scenarios",
    .run = list,
};

const AftCommand *aft_cmd_list(void)
{
    return &command;
}
