/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "drawn_files.h"
#include "inputs.h"
#include "load.h"
#include "options.h"
#include "page_file.h"
#include "same_file.h"
#include "terminal.h"

#include <aftershock/report/page_beside.h>
#include <aftershock/report/sweep_page.h>
#include <aftershock/result/files.h>

#include <string.h>

#define STORE_NAME "sweep.db"

static const AftCommand command;

typedef struct {
    char *file; /* (nullable), as is the other */
    char *reference;
    AftDrawnFiles drawn;
    AftDrawSize size;
} Options;

static void options_clear(Options *options)
{
    g_free(options->file);
    g_free(options->reference);
    aft_drawn_files_clear(&options->drawn);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static AftExit parse(Options *options, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->file,
         "Write the page to FILE; default, unless charts are drawn: " AFT_PAGE_NAME
         " in the only DIR",
         "FILE"},
        {"to", 0, 0, G_OPTION_ARG_STRING, &options->reference,
         "Show results beside published figures: a file of kind: reference, or the name of a "
         "shipped one",
         "REFERENCE"},
        AFT_DRAWN_OPTIONS(&options->drawn),
        G_OPTION_ENTRY_NULL,
    };
    return aft_options_parse(&command, entries, argc, argv);
}

static AftExit check_usage(const char *file, gboolean drawn, int argc)
{
    if (argc < 2) {
        return aft_options_complain(&command, "which results? give the folders that "
                                              "\"aftershock run -o\" wrote, or one of a sweep");
    }
    if ((guint)argc - 1 > AFT_PAGE_MOST) {
        return aft_options_complain(&command, "a page holds %u results, not %d", AFT_PAGE_MOST,
                                    argc - 1);
    }
    if (argc > 2 && file == NULL && !drawn) {
        return aft_options_complain(&command, "where to? a page of several results needs -o FILE");
    }
    if (file != NULL && g_file_test(file, G_FILE_TEST_IS_DIR)) {
        g_autofree char *meant = g_build_filename(file, AFT_PAGE_NAME, NULL);
        return aft_options_complain(&command, "-o %s: is a directory; name a file, like %s", file,
                                    meant);
    }
    return AFT_EXIT_NOT_YET;
}

static AftExit check_options(Options *options, int argc)
{
    gboolean drawn = aft_drawn_files_any(&options->drawn);
    AftExit status = check_usage(options->file, drawn, argc);
    if (status == AFT_EXIT_NOT_YET && drawn && options->reference != NULL) {
        return aft_options_complain(&command, "--to is for the page; draw charts by another call");
    }
    return status == AFT_EXIT_NOT_YET
               ? aft_drawn_files_check(&command, &options->drawn, options->file, &options->size)
               : status;
}

/* The folder in "LABEL=DIR" or "DIR"; a folder may have "=" in its name. */
static const char *folder_in(const char *word)
{
    const char *equals = g_file_test(word, G_FILE_TEST_EXISTS) ? NULL : strchr(word, '=');
    return equals != NULL && equals != word ? equals + 1 : word;
}

/* Returns: (transfer full) (nullable): NULL after a complaint. */
static AftResult *read_result(const char *word)
{
    g_autoptr(GError) error = NULL;
    const char *folder = folder_in(word);
    AftResult *result = aft_result_read(folder, &error);
    if (result == NULL) {
        aft_say("aftershock report: %s\n", error->message);
        return NULL;
    }
    if (folder != word) {
        g_free(result->label);
        result->label = g_strndup(word, (gsize)(folder - word - 1));
    }
    return result;
}

static void free_result(gpointer result)
{
    aft_result_free(result);
}

/* Returns: whether all of @words could be read; all that cannot are complained about. */
static gboolean read_all(GPtrArray *results, char **words, guint n)
{
    for (guint i = 0; i < n; i++) {
        AftResult *result = read_result(words[i]);
        if (result != NULL) {
            g_ptr_array_add(results, result);
        }
    }
    return results->len == n;
}

/* Whether @reference has cells of each of @results, which are all called differently; complains if
 * not. */
static gboolean is_about_all(const AftReference *reference, const AftResult *const *results,
                             guint n)
{
    for (guint i = 0; i < n; i++) {
        if (!aft_inputs_known(reference, results[i]->label)) {
            return FALSE;
        }
        for (guint other = 0; other < i; other++) {
            if (g_strcmp0(results[other]->label, results[i]->label) == 0) {
                aft_options_complain(&command,
                                     "there are two results called %s; give one another "
                                     "name, LABEL=DIR",
                                     results[i]->label);
                return FALSE;
            }
        }
    }
    return TRUE;
}

static AftExit write_beside(const AftReference *reference, const AftResult *const *results, guint n,
                            const char *path)
{
    if (!is_about_all(reference, results, n)) {
        return AFT_EXIT_USAGE;
    }
    GError *error = NULL;
    g_autoptr(AftComparison) comparison =
        aft_compare(reference, (AftResult *const *)(gpointer)results, n);
    char *page = aft_page_new_beside(results, n, reference, comparison, &error);
    return aft_page_keep(command.name, page, error, path) ? AFT_EXIT_FINE : AFT_EXIT_UNFINISHED;
}

/* Returns: (transfer full): where the page goes. */
static char *path_of(const Options *options, const char *word)
{
    return options->file != NULL ? g_strdup(options->file)
                                 : g_build_filename(folder_in(word), AFT_PAGE_NAME, NULL);
}

static AftExit report_results(const Options *options, char **words, guint n)
{
    g_autofree char *file =
        options->reference != NULL ? aft_find_reference(options->reference) : NULL;
    g_autoptr(AftReference) reference = file != NULL ? aft_load_reference(file) : NULL;
    g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func(free_result);
    if ((options->reference != NULL && reference == NULL) || !read_all(results, words, n)) {
        return AFT_EXIT_USAGE;
    }
    const AftResult *const *all = (const AftResult *const *)(gpointer)results->pdata;
    if (file != NULL && options->file != NULL && aft_same_file(options->file, file)) {
        return aft_options_complain(&command, "%s: would write over what is read", options->file);
    }
    if (aft_drawn_files_any(&options->drawn)) {
        return aft_drawn_files_save(&command, &options->drawn, options->size, options->file, all, n)
                   ? AFT_EXIT_FINE
                   : AFT_EXIT_UNFINISHED;
    }
    g_autofree char *path = path_of(options, words[0]);
    if (reference != NULL) {
        return write_beside(reference, all, n, path);
    }
    return aft_page_save(command.name, all, n, path) ? AFT_EXIT_FINE : AFT_EXIT_UNFINISHED;
}

/* Returns: (transfer full) (nullable): the path of the store in the folder that @word names, if it
 * is one of a sweep. */
static char *store_in(const char *word)
{
    g_autofree char *path = g_build_filename(folder_in(word), STORE_NAME, NULL);
    return g_file_test(path, G_FILE_TEST_EXISTS) ? g_steal_pointer(&path) : NULL;
}

static AftExit report_sweep(const Options *options, const char *word, const char *store_path)
{
    g_autoptr(GError) broken = NULL;
    g_autoptr(AftStore) store = aft_store_open_file(store_path, &broken);
    char *page = store != NULL ? aft_sweep_page_new(store, &broken) : NULL;
    if (page == NULL) {
        gboolean told = g_str_has_prefix(broken->message, store_path);
        aft_say("aftershock report: %s%s%s\n", told ? "" : store_path, told ? "" : ": ",
                broken->message);
        return AFT_EXIT_USAGE;
    }
    g_autofree char *path = path_of(options, word);
    return aft_page_keep(command.name, page, NULL, path) ? AFT_EXIT_FINE : AFT_EXIT_UNFINISHED;
}

/* ", leave out --to": what @options ask for though a page of a sweep has none of it. */
static const char *not_of_sweeps(const Options *options)
{
    return options->reference != NULL             ? "; leave out --to"
           : aft_drawn_files_any(&options->drawn) ? "; leave out --svg, --png and --pdf"
                                                  : "";
}

/* Whether a file that is asked for is one that is read, of the folder in @word or @store
 * (nullable); complains if so. */
static gboolean writes_over(const Options *options, const char *word, const char *store)
{
    const char *names[AFT_DRAW_FORMS + 1] = {options->file};
    memcpy(names + 1, options->drawn.names, sizeof options->drawn.names);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        gboolean over = names[i] != NULL && (aft_is_of_result(names[i], folder_in(word)) ||
                                             (store != NULL && aft_same_file(names[i], store)));
        if (over) {
            aft_options_complain(&command, "%s: would write over what is read", names[i]);
            return TRUE;
        }
    }
    return FALSE;
}

static AftExit report_on(const Options *options, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        g_autofree char *store = store_in(argv[i]);
        if (writes_over(options, argv[i], store)) {
            return AFT_EXIT_USAGE;
        }
        const char *without = not_of_sweeps(options);
        if (store != NULL && (argc > 2 || *without != '\0')) {
            return aft_options_complain(
                &command, "%s holds a sweep, and a page of one has nothing else on it%s", argv[i],
                without);
        }
        if (store != NULL) {
            return report_sweep(options, argv[i], store);
        }
    }
    return report_results(options, argv + 1, (guint)argc - 1);
}

static AftExit report(int argc, char **argv)
{
    g_auto(Options) options = {0};
    AftExit status = parse(&options, &argc, &argv);
    status = status == AFT_EXIT_NOT_YET ? check_options(&options, argc) : status;
    return status == AFT_EXIT_NOT_YET ? report_on(&options, argc, argv) : status;
}

static const AftCommand command = {
    .name = "report",
    .arguments = "DIR...",
    .summary = "Make one HTML page of results or of a sweep, or draw charts: SVG, PNG, PDF",
    .more =
        "Each DIR is a folder that \"aftershock run -o DIR\" wrote. Several results are laid over\n"
        "each other, a line each; LABEL=DIR calls one by another name. The page needs no network:\n"
        "send it, open it anywhere. Drag or use the keyboard in a chart to zoom all of them.\n"
        "\n"
        "With --to, results are set beside the figures of a reference, which knows them by their\n"
        "labels, as \"aftershock compare\" does: a bar each, with tolerances.\n"
        "\n"
        "One DIR may be that of a sweep: which points held the requirement, figures against what\n"
        "varies, how runs are distributed, what matters, and the ranking.\n"
        "\n"
        "--svg, --png and --pdf draw the same charts for papers and slides, as many of them as\n"
        "you name; with any of them, the page is only made where -o says. Of several results, SVG\n"
        "and PNG show what each chart of the page shows first, and PDF all that it can.\n"
        "\n"
        "Exit status: 0 fine; 2 wrong usage or input; 3 could not write, or built without charts.\n"
        "\n"
        "Example: what RAID-1 changes\n"
        "  aftershock run wwt-raid5 -o results/raid5\n"
        "  aftershock run wwt-raid1 -o results/raid1\n"
        "  aftershock report results/raid5 results/raid1 -o raid5-raid1.html\n"
        "  aftershock report results/raid5 --png raid5.png --size 1600x1200 --pdf raid5.pdf\n"
        "\n"
        "Example: a sweep\n"
        "  aftershock sweep small -o results/small\n"
        "  aftershock report results/small",
    .run = report,
};

const AftCommand *aft_cmd_report(void)
{
    return &command;
}
