/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "fitted.h"
#include "free_keys.h"
#include "inputs.h"
#include "interrupt.h"
#include "load.h"
#include "options.h"
#include "progress.h"
#include "terminal.h"

#include <aftershock/base/error.h>
#include <aftershock/calibrate/calibrate.h>
#include <aftershock/report/calibration.h>
#include <aftershock/report/compare.h>

#include <math.h>

static const AftCommand command;

enum { MOST_STARTS = 100, MOST_STEPS = 1000 };

typedef struct {
    char *reference;
    char **free_keys; /* "path=low:high, path, ...", in the order given */
    char **held_out;
    char **settings; /* "path=value" */
    char *seed;
    char *fidelity;
    gint starts, steps;
    char *jobs; /* (nullable), as are all below */
    char *rotate;
    char *directory;
    char *format;
} Options;

static void options_clear(Options *options)
{
    g_free(options->reference);
    g_strfreev(options->free_keys);
    g_strfreev(options->held_out);
    g_strfreev(options->settings);
    g_free(options->seed);
    g_free(options->fidelity);
    g_free(options->jobs);
    g_free(options->rotate);
    g_free(options->directory);
    g_free(options->format);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static char *format_text(const AftCalibration *calibration, const AftReference *reference)
{
    AftTextStyle style = aft_terminal_style(stdout);
    g_autofree char *keys = aft_calibration_text(calibration, &style);
    g_autofree char *cells = calibration->comparison != NULL
                                 ? aft_compare_text(calibration->comparison, reference, &style)
                                 : g_strdup("");
    return g_strconcat(cells, "\n", keys, NULL);
}

static char *format_csv(const AftCalibration *calibration,
                        const AftReference *reference G_GNUC_UNUSED)
{
    return aft_calibration_csv(calibration);
}

static char *format_json(const AftCalibration *calibration,
                         const AftReference *reference G_GNUC_UNUSED)
{
    return aft_calibration_json(calibration);
}

static char *format_markdown(const AftCalibration *calibration, const AftReference *reference)
{
    g_autofree char *keys = aft_calibration_markdown(calibration);
    g_autofree char *cells = calibration->comparison != NULL
                                 ? aft_compare_markdown(calibration->comparison, reference)
                                 : g_strdup("");
    return g_strconcat(cells, "\n", keys, NULL);
}

/* A calibration as text for stdout. */
typedef struct {
    const char *name;
    char *(*told)(const AftCalibration *calibration, const AftReference *reference);
} Format;

/* Returns: (transfer none) (nullable): of the name NULL, text. */
static const Format *find_format(const char *name)
{
    static const Format formats[] = {
        {"text", format_text},
        {"csv", format_csv},
        {"json", format_json},
        {"markdown", format_markdown},
    };
    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (g_str_equal(formats[i].name, name != NULL ? name : "text")) {
            return &formats[i];
        }
    }
    return NULL;
}

static AftExit parse(Options *options, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        {"to", 0, 0, G_OPTION_ARG_STRING, &options->reference,
         "Published figures: a file of kind: reference, or the name of a shipped one", "REFERENCE"},
        {"free", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->free_keys,
         "Keys to fit, between bounds or from a quarter to four times of what they are; commas "
         "between several",
         "PATH[=LOW:HIGH]"},
        {"hold-out", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->held_out,
         "Predict these cells instead of fitting them: LABEL, LABEL/PHASE or LABEL/PHASE/FIGURE, "
         "with * for any",
         "CELLS"},
        {"rotate", 0, 0, G_OPTION_ARG_STRING, &options->rotate,
         "Fit again without each configuration in turn, or each phase, and predict it", "WHAT"},
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->settings,
         "Set a key of every scenario; may be given often", "PATH=VALUE"},
        {"seed", 0, 0, G_OPTION_ARG_STRING, &options->seed, "Seed of all randomness", "N"},
        {"fidelity", 0, 0, G_OPTION_ARG_STRING, &options->fidelity, AFT_FIDELITY_HELP, "F"},
        {"jobs", 0, 0, G_OPTION_ARG_STRING, &options->jobs,
         "Simulate N at a time; default: as many as there are cores", "N"},
        {"starts", 0, 0, G_OPTION_ARG_INT, &options->starts,
         "Begin at N points: the scenarios' own, then others between the bounds; default: 1", "N"},
        {"steps", 0, 0, G_OPTION_ARG_INT, &options->steps, "At most N steps from each; default: 12",
         "N"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->directory,
         "Write the scenarios, with what was set and fitted, and calibration.json, into DIR",
         "DIR"},
        {"format", 0, 0, G_OPTION_ARG_STRING, &options->format,
         "What to print: text (default), csv, json or markdown", "FORMAT"},
        G_OPTION_ENTRY_NULL,
    };
    return aft_options_parse(&command, entries, argc, argv);
}

/* What --rotate says. */
static gboolean read_rotate(const char *text, AftRotate *ret_rotate)
{
    *ret_rotate = text == NULL                 ? AFT_ROTATE_NOTHING
                  : g_str_equal(text, "phase") ? AFT_ROTATE_PHASE
                                               : AFT_ROTATE_CONFIGURATION;
    return *ret_rotate != AFT_ROTATE_CONFIGURATION || g_str_equal(text, "configuration");
}

static AftExit check_usage(const Options *options)
{
    if (options->reference == NULL || options->free_keys == NULL) {
        return aft_options_complain(&command, options->reference == NULL
                                                  ? "to what? --to REFERENCE"
                                                  : "which keys may change? --free PATH");
    }
    if (find_format(options->format) == NULL) {
        return aft_options_complain(&command, "--format %s: expected text, csv, json or markdown",
                                    options->format);
    }
    AftRotate rotate;
    if (!read_rotate(options->rotate, &rotate)) {
        return aft_options_complain(&command, "--rotate %s: expected configuration or phase",
                                    options->rotate);
    }
    gboolean numbers = options->starts >= 1 && options->starts <= MOST_STARTS &&
                       options->steps >= 0 && options->steps <= MOST_STEPS;
    if (!numbers) {
        return aft_options_complain(&command, "expected 1 to %d --starts, 0 to %d --steps",
                                    MOST_STARTS, MOST_STEPS);
    }
    guint jobs;
    AftExit status = aft_options_read_jobs(&command, options->jobs, &jobs);
    return status == AFT_EXIT_NOT_YET ? aft_options_check_settings(&command, options->settings)
                                      : status;
}

/* What making a scenario and showing progress need. */
typedef struct {
    GPtrArray *jobs; /* AftJob, with scenarios */
    AftProgressBar *bar;
} Work;

static AftScenario *make(guint index, const char *const *settings, void *context, GError **error)
{
    const Work *work = context;
    const AftJob *job = g_ptr_array_index(work->jobs, index);
    g_auto(GStrv) its = aft_fitted_settings_of(job, settings);
    g_autoptr(GPtrArray) all = aft_options_join(job->settings, (const char *const *)its);
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    AftScenario *scenario =
        aft_read_scenario(job->file, (const char *const *)all->pdata, messages, error);
    if (scenario == NULL && messages->len > 0) {
        g_prefix_error(error, "%s\n", (const char *)g_ptr_array_index(messages, 0));
    }
    return scenario;
}

static void show(const AftCalibrationProgress *progress, void *context)
{
    const Work *work = context;
    g_autofree char *words =
        isfinite(progress->best)
            ? g_strdup_printf("%u runs, off by %.2f", progress->runs, progress->best)
            : g_strdup_printf("%u runs", progress->runs);
    AftProgress shown = {progress->done, words, 0.0};
    aft_progress_bar_show(&shown, work->bar);
}

/* All inputs, as scenarios. Returns: (transfer full) (nullable): NULL after a complaint. */
static GPtrArray *find_inputs(const Options *options, const AftReference *reference, char **words)
{
    g_autoptr(GPtrArray) settings =
        aft_options_settings(options->settings, options->seed, options->fidelity);
    g_autoptr(GPtrArray) jobs = aft_jobs_new();
    gboolean fine = *words != NULL || aft_inputs_add_all(jobs, reference, (char **)settings->pdata);
    for (guint i = 0; words[i] != NULL; i++) {
        fine = aft_inputs_add(jobs, reference, words[i], (char **)settings->pdata) && fine;
    }
    for (guint i = 0; fine && i < jobs->len; i++) {
        const AftJob *job = g_ptr_array_index(jobs, i);
        fine = aft_inputs_known(reference, job->label);
        if (fine && job->scenario == NULL) {
            aft_options_complain(&command, "%s is a result; only scenarios can be run again",
                                 job->label);
            fine = FALSE;
        }
    }
    if (fine && jobs->len == 0) {
        aft_options_complain(&command, "which scenarios?");
    }
    fine = fine && aft_inputs_differ(&command, jobs);
    return fine && jobs->len > 0 ? g_steal_pointer(&jobs) : NULL;
}

/* Whether -o says where the fitted scenarios can go. */
static AftExit check_output(const GPtrArray *jobs, const char *reference, const char *directory)
{
    g_autoptr(GError) error = NULL;
    if (directory == NULL) {
        return AFT_EXIT_NOT_YET;
    }
    if (!aft_fitted_may_write(jobs, reference, directory, &error)) {
        return aft_options_complain(&command, "%s", error->message);
    }
    g_autoptr(GPtrArray) names = aft_fitted_names(jobs);
    return aft_options_check_output(&command, directory, (const char *const *)names->pdata);
}

static AftExit fit(const Options *options, const AftReference *reference, GPtrArray *jobs,
                   const GArray *keys)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftInterrupt) interrupt = aft_interrupt_new(&error);
    if (interrupt == NULL) {
        aft_say("aftershock calibrate: %s\n", error->message);
        return AFT_EXIT_UNFINISHED;
    }
    g_autoptr(GPtrArray) labels = g_ptr_array_new();
    for (guint i = 0; i < jobs->len; i++) {
        g_ptr_array_add(labels, ((AftJob *)g_ptr_array_index(jobs, i))->label);
    }
    g_autoptr(AftProgressBar) bar = aft_progress_bar_new();
    Work work = {jobs, bar};
    guint threads = 1;
    aft_options_read_jobs(&command, options->jobs, &threads);
    AftCalibrationSetup setup = {
        .reference = reference,
        .labels = (const char *const *)labels->pdata,
        .n_labels = labels->len,
        .keys = (const AftFreeKey *)(gconstpointer)keys->data,
        .n_keys = keys->len,
        .held_out = (const char *const *)options->held_out,
        .starts = (guint)options->starts,
        .iterations = (guint)options->steps,
        .jobs = threads,
        .interrupted = aft_interrupt_flag(interrupt),
        .make = make,
        .progress = show,
        .context = &work,
    };
    read_rotate(options->rotate, &setup.rotate);
    gint64 began_us = g_get_monotonic_time();
    g_autoptr(AftCalibration) calibration = aft_calibrate(&setup, &error);
    g_clear_pointer(&bar, aft_progress_bar_free);
    if (calibration == NULL) {
        aft_say("aftershock calibrate: %s\n", error->message);
        gboolean limit = g_error_matches(error, AFT_ERROR, AFT_ERROR_LIMIT);
        return limit ? AFT_EXIT_UNFINISHED : AFT_EXIT_USAGE;
    }
    aft_say("%s after %.1f s\n", calibration->interrupted ? "Interrupted" : "Done",
            (double)(g_get_monotonic_time() - began_us) / 1e6);
    gboolean kept = options->directory == NULL || calibration->comparison == NULL ||
                    aft_fitted_write(calibration, jobs, options->directory);
    g_autofree char *text = find_format(options->format)->told(calibration, reference);
    AftExit printed = aft_put(text, options->format);
    return !kept || printed != AFT_EXIT_FINE ? AFT_EXIT_UNFINISHED
           : calibration->interrupted        ? AFT_EXIT_INTERRUPTED
                                             : AFT_EXIT_FINE;
}

static AftExit calibrate(int argc, char **argv)
{
    g_auto(Options) options = {.starts = 1, .steps = 12};
    AftExit status = parse(&options, &argc, &argv);
    status = status == AFT_EXIT_NOT_YET ? check_usage(&options) : status;
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    g_autofree char *file = aft_find_reference(options.reference);
    g_autoptr(AftReference) reference = file != NULL ? aft_load_reference(file) : NULL;
    g_autoptr(GPtrArray) jobs =
        reference != NULL ? find_inputs(&options, reference, argv + 1) : NULL;
    if (jobs == NULL) {
        return AFT_EXIT_USAGE;
    }
    status = check_output(jobs, file, options.directory);
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    g_autoptr(GArray) keys = aft_free_keys_read(&command, options.free_keys, jobs);
    return keys != NULL ? fit(&options, reference, jobs, keys) : AFT_EXIT_USAGE;
}

static const AftCommand command = {
    .name = "calibrate",
    .arguments = "[SCENARIO...]",
    .summary = "Find values of keys that come nearest to published figures",
    .more =
        "SCENARIO is a file, a shipped one, or the label of a configuration of the reference;\n"
        "without any, all that the reference says how to simulate. They share the free keys:\n"
        "one value for all that have the key, that of the first of those to begin with. Cells\n"
        "count by their tolerances; suspect ones and those held out are not fitted, but compared\n"
        "all the same.\n"
        "\n"
        "Shown are fitted values with intervals, which keys the cells do not tell, and errors of\n"
        "fitted and held out cells apart. With --rotate configuration, or phase, the fit is done\n"
        "again without each of them, and a table sets the errors of what was left out beside\n"
        "those of the same cells when they are fitted. Ctrl-C ends the search and keeps the best\n"
        "so far.\n"
        "\n"
        "Exit status: 0 fine; 2 wrong usage or input; 3 could not finish; 130 interrupted.\n"
        "\n"
        "Example: two keys of two configurations, a third one predicted\n"
        "  aftershock calibrate rf2 raid5 --to wwt -o fitted \\\n"
        "    --free cluster.node.controller.io,cluster.node.controller.latency.read=0.5ms:2ms \\\n"
        "    --hold-out raid5/rebuild",
    .run = calibrate,
};

const AftCommand *aft_cmd_calibrate(void)
{
    return &command;
}
