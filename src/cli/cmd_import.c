/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "options.h"
#include "same_file.h"
#include "terminal.h"

#include <aftershock/base/file.h>
#include <aftershock/import/import.h>
#include <aftershock/result/metric.h>
#include <aftershock/scenario/nearest.h>

#include <stdlib.h>

static const AftCommand command;

enum { MOST_REMARKS = 20 };

typedef struct {
    char *output; /* (nullable), as are the others */
    char *label;
    char *phase;
    char *metric;
    char *format;
    gint nodes; /* 0: not told */
} Options;

static void options_clear(Options *options)
{
    g_free(options->output);
    g_free(options->label);
    g_free(options->phase);
    g_free(options->metric);
    g_free(options->format);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static AftExit parse(Options *options, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
         "Write into FILE, whole or not at all, rather than to standard output", "FILE"},
        {"label", 0, 0, G_OPTION_ARG_STRING, &options->label,
         "What was measured, as cells name it; of drive statistics, the one model to look at",
         "NAME"},
        {"phase", 0, 0, G_OPTION_ARG_STRING, &options->phase,
         "What the cluster went through meanwhile; default: steady", "PHASE"},
        {"metric", 0, 0, G_OPTION_ARG_STRING, &options->metric,
         "Which figure series of Prometheus are, of \"aftershock list metrics\"", "METRIC"},
        {"nodes", 0, 0, G_OPTION_ARG_INT, &options->nodes,
         "How many nodes the cluster has, that a test of X-Ray is for; default: 4", "N"},
        {"format", 0, 0, G_OPTION_ARG_STRING, &options->format, "yaml (default) or csv", "FORMAT"},
        G_OPTION_ENTRY_NULL,
    };
    return aft_options_parse(&command, entries, argc, argv);
}

/* "fio-json, fio-job, ...". Returns: (transfer full). */
static char *all_kinds(void)
{
    guint n;
    const AftImportKind *kinds = aft_import_kinds(&n);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < n; i++) {
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", kinds[i].name);
    }
    return g_string_free(text, FALSE);
}

static AftExit complain_about_kind(const char *name)
{
    guint n;
    const AftImportKind *kinds = aft_import_kinds(&n);
    g_autofree const char **names = g_new(const char *, n);
    for (guint i = 0; i < n; i++) {
        names[i] = kinds[i].name;
    }
    const char *meant = aft_nearest(name, names, n);
    g_autofree char *all = all_kinds();
    return aft_options_complain(&command, "there is no kind \"%s\"; %s%s%s", name,
                                meant != NULL ? "did you mean " : "there are ",
                                meant != NULL ? meant : all, meant != NULL ? "?" : "");
}

static AftExit complain_about_phase(const char *name)
{
    const char *names[AFT_PHASES];
    for (guint i = 0; i < AFT_PHASES; i++) {
        names[i] = aft_phase_name((AftPhase)i);
    }
    const char *meant = aft_nearest(name, names, AFT_PHASES);
    return aft_options_complain(&command, "--phase %s: there is no such phase%s%s%s", name,
                                meant != NULL ? "; did you mean " : ", like steady or failed",
                                meant != NULL ? meant : "", meant != NULL ? "?" : "");
}

static AftExit read_options(const Options *options, AftImportOptions *ret_import)
{
    *ret_import = (AftImportOptions){.label = options->label, .phase = AFT_PHASE_STEADY};
    if (options->phase != NULL && !aft_phase_from_name(options->phase, &ret_import->phase)) {
        return complain_about_phase(options->phase);
    }
    ret_import->metric = options->metric;
    if (options->metric != NULL && aft_metric_find(options->metric) == NULL) {
        return aft_options_complain(&command,
                                    "--metric %s: there is none; see \"aftershock list metrics\"",
                                    options->metric);
    }
    if (options->nodes < 0) {
        return aft_options_complain(&command, "--nodes %d: expected 1 or more", options->nodes);
    }
    ret_import->nodes = (guint)options->nodes;
    ret_import->csv = g_strcmp0(options->format, "csv") == 0;
    if (options->format != NULL && !ret_import->csv && !g_str_equal(options->format, "yaml")) {
        return aft_options_complain(&command, "--format %s: expected yaml or csv", options->format);
    }
    return AFT_EXIT_NOT_YET;
}

/* Whether @output would take the place of @file, or of one in that folder. */
static gboolean writes_over(const char *output, const char *file)
{
    g_autofree char *folder = g_path_get_dirname(output);
    return aft_same_file(output, file) ||
           (g_file_test(output, G_FILE_TEST_EXISTS) && aft_same_file(folder, file));
}

static AftExit check_output(const char *output, char **files)
{
    for (guint i = 0; output != NULL && files[i] != NULL; i++) {
        if (writes_over(output, files[i])) {
            return aft_options_complain(&command, "-o %s: would write over what is read", output);
        }
    }
    return AFT_EXIT_NOT_YET;
}

static AftExit write_text(const char *output, const char *text)
{
    g_autoptr(GError) error = NULL;
    if (output == NULL) {
        return aft_put(text, "yaml");
    }
    if (!aft_file_place_text(output, text, &error)) {
        aft_say("aftershock import: %s\n", error->message);
        return AFT_EXIT_UNFINISHED;
    }
    return AFT_EXIT_FINE;
}

static void tell(const GPtrArray *remarks)
{
    for (guint i = 0; i < MIN(remarks->len, MOST_REMARKS); i++) {
        aft_say("%s\n", (const char *)g_ptr_array_index(remarks, i));
    }
    if (remarks->len > MOST_REMARKS) {
        aft_say("and %u more remarks\n", remarks->len - MOST_REMARKS);
    }
}

static AftExit convert(const AftImportKind *kind, char **files, const AftImportOptions *options,
                       const char *output)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) remarks = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *text = aft_import(kind, (const char *const *)files, options, remarks, &error);
    tell(remarks);
    if (text == NULL) {
        aft_say("aftershock import: %s\n", error->message);
        return AFT_EXIT_USAGE;
    }
    return write_text(output, text);
}

static AftExit import(int argc, char **argv)
{
    g_auto(Options) options = {0};
    AftImportOptions import_options;
    AftExit status = parse(&options, &argc, &argv);
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    if (argc < 2) {
        g_autofree char *all = all_kinds();
        return aft_options_complain(&command, "which kind? there are %s", all);
    }
    const AftImportKind *kind = aft_import_find(argv[1]);
    if (kind == NULL) {
        return complain_about_kind(argv[1]);
    }
    if (argc < 3) {
        return aft_options_complain(&command, "which files? import %s", kind->example);
    }
    status = read_options(&options, &import_options);
    if (status == AFT_EXIT_NOT_YET) {
        status = check_output(options.output, argv + 2);
    }
    return status != AFT_EXIT_NOT_YET ? status
                                      : convert(kind, argv + 2, &import_options, options.output);
}

static const AftCommand command = {
    .name = "import",
    .arguments = "KIND FILE...",
    .summary = "Make references and parts of scenarios of what other tools write",
    .more =
        "KIND is\n"
        "  fio-json    results of fio (--output-format=json): a reference\n"
        "  fio-job     a job file of fio: a list of workloads\n"
        "  hcibench    res.txt of HCIBench: a reference\n"
        "  vdbench     flatfile.html of vdbench: a reference\n"
        "  xray        the folder of a test of X-Ray, with test.yml: workloads and a timeline\n"
        "  backblaze   drive statistics of Backblaze, day by day: devices and how they fail\n"
        "  prometheus  an answer to a range query: a reference, or all samples as CSV\n"
        "  ceph        ceph osd tree and ceph osd df (-f json): a cluster\n"
        "\n"
        "A reference is what \"aftershock compare --to\" and \"calibrate --to\" take. Parts of\n"
        "scenarios are to be put into one; comments tell what has no counterpart. What is left\n"
        "out is also told on standard error.\n"
        "\n"
        "Exit status: 0 imported; 2 wrong usage, or a file that is not of that kind; 3 could not\n"
        "write.\n"
        "\n"
        "Examples:\n"
        "  aftershock import fio-json result.json --label three-copies -o measured.yaml\n"
        "  aftershock import fio-job randrw.fio >workload.yaml\n"
        "  aftershock import hcibench 4k-70rdpct/res.txt --phase failed\n"
        "  aftershock import vdbench output/flatfile.html --format csv\n"
        "  aftershock import xray extended_node_failure --nodes 4\n"
        "  aftershock import backblaze data_Q1_2024/*.csv --format csv\n"
        "  aftershock import prometheus answer.json --metric read_mean --label two\n"
        "  aftershock import ceph tree.json df.json >cluster.yaml",
    .run = import,
};

const AftCommand *aft_cmd_import(void)
{
    return &command;
}
