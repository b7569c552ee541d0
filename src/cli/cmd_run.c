/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "failures.h"
#include "interrupt.h"
#include "load.h"
#include "options.h"
#include "page_file.h"
#include "progress.h"
#include "terminal.h"
#include "trace_size.h"
#include "watch.h"

#include <aftershock/base/error.h>
#include <aftershock/base/units.h>
#include <aftershock/report/phases.h>
#include <aftershock/result/csv.h>
#include <aftershock/result/files.h>
#include <aftershock/result/summary.h>
#include <aftershock/run/run.h>
#include <aftershock/scenario/schemes.h>

static const AftCommand command;

typedef struct {
    char *directory; /* (nullable) */
    char **settings; /* "path=value", in the order given; (nullable) */
    char *seed;
    char *fidelity;
    char *label;
    char *format;
    char *each_failure;
    char *at;
    char *restore;
    char *jobs;
    gboolean report;
    gboolean require;
    gboolean watch;
    gboolean dry_run;
} Options;

static void options_clear(Options *options)
{
    g_free(options->directory);
    g_strfreev(options->settings);
    g_free(options->seed);
    g_free(options->fidelity);
    g_free(options->label);
    g_free(options->format);
    g_free(options->each_failure);
    g_free(options->at);
    g_free(options->restore);
    g_free(options->jobs);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

/* A result as text for stdout. */
typedef char *(*Format)(const AftResult *result);

static char *format_text(const AftResult *result)
{
    AftTextStyle style = aft_terminal_style(stdout);
    return aft_phases_text(result, &style);
}

static char *format_csv(const AftResult *result)
{
    return aft_csv_format(aft_phase_table(), result->phases);
}

static const struct {
    const char *name;
    Format format;
} formats[] = {
    {"text", format_text},
    {"csv", format_csv},
    {"json", aft_summary_format},
    {"markdown", aft_phases_markdown},
};

static Format find_format(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (g_str_equal(formats[i].name, name)) {
            return formats[i].format;
        }
    }
    return NULL;
}

static AftExit parse(Options *options, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->directory,
         "Write trace.csv, phases.csv, latency.csv, events.csv and summary.json into DIR", "DIR"},
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->settings,
         "Set a key of the scenario; may be given often", "PATH=VALUE"},
        {"seed", 0, 0, G_OPTION_ARG_STRING, &options->seed,
         "Seed of all randomness: another seed, another draw", "N"},
        {"fidelity", 0, 0, G_OPTION_ARG_STRING, &options->fidelity, AFT_FIDELITY_HELP, "F"},
        {"label", 0, 0, G_OPTION_ARG_STRING, &options->label,
         "Name of this configuration; default: the file's", "L"},
        {"format", 0, 0, G_OPTION_ARG_STRING, &options->format,
         "What to print: text (default), csv, json or markdown", "FORMAT"},
        {"report", 0, 0, G_OPTION_ARG_NONE, &options->report,
         "Write " AFT_PAGE_NAME " into DIR too: verdict, charts and tables on one page", NULL},
        {"require", 0, 0, G_OPTION_ARG_NONE, &options->require,
         "Exit with 1 when the requirement was missed", NULL},
        {"watch", 'w', 0, G_OPTION_ARG_NONE, &options->watch,
         "Show on standard error how clients fare and what is worked on, while it runs", NULL},
        {"each-failure", 0, 0, G_OPTION_ARG_STRING, &options->each_failure,
         "Instead of the scenario's faults let each part of a kind fail, in a run of its own: "
         "node, disk, cache or rack",
         "PART"},
        {"at", 0, 0, G_OPTION_ARG_STRING, &options->at,
         "When it fails; default: when the timeline's first part does, else after run.settle",
         "TIME"},
        {"restore", 0, 0, G_OPTION_ARG_STRING, &options->restore,
         "When it comes back; default: never", "TIME"},
        {"jobs", 0, 0, G_OPTION_ARG_STRING, &options->jobs,
         "Of those, simulate N at a time; default: as many as there are cores", "N"},
        {"dry-run", 0, 0, G_OPTION_ARG_NONE, &options->dry_run,
         "Check everything, say what would run, and stop", NULL},
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
    if (aft_options_check_settings(&command, options->settings) != AFT_EXIT_NOT_YET) {
        return AFT_EXIT_USAGE;
    }
    if (options->format != NULL && find_format(options->format) == NULL) {
        return aft_options_complain(&command, "--format %s: expected text, csv, json or markdown",
                                    options->format);
    }
    gboolean of_each = options->at != NULL || options->restore != NULL || options->jobs != NULL;
    if (options->each_failure == NULL && of_each) {
        return aft_options_complain(&command,
                                    "--at, --restore and --jobs need --each-failure PART");
    }
    if (options->watch && options->each_failure != NULL) {
        return aft_options_complain(&command, "--watch shows one run, and goes without "
                                              "--each-failure");
    }
    if (options->report && (options->directory == NULL || options->each_failure != NULL)) {
        return aft_options_complain(&command, "--report needs -o DIR, and goes without "
                                              "--each-failure");
    }
    return AFT_EXIT_NOT_YET;
}

/* Whether -o says where all can go that will be written. */
static AftExit check_output(const Options *options)
{
    if (options->directory == NULL) {
        return AFT_EXIT_NOT_YET;
    }
    const char *const of_each[] = {AFT_FAILURES_NAME, NULL};
    const char *const *results = options->each_failure != NULL ? of_each : aft_result_file_names();
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; results[i] != NULL; i++) {
        g_ptr_array_add(names, (gpointer)results[i]);
    }
    if (options->report) {
        g_ptr_array_add(names, AFT_PAGE_NAME);
    }
    g_ptr_array_add(names, NULL);
    return aft_options_check_output(&command, options->directory,
                                    (const char *const *)names->pdata);
}

static gboolean requires_nothing(const AftScenario *scenario)
{
    const AftRequirementSpec *requirement = &scenario->requirement;
    return requirement->iops <= 0.0 && requirement->read_ns == 0 && requirement->write_ns == 0;
}

static void append_pool(GString *text, const AftPoolSpec *pool)
{
    g_autofree char *bytes = aft_units_format(AFT_UNIT_BYTES, (double)pool->logical_bytes);
    g_autofree char *scheme = aft_scheme_format(&pool->protection);
    g_string_append_printf(text, "pool       %s: %s, %s\n", pool->name, bytes, scheme);
}

/* What would run, in a few lines. */
static AftExit describe(const AftScenario *scenario)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *digest = aft_scenario_digest(scenario);
    g_string_append_printf(text, "scenario   %s\nnodes      %u\n", scenario->name,
                           scenario->cluster.nodes);
    for (guint i = 0; i < scenario->n_pools; i++) {
        append_pool(text, &scenario->pools[i]);
    }
    for (guint i = 0; i < scenario->n_workloads; i++) {
        g_string_append_printf(text, "VMs        %u (%s)\n", scenario->workloads[i].vms,
                               scenario->workloads[i].name);
    }
    g_string_append_printf(text, "events     %u\nseed       %" G_GUINT64_FORMAT "\nsha256     %s\n",
                           scenario->n_timeline, scenario->run.seed, digest);
    return aft_print("%s", text->str);
}

/* Runs, and shows how far it has come, or with @watch all there is to see. */
static AftResult *run_and_show(const AftScenario *scenario, AftRunOptions *options, gboolean watch,
                               GError **error)
{
    if (watch) {
        g_autoptr(AftWatch) shown = aft_watch_new(scenario);
        options->observer = aft_watch_observer(shown);
        return aft_run(scenario, options, error);
    }
    g_autoptr(AftProgressBar) bar = aft_progress_bar_new();
    options->progress = aft_progress_bar_show;
    options->context = bar;
    return aft_run(scenario, options, error);
}

/* Returns: (transfer full) (nullable): NULL after a complaint; @ret_exit says whose fault it is: a
 * trace that is read on the way may be wrong. */
static AftResult *simulate(const AftScenario *scenario, const char *label, gboolean watch,
                           gint *interrupted, AftExit *ret_exit)
{
    g_autoptr(GError) error = NULL;
    AftRunOptions options = {.label = label, .interrupted = interrupted};
    gint64 began_us = g_get_monotonic_time();
    AftResult *result = run_and_show(scenario, &options, watch, &error);
    if (result == NULL) {
        aft_say("aftershock run: %s\n", error->message);
        *ret_exit = g_error_matches(error, AFT_ERROR, AFT_ERROR_LIMIT) ? AFT_EXIT_UNFINISHED
                                                                       : AFT_EXIT_USAGE;
        return NULL;
    }
    aft_say("%s after %.1f s\n", result->interrupted ? "Interrupted" : "Done",
            (double)(g_get_monotonic_time() - began_us) / 1e6);
    return result;
}

static gboolean save(const AftResult *result, const char *directory)
{
    g_autoptr(GError) error = NULL;
    if (!aft_result_write(result, directory, &error)) {
        aft_say("aftershock run: %s\n", error->message);
        return FALSE;
    }
    aft_say("Wrote %s\n", directory);
    return TRUE;
}

static gboolean save_page(const AftResult *result, const char *directory)
{
    g_autofree char *path = g_build_filename(directory, AFT_PAGE_NAME, NULL);
    return aft_page_save(command.name, &result, 1, path);
}

static AftExit outcome(const AftResult *result, gboolean require)
{
    if (result->interrupted) {
        return AFT_EXIT_INTERRUPTED;
    }
    gboolean missed = require && g_strcmp0(result->requirement, "met") != 0;
    return missed ? AFT_EXIT_MISSED : AFT_EXIT_FINE;
}

/* Runs and tells; files first, since whoever reads stdout may go away. */
static AftExit run_and_tell(const Options *options, const AftScenario *scenario, const char *label)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftInterrupt) interrupt = aft_interrupt_new(&error);
    if (interrupt == NULL) {
        aft_say("aftershock run: %s\n", error->message);
        return AFT_EXIT_UNFINISHED;
    }
    AftExit failure = AFT_EXIT_UNFINISHED;
    g_autoptr(AftResult) result =
        simulate(scenario, label, options->watch, aft_interrupt_flag(interrupt), &failure);
    if (result == NULL) {
        return failure;
    }
    gboolean saved = options->directory == NULL || save(result, options->directory);
    saved = saved && (!options->report || save_page(result, options->directory));
    Format format = find_format(options->format != NULL ? options->format : "text");
    g_autofree char *text = format(result);
    AftExit printed = aft_put(text, options->format);
    if (!saved || printed != AFT_EXIT_FINE) {
        return AFT_EXIT_UNFINISHED;
    }
    return outcome(result, options->require);
}

static AftExit run(int argc, char **argv)
{
    g_auto(Options) options = {0};
    AftExit status = parse(&options, &argc, &argv);
    status = status == AFT_EXIT_NOT_YET ? check_usage(&options, argc) : status;
    status = status == AFT_EXIT_NOT_YET ? check_output(&options) : status;
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    g_autofree char *file = aft_find_scenario(argv[1]);
    g_autoptr(GPtrArray) settings =
        aft_options_settings(options.settings, options.seed, options.fidelity);
    g_autoptr(AftScenario) scenario =
        file != NULL ? aft_load_scenario(file, (const char *const *)settings->pdata) : NULL;
    if (scenario == NULL) {
        return AFT_EXIT_USAGE;
    }
    if (options.require && requires_nothing(scenario)) {
        return aft_options_complain(&command, "--require: %s has no requirement", argv[1]);
    }
    if (options.dry_run) {
        return describe(scenario);
    }
    if (options.each_failure != NULL) {
        const AftFailuresOptions failures = {
            options.each_failure, options.at,      options.restore,   options.jobs,
            options.format,       options.require, options.directory,
        };
        return aft_failures_run(&command, &failures, scenario, file,
                                (const char *const *)settings->pdata);
    }
    aft_trace_size_warn(command.name, scenario, options.directory != NULL);
    g_autofree char *label = options.label != NULL ? g_strdup(options.label) : aft_file_label(file);
    return run_and_tell(&options, scenario, label);
}

static const AftCommand command = {
    .name = "run",
    .arguments = "SCENARIO",
    .summary = "Simulate a scenario and show its phases",
    .more =
        "SCENARIO is a YAML file, - for standard input, or the name of a scenario that\n"
        "\"aftershock list scenarios\" shows. The phase table goes to standard output, everything\n"
        "else to standard error. A terminal with room for it also shows how IOPS and latencies\n"
        "went in each phase, from 0 to the highest of the run; it has colours unless NO_COLOR is\n"
        "set. What people read is in ASCII unless the locale has UTF-8, data always in UTF-8.\n"
        "Ctrl-C ends the run early; what was simulated until then is shown and written.\n"
        "--watch draws a few lines on a terminal; into a log it writes one when there is another\n"
        "phase, and every ten seconds.\n"
        "\n"
        "--each-failure tells which part would hurt most: a table, the worst first, and\n"
        "failures.csv in DIR. Ctrl-C keeps the runs that have ended.\n"
        "\n"
        "Exit status: 0 fine; 1 requirement missed, with --require; 2 wrong usage or input;\n"
        "3 could not finish; 130 interrupted.\n"
        "\n"
        "Example: the shipped RAID-5 walk with a slower repair, kept in results/slow\n"
        "  aftershock run wwt-raid5 --set background.rebuild.delay=\"60 min\" -o results/slow\n"
        "Example: which of its hosts would be missed most?\n"
        "  aftershock run wwt-raid5 --each-failure node --at \"30 min\"",
    .run = run,
};

const AftCommand *aft_cmd_run(void)
{
    return &command;
}
