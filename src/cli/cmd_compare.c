/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch.h"
#include "command.h"
#include "inputs.h"
#include "interrupt.h"
#include "load.h"
#include "options.h"
#include "terminal.h"

#include <aftershock/base/error.h>
#include <aftershock/report/compare.h>

static const AftCommand command;

typedef struct {
    char *reference; /* (nullable), as are the others */
    char *tolerance;
    char **settings; /* "path=value", in the order given */
    char *seed;
    char *fidelity;
    char *jobs;
    char *format;
} Options;

static void options_clear(Options *options)
{
    g_free(options->reference);
    g_free(options->tolerance);
    g_strfreev(options->settings);
    g_free(options->seed);
    g_free(options->fidelity);
    g_free(options->jobs);
    g_free(options->format);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static char *format_text(const AftComparison *comparison, const AftReference *reference)
{
    AftTextStyle style = aft_terminal_style(stdout);
    return aft_compare_text(comparison, reference, &style);
}

static char *format_csv(const AftComparison *comparison, const AftReference *reference)
{
    (void)reference;
    return aft_compare_csv(comparison);
}

static char *format_runs_text(const AftRunComparison *comparison, const char *before,
                              const char *after)
{
    AftTextStyle style = aft_terminal_style(stdout);
    return aft_runs_text(comparison, before, after, &style);
}

static char *format_runs_csv(const AftRunComparison *comparison, const char *before,
                             const char *after)
{
    (void)before;
    (void)after;
    return aft_runs_csv(comparison);
}

/* A comparison as text for stdout: with a reference, and of two runs. */
typedef struct {
    const char *name;
    char *(*compared)(const AftComparison *comparison, const AftReference *reference);
    char *(*runs)(const AftRunComparison *comparison, const char *before, const char *after);
} Format;

static const Format formats[] = {
    {"text", format_text, format_runs_text},
    {"csv", format_csv, format_runs_csv},
    {"json", aft_compare_json, aft_runs_json},
    {"markdown", aft_compare_markdown, aft_runs_markdown},
};

static const Format *find_format(const char *name)
{
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
        {"tolerance", 0, 0, G_OPTION_ARG_STRING, &options->tolerance,
         "Allow this for all cells, whatever the reference says; or none", "X%"},
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->settings,
         "Set a key of every scenario; may be given often", "PATH=VALUE"},
        {"seed", 0, 0, G_OPTION_ARG_STRING, &options->seed, "Seed of all randomness", "N"},
        {"fidelity", 0, 0, G_OPTION_ARG_STRING, &options->fidelity, AFT_FIDELITY_HELP, "F"},
        {"jobs", 0, 0, G_OPTION_ARG_STRING, &options->jobs,
         "Simulate N at a time; default: as many as there are cores", "N"},
        {"format", 0, 0, G_OPTION_ARG_STRING, &options->format,
         "What to print: text (default), csv, json or markdown", "FORMAT"},
        G_OPTION_ENTRY_NULL,
    };
    return aft_options_parse(&command, entries, argc, argv);
}

/* Only a share can be for cells of all units. */
static gboolean read_tolerance(const char *text, AftSide *ret_side)
{
    return aft_side_parse(text, AFT_UNIT_SHARE, ret_side, NULL) &&
           (ret_side->relative || !ret_side->bounded);
}

static AftExit check_values(const Options *options)
{
    guint jobs;
    AftSide side;
    if (find_format(options->format) == NULL) {
        return aft_options_complain(&command, "--format %s: expected text, csv, json or markdown",
                                    options->format);
    }
    AftExit status = aft_options_read_jobs(&command, options->jobs, &jobs);
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    if (options->tolerance != NULL && !read_tolerance(options->tolerance, &side)) {
        return aft_options_complain(&command, "--tolerance %s: expected a share, like 5%%, or none",
                                    options->tolerance);
    }
    return aft_options_check_settings(&command, options->settings);
}

static AftExit check_usage(const Options *options, int argc)
{
    if (options->reference == NULL && argc != 3) {
        return aft_options_complain(
            &command, argc < 3 ? "what with what? two results or scenarios, or --to REFERENCE"
                               : "two at a time, please, or --to REFERENCE");
    }
    if (options->reference == NULL && options->tolerance != NULL) {
        return aft_options_complain(&command, "--tolerance: only a reference has tolerances");
    }
    return check_values(options);
}

static void override_tolerances(AftReference *reference, const char *text)
{
    AftSide side = {0};
    read_tolerance(text, &side);
    for (guint i = 0; i < reference->cells->len; i++) {
        AftReferenceCell *cell = g_ptr_array_index(reference->cells, i);
        cell->tolerance = (AftTolerance){side, side};
    }
}

/* Returns: (transfer full) (nullable): NULL after a complaint. */
static AftReference *load_reference(const Options *options)
{
    g_autofree char *file = aft_find_reference(options->reference);
    AftReference *reference = file != NULL ? aft_load_reference(file) : NULL;
    if (reference != NULL && options->tolerance != NULL) {
        override_tolerances(reference, options->tolerance);
    }
    return reference;
}

/* Whether the @words, or else all that @reference (nullable) names, can be compared. */
static gboolean add_inputs(GPtrArray *jobs, const AftReference *reference, char **words,
                           const GPtrArray *settings)
{
    if (*words == NULL && reference->configurations->len == 0) {
        aft_options_complain(&command, "%s does not say which scenarios to run; which?",
                             reference->name);
        return FALSE;
    }
    if (*words == NULL) {
        return aft_inputs_add_all(jobs, reference, (char **)settings->pdata);
    }
    gboolean fine = TRUE;
    for (; *words != NULL; words++) {
        fine = aft_inputs_add(jobs, reference, *words, (char **)settings->pdata) && fine;
    }
    for (guint i = 0; fine && reference != NULL && i < jobs->len; i++) {
        fine = aft_inputs_known(reference, ((AftJob *)g_ptr_array_index(jobs, i))->label);
    }
    return fine && (reference == NULL || aft_inputs_differ(&command, jobs));
}

/* AFT_EXIT_FINE, or what went wrong, which is told. */
static AftExit tell_failures(const GPtrArray *jobs)
{
    AftExit worst = AFT_EXIT_FINE;
    for (guint i = 0; i < jobs->len; i++) {
        const AftJob *job = g_ptr_array_index(jobs, i);
        if (job->error != NULL) {
            aft_say("aftershock compare: %s: %s\n", job->label, job->error->message);
            gboolean limit = g_error_matches(job->error, AFT_ERROR, AFT_ERROR_LIMIT);
            worst = MAX(worst, limit ? AFT_EXIT_UNFINISHED : AFT_EXIT_USAGE);
        }
    }
    return worst;
}

/* Leaves those that were run to their end. */
static void drop_incomplete(GPtrArray *jobs)
{
    for (guint i = jobs->len; i > 0; i--) {
        const AftJob *job = g_ptr_array_index(jobs, i - 1);
        if (job->result == NULL || (job->scenario != NULL && job->result->interrupted)) {
            g_ptr_array_remove_index(jobs, i - 1);
        }
    }
}

/* Returns: FINE when there is a result of each, INTERRUPTED when there is of those that are left.
 */
static AftExit run_jobs(GPtrArray *jobs, guint threads, gint *flag)
{
    gint64 began_us = g_get_monotonic_time();
    guint n = aft_jobs_run(jobs, threads, flag);
    gboolean interrupted = g_atomic_int_get(flag) != 0;
    if (n > 0) {
        aft_say("%s after %.1f s\n", interrupted ? "Interrupted" : "Done",
                (double)(g_get_monotonic_time() - began_us) / 1e6);
    }
    AftExit failures = tell_failures(jobs);
    if (interrupted) {
        drop_incomplete(jobs);
    }
    return interrupted ? AFT_EXIT_INTERRUPTED : failures;
}

static AftExit compare_with_reference(const Format *format, const AftReference *reference,
                                      const GPtrArray *jobs)
{
    g_autofree AftResult **results = g_new(AftResult *, jobs->len);
    for (guint i = 0; i < jobs->len; i++) {
        results[i] = ((AftJob *)g_ptr_array_index(jobs, i))->result;
    }
    g_autoptr(AftComparison) comparison = aft_compare(reference, results, jobs->len);
    g_autofree char *text = format->compared(comparison, reference);
    AftExit printed = aft_put(text, format->name);
    return printed == AFT_EXIT_FINE && comparison->breaches > 0 ? AFT_EXIT_MISSED : printed;
}

static AftExit compare_runs(const Format *format, const GPtrArray *jobs)
{
    const AftJob *before = g_ptr_array_index(jobs, 0), *after = g_ptr_array_index(jobs, 1);
    g_autoptr(AftRunComparison) comparison = aft_compare_runs(before->result, after->result);
    gboolean told_apart = g_strcmp0(before->label, after->label) != 0;
    g_autofree char *text = format->runs(comparison, told_apart ? before->label : "before",
                                         told_apart ? after->label : "after");
    return aft_put(text, format->name);
}

/* Runs and tells. Signals are watched until all is told: one that comes meanwhile ends nothing. */
static AftExit run_and_tell(const Options *options, const AftReference *reference, GPtrArray *jobs)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftInterrupt) interrupt = aft_interrupt_new(&error);
    if (interrupt == NULL) {
        aft_say("aftershock compare: %s\n", error->message);
        return AFT_EXIT_UNFINISHED;
    }
    guint threads = 1;
    aft_options_read_jobs(&command, options->jobs, &threads);
    AftExit status = run_jobs(jobs, threads, aft_interrupt_flag(interrupt));
    gboolean enough = jobs->len >= (reference != NULL ? 1 : 2);
    if (!enough || (status != AFT_EXIT_FINE && status != AFT_EXIT_INTERRUPTED)) {
        return status;
    }
    const Format *format = find_format(options->format);
    AftExit compared = reference != NULL ? compare_with_reference(format, reference, jobs)
                                         : compare_runs(format, jobs);
    return status == AFT_EXIT_FINE || compared == AFT_EXIT_UNFINISHED ? compared : status;
}

static AftExit compare(int argc, char **argv)
{
    g_auto(Options) options = {0};
    AftExit status = parse(&options, &argc, &argv);
    status = status == AFT_EXIT_NOT_YET ? check_usage(&options, argc) : status;
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    g_autoptr(AftReference) reference = options.reference != NULL ? load_reference(&options) : NULL;
    g_autoptr(GPtrArray) settings =
        aft_options_settings(options.settings, options.seed, options.fidelity);
    g_autoptr(GPtrArray) jobs = aft_jobs_new();
    if ((options.reference != NULL && reference == NULL) ||
        !add_inputs(jobs, reference, argv + 1, settings)) {
        return AFT_EXIT_USAGE;
    }
    return run_and_tell(&options, reference, jobs);
}

static const AftCommand command = {
    .name = "compare",
    .arguments = "[WHAT...]",
    .summary = "Set runs beside published figures, or beside each other",
    .more =
        "WHAT is a scenario (a file, a shipped one, or - for standard input), which is simulated,\n"
        "or a directory that \"aftershock run -o\" has written. Configurations are known by their\n"
        "labels: of a directory the one it was run with, of a scenario its file's name without\n"
        "suffix; LABEL=WHAT gives another.\n"
        "\n"
        "With --to, figures are set beside those of a reference: a file with cells, each a figure\n"
        "of one configuration in one phase, or a ratio of two (docs/comparing.md tells how to\n"
        "write one from a run of fio, HCIBench or X-Ray). WHAT may then also be the label of a\n"
        "configuration that the reference says how to simulate; without any, all of them are.\n"
        "\n"
        "Without --to, the second WHAT is set beside the first; a figure has changed only when\n"
        "it did by more than the intervals of both make of chance.\n"
        "\n"
        "Exit status: 0 fine; 1 a stated or derived cell is out of tolerance, or absent; 2 wrong\n"
        "usage or input; 3 could not finish; 130 interrupted.\n"
        "\n"
        "Examples: your cluster and what fio said of it, and a slower repair beside the usual\n"
        "  aftershock compare my-cluster.yaml --to my-fio-run.yaml\n"
        "  aftershock compare results/usual results/slow",
    .run = compare,
};

const AftCommand *aft_cmd_compare(void)
{
    return &command;
}
