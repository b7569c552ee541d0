/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "load.h"
#include "options.h"
#include "terminal.h"

#include <aftershock/sweep/points.h>

static const AftCommand command;

/* Whether all scenarios that @reference names can be run as it says. */
static gboolean check_configurations(const AftReference *reference)
{
    gboolean fine = TRUE;
    for (guint i = 0; i < reference->configurations->len; i++) {
        const AftConfiguration *configuration = g_ptr_array_index(reference->configurations, i);
        g_autoptr(AftScenario) scenario =
            aft_load_scenario(configuration->scenario,
                              (const char *const *)configuration->settings);
        fine = scenario != NULL && fine;
    }
    return fine;
}

static AftExit check_reference(const char *file)
{
    g_autoptr(AftReference) reference = aft_load_reference(file);
    if (reference == NULL || !check_configurations(reference)) {
        return AFT_EXIT_USAGE;
    }
    return aft_print("%s: ok: %s (a reference)\n", file, reference->name);
}

static AftExit check_sweep(const char *file)
{
    g_autoptr(AftSweep) sweep = aft_load_sweep(file);
    g_autoptr(AftPoints) points = sweep != NULL ? aft_points_new(sweep, NULL) : NULL;
    if (points == NULL) {
        return AFT_EXIT_USAGE;
    }
    guint n = aft_points_n(points);
    return aft_print("%s: ok: %s (a sweep of %u %s)\n", file, sweep->name, n,
                     n == 1 ? "point" : "points");
}

/* Says what is wrong with the file called @name, or that nothing is. */
static AftExit check_one(const char *name)
{
    g_autofree char *file = aft_find_scenario(name);
    if (file != NULL && aft_file_is_kind(file, "reference")) {
        return check_reference(file);
    }
    if (file != NULL && aft_file_is_kind(file, "sweep")) {
        return check_sweep(file);
    }
    g_autoptr(AftScenario) scenario = file != NULL ? aft_load_scenario(file, NULL) : NULL;
    if (scenario == NULL) {
        return AFT_EXIT_USAGE;
    }
    return aft_print("%s: ok: %s\n", file, scenario->name);
}

static AftExit check(int argc, char **argv)
{
    const GOptionEntry entries[] = {G_OPTION_ENTRY_NULL};
    AftExit status = aft_options_parse(&command, entries, &argc, &argv);
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    if (argc < 2) {
        return aft_options_complain(&command, "which files?");
    }
    AftExit worst = AFT_EXIT_FINE;
    for (int i = 1; i < argc; i++) {
        AftExit one = check_one(argv[i]);
        worst = MAX(worst, one);
    }
    return worst;
}

static const AftCommand command = {
    .name = "check",
    .arguments = "FILE...",
    .summary = "Say what is wrong with scenarios, references and sweeps, without running them",
    .more =
        "Every problem of every file is told on standard error with its line, column and, where\n"
        "one comes to mind, a remedy. FILE may also be the name of a shipped scenario, or - for\n"
        "standard input, called <stdin>; paths in that count from the working directory.\n"
        "Of a reference, the scenarios that it names are checked as well; of a sweep, the "
        "scenario\n"
        "that it varies, and up to 256 of its points.\n"
        "\n"
        "Exit status: 0 all files are fine (there may be warnings); 2 a file has errors;\n"
        "3 could not write.\n"
        "\n"
        "Example:\n"
        "  aftershock check my-cluster.yaml scenarios/*.yaml\n"
        "  aftershock init vsan | aftershock check -",
    .run = check,
};

const AftCommand *aft_cmd_check(void)
{
    return &command;
}
