/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "load.h"
#include "options.h"
#include "terminal.h"

#include <aftershock/report/explain.h>

static const AftCommand command;

typedef struct {
    char **settings; /* "path=value", in the order given; (nullable) */
    char *format;    /* (nullable) */
} Options;

static void options_clear(Options *options)
{
    g_strfreev(options->settings);
    g_free(options->format);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static AftExit parse(Options *options, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->settings,
         "Set a key of the scenario; may be given often", "PATH=VALUE"},
        {"format", 0, 0, G_OPTION_ARG_STRING, &options->format,
         "What to print: text (default) or json", "FORMAT"},
        G_OPTION_ENTRY_NULL,
    };
    return aft_options_parse(&command, entries, argc, argv);
}

static AftExit check_usage(const Options *options, int argc)
{
    if (argc != 2) {
        return aft_options_complain(&command,
                                    argc < 2 ? "which scenario?" : "one scenario, please");
    }
    const char *format = options->format != NULL ? options->format : "text";
    if (!g_str_equal(format, "text") && !g_str_equal(format, "json")) {
        return aft_options_complain(&command, "--format %s: expected text or json", format);
    }
    return aft_options_check_settings(&command, options->settings);
}

static AftExit explain(int argc, char **argv)
{
    g_auto(Options) options = {0};
    AftExit status = parse(&options, &argc, &argv);
    status = status == AFT_EXIT_NOT_YET ? check_usage(&options, argc) : status;
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    g_autofree char *file = aft_find_scenario(argv[1]);
    g_autoptr(AftScenario) scenario =
        file != NULL ? aft_load_scenario(file, (const char *const *)options.settings) : NULL;
    if (scenario == NULL) {
        return AFT_EXIT_USAGE;
    }
    AftTextStyle style = aft_terminal_style(stdout);
    g_autofree char *label = aft_file_label(file);
    g_autoptr(AftBounds) bounds = aft_bounds_new(scenario);
    g_autofree char *text = g_strcmp0(options.format, "json") == 0
                                ? aft_explain_json(bounds, label)
                                : aft_explain_text(bounds, label, &style);
    return aft_put(text, options.format);
}

static const AftCommand command = {
    .name = "explain",
    .arguments = "SCENARIO",
    .summary = "Say what operations cost and what is the most to expect, without a simulation",
    .more =
        "SCENARIO is a YAML file, - for standard input, or the name of a shipped scenario.\n"
        "For reads and writes, healthy and with one node down: the device I/Os of each stage, the\n"
        "bytes at every kind of station, and how busy they get. From these the bounds that no\n"
        "simulation and no cluster goes beyond: IOPS, devices needed, the time of a rebuild "
        "alone.\n"
        "\n"
        "Exit status: 0 fine; 2 wrong usage or input.\n"
        "\n"
        "Example: what RAID-5 costs, and where it would be scarce on ten nodes\n"
        "  aftershock explain wwt-raid5 --set cluster.nodes=10",
    .run = explain,
};

const AftCommand *aft_cmd_explain(void)
{
    return &command;
}
