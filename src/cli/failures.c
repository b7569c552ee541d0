/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "failures.h"
#include "interrupt.h"
#include "load.h"
#include "options.h"
#include "progress.h"
#include "terminal.h"

#include <aftershock/base/file.h>
#include <aftershock/base/units.h>
#include <aftershock/report/failures.h>

#define MOST_SECONDS 3.2e9 /* a century */

enum { SHOWN = 20 }; /* rows of the text */

static char *format_text(const GArray *rows)
{
    AftTextStyle style = aft_terminal_style(stdout);
    return aft_failures_text(rows, SHOWN, &style);
}

static const struct {
    const char *name;
    char *(*told)(const GArray *rows);
} formats[] = {
    {"text", format_text},
    {"csv", aft_failures_csv},
    {"json", aft_failures_json},
    {"markdown", aft_failures_markdown},
};

static char *tell(const GArray *rows, const char *name)
{
    guint i = 0;
    while (name != NULL && !g_str_equal(formats[i].name, name)) {
        i++;
    }
    return formats[i].told(rows);
}

static AftExit read_part(const AftCommand *command, const char *text, AftPartKind *ret_kind)
{
    static const struct {
        const char *name;
        AftPartKind kind;
    } parts[] = {{"node", AFT_PART_NODE},
                 {"disk", AFT_PART_DEVICE},
                 {"cache", AFT_PART_CACHE},
                 {"rack", AFT_PART_RACK}};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (g_str_equal(parts[i].name, text)) {
            *ret_kind = parts[i].kind;
            return AFT_EXIT_NOT_YET;
        }
    }
    return aft_options_complain(command, "--each-failure %s: expected node, disk, cache or rack",
                                text);
}

/* A time as --@option says, @text; NULL leaves @ret_ns as it is. */
static AftExit read_time(const AftCommand *command, const char *option, const char *text,
                         gint64 *ret_ns)
{
    g_autoptr(GError) error = NULL;
    double seconds = 0.0;
    if (text == NULL) {
        return AFT_EXIT_NOT_YET;
    }
    if (!aft_units_parse(AFT_UNIT_TIME, text, &seconds, &error)) {
        return aft_options_complain(command, "--%s %s: %s", option, text, error->message);
    }
    if (seconds < 0.0 || seconds > MOST_SECONDS) {
        return aft_options_complain(command, "--%s %s: expected a time from the start of the run",
                                    option, text);
    }
    *ret_ns = (gint64)(seconds * 1e9);
    return AFT_EXIT_NOT_YET;
}

/* What making scenarios and showing progress need. */
typedef struct {
    const char *file;
    const char *const *settings;
    AftProgressBar *bar;
} Work;

static AftScenario *make(void *context, GError **error)
{
    const Work *work = context;
    return aft_make_scenario(work->file, work->settings, error);
}

static void show(guint ended, guint of, void *context)
{
    const Work *work = context;
    g_autofree char *words = g_strdup_printf("%u of %u failures", ended, of);
    AftProgress shown = {(double)ended / of, words, 0.0};
    aft_progress_bar_show(&shown, work->bar);
}

static AftExit read_options(const AftCommand *command, const AftFailuresOptions *options,
                            const AftScenario *scenario, AftEachFailureSetup *setup)
{
    gint64 first_ns = aft_what_if_first_failure(scenario);
    setup->at_ns = first_ns != AFT_WHAT_IF_NEVER ? first_ns : scenario->run.settle_ns;
    setup->restore_ns = AFT_WHAT_IF_NEVER;
    AftExit status = read_part(command, options->part, &setup->kind);
    if (status == AFT_EXIT_NOT_YET) {
        status = read_time(command, "at", options->at, &setup->at_ns);
    }
    if (status == AFT_EXIT_NOT_YET) {
        status = read_time(command, "restore", options->restore, &setup->restore_ns);
    }
    if (status == AFT_EXIT_NOT_YET && setup->restore_ns <= setup->at_ns) {
        g_autofree char *at = aft_units_format(AFT_UNIT_TIME, (double)setup->at_ns / 1e9);
        status = aft_options_complain(command, "--restore %s: expected later than the failure, %s",
                                      options->restore, at);
    }
    return status == AFT_EXIT_NOT_YET ? aft_options_read_jobs(command, options->jobs, &setup->jobs)
                                      : status;
}

static gboolean save(const AftCommand *command, const GArray *rows, const char *directory)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *csv = aft_failures_csv(rows);
    g_autofree char *path = g_build_filename(directory, AFT_FAILURES_NAME, NULL);
    gboolean made = g_mkdir_with_parents(directory, 0777) == 0 ||
                    aft_file_failed(directory, "cannot make the directory", &error);
    if (!made || !aft_file_place_text(path, csv, &error)) {
        aft_say("aftershock %s: %s\n", command->name, error->message);
        return FALSE;
    }
    aft_say("Wrote %s\n", path);
    return TRUE;
}

static AftExit outcome(const GArray *rows, gboolean interrupted, gboolean require)
{
    gboolean failed = FALSE, missed = FALSE;
    for (guint i = 0; i < rows->len; i++) {
        const AftPartFailure *row = &g_array_index(rows, AftPartFailure, i);
        failed |= *row->failure != '\0';
        missed |= !g_str_equal(row->requirement, "met");
    }
    return interrupted         ? AFT_EXIT_INTERRUPTED
           : failed            ? AFT_EXIT_UNFINISHED
           : require && missed ? AFT_EXIT_MISSED
                               : AFT_EXIT_FINE;
}

/* Files first, since whoever reads stdout may go away. */
static AftExit finish(const AftCommand *command, const AftFailuresOptions *options,
                      const GArray *rows, gboolean interrupted)
{
    gboolean saved = options->directory == NULL || save(command, rows, options->directory);
    g_autofree char *text = tell(rows, options->format);
    AftExit printed = aft_put(text, options->format);
    return !saved || printed != AFT_EXIT_FINE ? AFT_EXIT_UNFINISHED
                                              : outcome(rows, interrupted, options->require);
}

AftExit aft_failures_run(const AftCommand *command, const AftFailuresOptions *options,
                         const AftScenario *scenario, const char *file, const char *const *settings)
{
    AftEachFailureSetup setup = {.make = make, .progress = show};
    AftExit status = read_options(command, options, scenario, &setup);
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(AftInterrupt) interrupt = aft_interrupt_new(&error);
    if (interrupt == NULL) {
        aft_say("aftershock %s: %s\n", command->name, error->message);
        return AFT_EXIT_UNFINISHED;
    }
    g_autoptr(AftProgressBar) bar = aft_progress_bar_new();
    Work work = {file, settings, bar};
    setup.interrupted = aft_interrupt_flag(interrupt);
    setup.context = &work;
    gint64 began_us = g_get_monotonic_time();
    g_autoptr(GArray) rows = aft_each_failure(&setup, &error);
    g_clear_pointer(&bar, aft_progress_bar_free);
    if (rows == NULL) {
        return aft_options_complain(command, "--each-failure %s: %s", options->part,
                                    error->message);
    }
    gboolean interrupted = g_atomic_int_get(setup.interrupted) != 0;
    aft_say("%s after %.1f s: %u %s\n", interrupted ? "Interrupted" : "Done",
            (double)(g_get_monotonic_time() - began_us) / 1e6, rows->len,
            rows->len == 1 ? "failure" : "failures");
    return finish(command, options, rows, interrupted);
}
