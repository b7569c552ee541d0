/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "options.h"
#include "same_file.h"
#include "terminal.h"

#include <aftershock/export/export.h>
#include <aftershock/result/files.h>
#include <aftershock/scenario/nearest.h>

static const AftCommand command;

typedef struct {
    char *output; /* (nullable), as is the other */
    char *start;
} Options;

static void options_clear(Options *options)
{
    g_free(options->output);
    g_free(options->start);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static AftExit parse(Options *options, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
         "Write to PATH: a file of openmetrics, which else goes to standard output; a folder of "
         "the others",
         "PATH"},
        {"start", 0, 0, G_OPTION_ARG_STRING, &options->start,
         "When the run begins, of openmetrics: RFC 3339 or seconds since 1970; "
         "default: " AFT_EXPORT_START_TEXT,
         "TIME"},
        G_OPTION_ENTRY_NULL,
    };
    return aft_options_parse(&command, entries, argc, argv);
}

/* Returns: (transfer container): the names of all kinds, NULL-terminated. */
static const char **all_names(guint *ret_n)
{
    const AftExportKind *const *kinds = aft_export_kinds();
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; kinds[i] != NULL; i++) {
        g_ptr_array_add(names, (gpointer)aft_export_name(kinds[i]));
    }
    *ret_n = names->len;
    g_ptr_array_add(names, NULL);
    return (const char **)g_ptr_array_free(names, FALSE);
}

static AftExit complain_about_kind(const char *name)
{
    guint n;
    g_autofree const char **names = all_names(&n);
    g_autofree char *all = g_strjoinv(", ", (char **)names);
    const char *meant = name != NULL ? aft_nearest(name, names, n) : NULL;
    if (name == NULL) {
        return aft_options_complain(&command, "which kind? there are %s", all);
    }
    return aft_options_complain(&command, "there is no kind \"%s\"; %s%s%s", name,
                                meant != NULL ? "did you mean " : "there are ",
                                meant != NULL ? meant : all, meant != NULL ? "?" : "");
}

static AftExit check_usage(const AftExportKind *kind, const Options *options, int argc)
{
    if (argc != 3) {
        return aft_options_complain(&command, argc < 3 ? "which result? give a folder that "
                                                         "\"aftershock run -o\" wrote"
                                                       : "one result at a time, please");
    }
    if (options->output == NULL && aft_export_files(kind) > 1) {
        return aft_options_complain(&command, "where to? %s makes several files: give -o FOLDER",
                                    aft_export_name(kind));
    }
    if (options->start != NULL && !aft_export_has_start(kind)) {
        return aft_options_complain(&command, "--start: times of %s are those of the run",
                                    aft_export_name(kind));
    }
    return AFT_EXIT_NOT_YET;
}

static AftExit check_output(const char *output, const char *folder)
{
    return output != NULL && aft_is_of_result(output, folder)
               ? aft_options_complain(&command, "-o %s: would write over what is read", output)
               : AFT_EXIT_NOT_YET;
}

static AftExit read_start(const Options *options, gint64 *ret_start_ms)
{
    g_autoptr(GError) error = NULL;
    *ret_start_ms = AFT_EXPORT_START_MS;
    if (options->start != NULL && !aft_export_parse_start(options->start, ret_start_ms, &error)) {
        return aft_options_complain(&command, "--start %s: %s", options->start, error->message);
    }
    return AFT_EXIT_NOT_YET;
}

static AftExit complain(AftExit status, const char *place, const GError *error)
{
    aft_say("aftershock export: %s%s%s\n", place != NULL ? place : "", place != NULL ? ": " : "",
            error->message);
    return status;
}

static AftExit write_export(const AftExportKind *kind, const AftExport *what, const char *output)
{
    g_autoptr(GError) error = NULL;
    if (output == NULL) {
        return aft_export_put(kind, what, stdout, &error)
                   ? AFT_EXIT_FINE
                   : complain(AFT_EXIT_UNFINISHED, "standard output", error);
    }
    if (!aft_export_save(kind, what, output, &error)) {
        return complain(AFT_EXIT_UNFINISHED, NULL, error);
    }
    aft_say("Wrote %s\n", output);
    return AFT_EXIT_FINE;
}

static AftExit convert(const AftExportKind *kind, const char *folder, gint64 start_ms,
                       const char *output)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftResult) result = aft_result_read(folder, &error);
    if (result == NULL) {
        return complain(AFT_EXIT_USAGE, NULL, error);
    }
    AftExport what = {.result = result, .start_ms = start_ms};
    return aft_export_check(kind, &what, &error) ? write_export(kind, &what, output)
                                                 : complain(AFT_EXIT_USAGE, folder, error);
}

static AftExit export_result(int argc, char **argv)
{
    g_auto(Options) options = {0};
    gint64 start_ms = 0;
    AftExit status = parse(&options, &argc, &argv);
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    const AftExportKind *kind = argc > 1 ? aft_export_find(argv[1]) : NULL;
    if (kind == NULL) {
        return complain_about_kind(argc > 1 ? argv[1] : NULL);
    }
    status = check_usage(kind, &options, argc);
    status = status == AFT_EXIT_NOT_YET ? check_output(options.output, argv[2]) : status;
    status = status == AFT_EXIT_NOT_YET ? read_start(&options, &start_ms) : status;
    return status == AFT_EXIT_NOT_YET ? convert(kind, argv[2], start_ms, options.output) : status;
}

static const AftCommand command = {
    .name = "export",
    .arguments = "KIND DIR",
    .summary = "Make files for Prometheus, fio's tools or gnuplot of a result",
    .more =
        "DIR is a folder that \"aftershock run -o DIR\" wrote. KIND is\n"
        "  openmetrics  trace, phases and events as text that Prometheus takes in\n"
        "  fio-logs     logs of latency, bandwidth and IOPS, as fio writes them\n"
        "  gnuplot      a script, and its data, that draws the timeline as SVG and PNG\n"
        "\n"
        "Exit status: 0 fine; 2 wrong usage or input; 3 could not write.\n"
        "\n"
        "Examples:\n"
        "  aftershock export openmetrics results/raid5 --start 2024-05-01T00:00:00Z -o raid5.txt\n"
        "  promtool tsdb create-blocks-from openmetrics raid5.txt /var/lib/prometheus/metrics2\n"
        "  aftershock export fio-logs results/raid5 -o logs\n"
        "  aftershock export gnuplot results/raid5 -o plot\n"
        "  gnuplot plot/timeline.gp",
    .run = export_result,
};

const AftCommand *aft_cmd_export(void)
{
    return &command;
}
