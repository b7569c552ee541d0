/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "interrupt.h"
#include "load.h"
#include "options.h"
#include "progress.h"
#include "terminal.h"

#include <aftershock/base/error.h>
#include <aftershock/base/units.h>
#include <aftershock/report/size.h>
#include <aftershock/scenario/keys.h>

static const AftCommand command;

enum { MOST_REPLICATIONS = 100000 };

typedef struct {
    char **axes; /* "PATH=LOW:HIGH" or "PATH=V1,V2"; (nullable), as are the others */
    char *confidence;
    char *replications;
    char *jobs;
    char **settings; /* "path=value", in the order given */
    char *seed;
    char *fidelity;
    char *format;
} Options;

static void options_clear(Options *options)
{
    g_strfreev(options->axes);
    g_free(options->confidence);
    g_free(options->replications);
    g_free(options->jobs);
    g_strfreev(options->settings);
    g_free(options->seed);
    g_free(options->fidelity);
    g_free(options->format);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static char *format_text(const AftSizing *sizing)
{
    AftTextStyle style = aft_terminal_style(stdout);
    return aft_size_text(sizing, &style);
}

static const struct {
    const char *name;
    char *(*told)(const AftSizing *sizing);
} formats[] = {
    {"text", format_text},
    {"csv", aft_size_csv},
    {"json", aft_size_json},
    {"markdown", aft_size_markdown},
};

/* Which of them is called @name, NULL being text; how many there are: none. */
static guint find_format(const char *name)
{
    guint i = 0;
    while (i < G_N_ELEMENTS(formats) &&
           !g_str_equal(formats[i].name, name != NULL ? name : "text")) {
        i++;
    }
    return i;
}

static AftExit parse(Options *options, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        {"vary", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->axes,
         "Look at these values of a key: LOW:HIGH, whole numbers of which more never hurts, or "
         "VALUE,VALUE,...; may be given often",
         "PATH=VALUES"},
        {"confidence", 0, 0, G_OPTION_ARG_STRING, &options->confidence,
         "Share of replications in which the requirement must be met; default: 95 %", "SHARE"},
        {"replications", 0, 0, G_OPTION_ARG_STRING, &options->replications,
         "Leave a configuration undecided after MAX; default: 200, or as many as it takes at least",
         "MAX"},
        {"jobs", 0, 0, G_OPTION_ARG_STRING, &options->jobs,
         "Simulate N at a time; default: as many as there are cores", "N"},
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->settings,
         "Set a key of the scenario; may be given often", "PATH=VALUE"},
        {"seed", 0, 0, G_OPTION_ARG_STRING, &options->seed, "Seed of all randomness", "N"},
        {"fidelity", 0, 0, G_OPTION_ARG_STRING, &options->fidelity, AFT_FIDELITY_HELP, "F"},
        {"format", 0, 0, G_OPTION_ARG_STRING, &options->format,
         "What to print: text (default), csv, json or markdown", "FORMAT"},
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
    if (options->axes == NULL) {
        return aft_options_complain(&command, "what may change? --vary cluster.nodes=3:32");
    }
    if (find_format(options->format) == G_N_ELEMENTS(formats)) {
        return aft_options_complain(&command, "--format %s: expected text, csv, json or markdown",
                                    options->format);
    }
    return aft_options_check_settings(&command, options->settings);
}

static void free_axis(gpointer axis)
{
    aft_size_axis_free(axis);
}

static char *full_path(const char *path)
{
    AftKeyMatch match;
    return aft_keys_find(path, &match) ? aft_keys_path(match.key->path, match.step)
                                       : g_strdup(path);
}

/* Whether the key of @axis, maybe written in another way, is among @axes. */
static gboolean is_among(const GPtrArray *axes, const AftSizeAxis *axis)
{
    g_autofree char *path = full_path(axis->path);
    for (guint i = 0; i < axes->len; i++) {
        g_autofree char *other = full_path(((const AftSizeAxis *)axes->pdata[i])->path);
        if (g_str_equal(path, other)) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Returns: (transfer full) (nullable): AftSizeAxis; NULL after a complaint. */
static GPtrArray *read_axes(char **texts)
{
    g_autoptr(GPtrArray) axes = g_ptr_array_new_with_free_func(free_axis);
    for (guint i = 0; texts[i] != NULL; i++) {
        g_autoptr(GError) error = NULL;
        AftSizeAxis *axis = aft_size_axis_parse(texts[i], &error);
        if (axis == NULL) {
            aft_options_complain(&command, "--vary %s", error->message);
            return NULL;
        }
        gboolean again = is_among(axes, axis);
        g_ptr_array_add(axes, axis);
        if (again) {
            aft_options_complain(&command, "--vary %s: is varied already", axis->path);
            return NULL;
        }
    }
    if (axes->len > AFT_SIZE_MOST_AXES) {
        aft_options_complain(&command, "--vary: expected at most %d keys", AFT_SIZE_MOST_AXES);
        return NULL;
    }
    return g_steal_pointer(&axes);
}

/* What --confidence says. */
static AftExit read_confidence(const char *text, double *ret_share)
{
    *ret_share = 0.95;
    if (text != NULL && !aft_units_parse(AFT_UNIT_SHARE, text, ret_share, NULL)) {
        *ret_share = 0.0;
    }
    if (!(*ret_share >= 0.5 && *ret_share <= 0.999)) {
        return aft_options_complain(&command, "--confidence %s: expected 50 %% to 99.9 %%", text);
    }
    return AFT_EXIT_NOT_YET;
}

/* What --replications says. */
static AftExit read_most(const char *text, double confidence, guint *ret_most)
{
    guint fewest = aft_size_fewest(confidence);
    guint64 most = MAX(AFT_SIZE_REPLICATIONS, 2 * fewest);
    if (text != NULL &&
        !g_ascii_string_to_unsigned(text, 10, fewest, MOST_REPLICATIONS, &most, NULL)) {
        g_autofree char *share = aft_units_format(AFT_UNIT_SHARE, confidence);
        return aft_options_complain(&command,
                                    "--replications %s: expected %u, which it takes to find that "
                                    "something holds in %s of them, to %d",
                                    text, fewest, share, MOST_REPLICATIONS);
    }
    *ret_most = (guint)most;
    return AFT_EXIT_NOT_YET;
}

static AftExit read_numbers(const Options *options, AftSizeSetup *setup)
{
    AftExit status = read_confidence(options->confidence, &setup->confidence);
    if (status == AFT_EXIT_NOT_YET) {
        status = read_most(options->replications, setup->confidence, &setup->most);
    }
    return status == AFT_EXIT_NOT_YET ? aft_options_read_jobs(&command, options->jobs, &setup->jobs)
                                      : status;
}

/* What making scenarios and showing progress need. */
typedef struct {
    const char *file;
    GPtrArray *settings; /* over it, NULL at the end */
    AftProgressBar *bar;
} Work;

static AftScenario *make(const char *const *settings, void *context, GError **error)
{
    const Work *work = context;
    g_autoptr(GPtrArray) all = aft_options_join((char **)work->settings->pdata, settings);
    return aft_make_scenario(work->file, (const char *const *)all->pdata, error);
}

static void show(const char *const *settings, guint ended, guint most, void *context)
{
    const Work *work = context;
    g_autofree char *words = g_strjoinv(" ", (char **)(gsize)settings);
    AftProgress shown = {(double)ended / most, words, 0.0};
    aft_progress_bar_show(&shown, work->bar);
}

static gboolean is_broken(const AftSizing *sizing)
{
    for (guint i = 0; i < sizing->rows->len; i++) {
        const AftSized *row = g_ptr_array_index(sizing->rows, i);
        if (g_str_equal(row->verdict, "broken")) {
            return TRUE;
        }
    }
    return FALSE;
}

static AftExit tell(const AftSizing *sizing, const char *format)
{
    g_autofree char *text = formats[find_format(format)].told(sizing);
    AftExit printed = aft_put(text, format);
    return printed != AFT_EXIT_FINE ? printed
           : sizing->interrupted    ? AFT_EXIT_INTERRUPTED
           : sizing->best != NULL   ? AFT_EXIT_FINE
           : is_broken(sizing)      ? AFT_EXIT_UNFINISHED
                                    : AFT_EXIT_MISSED;
}

static AftExit search(const Options *options, AftSizeSetup *setup, Work *work)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftInterrupt) interrupt = aft_interrupt_new(&error);
    if (interrupt == NULL) {
        aft_say("aftershock size: %s\n", error->message);
        return AFT_EXIT_UNFINISHED;
    }
    g_autoptr(AftProgressBar) bar = aft_progress_bar_new();
    work->bar = bar;
    setup->interrupted = aft_interrupt_flag(interrupt);
    gint64 began_us = g_get_monotonic_time();
    g_autoptr(AftSizing) sizing = aft_size(setup, &error);
    g_clear_pointer(&bar, aft_progress_bar_free);
    if (sizing == NULL) {
        return aft_options_complain(&command, "%s: %s", work->file, error->message);
    }
    aft_say("%s after %.1f s\n", sizing->interrupted ? "Interrupted" : "Done",
            (double)(g_get_monotonic_time() - began_us) / 1e6);
    return tell(sizing, options->format);
}

static AftExit size(int argc, char **argv)
{
    g_auto(Options) options = {0};
    AftSizeSetup setup = {.make = make, .progress = show};
    AftExit status = parse(&options, &argc, &argv);
    status = status == AFT_EXIT_NOT_YET ? check_usage(&options, argc) : status;
    status = status == AFT_EXIT_NOT_YET ? read_numbers(&options, &setup) : status;
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    g_autoptr(GPtrArray) axes = read_axes(options.axes);
    g_autofree char *file = axes != NULL ? aft_find_scenario(argv[1]) : NULL;
    if (file == NULL) {
        return AFT_EXIT_USAGE;
    }
    g_autoptr(GPtrArray) settings =
        aft_options_settings(options.settings, options.seed, options.fidelity);
    Work work = {file, settings, NULL};
    setup.axes = axes;
    setup.context = &work;
    return search(&options, &setup, &work);
}

static const AftCommand command = {
    .name = "size",
    .arguments = "SCENARIO",
    .summary = "Find the smallest configuration that holds a requirement",
    .more =
        "SCENARIO is a YAML file, - for standard input, or the name of a scenario that\n"
        "\"aftershock list scenarios\" shows, with a requirement. A configuration holds when that\n"
        "is met in every phase, and no data lost, in as large a share of replications as\n"
        "--confidence says; each gets as few as show it. With a price in the scenario\n"
        "(cluster.node.price, devices.NAME.price) the cheapest is looked for, else the one with\n"
        "the fewest nodes.\n"
        "\n"
        "Exit status: 0 found; 1 none holds; 2 wrong usage or input; 3 could not finish;\n"
        "130 interrupted, after the best so far.\n"
        "\n"
        "Example: how many hosts does it take, and is RAID-5 enough?\n"
        "  aftershock size 05-host-failure --vary cluster.nodes=4:12 \\\n"
        "    --vary data.protection=raid5,raid1 --confidence \"80 %\"",
    .run = size,
};

const AftCommand *aft_cmd_size(void)
{
    return &command;
}
