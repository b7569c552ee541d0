/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "drawn_files.h"
#include "options.h"
#include "page_file.h"
#include "terminal.h"

#include <aftershock/result/files.h>

#include <string.h>

static const AftCommand command;

static AftExit parse(char **file, AftDrawnFiles *drawn, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, file,
         "Write the page to FILE; default, unless charts are drawn: " AFT_PAGE_NAME
         " in the only DIR",
         "FILE"},
        AFT_DRAWN_OPTIONS(drawn),
        G_OPTION_ENTRY_NULL,
    };
    return aft_options_parse(&command, entries, argc, argv);
}

static AftExit check_usage(const char *file, gboolean drawn, int argc)
{
    if (argc < 2) {
        return aft_options_complain(&command, "which results? give the folders that "
                                              "\"aftershock run -o\" wrote");
    }
    if ((guint)argc - 1 > AFT_PAGE_MOST) {
        return aft_options_complain(&command, "a page holds %u results, not %d", AFT_PAGE_MOST,
                                    argc - 1);
    }
    if (argc > 2 && file == NULL && !drawn) {
        return aft_options_complain(&command, "where to? a page of several results needs -o FILE");
    }
    if (file != NULL && g_file_test(file, G_FILE_TEST_IS_DIR)) {
        return aft_options_complain(&command, "-o %s: is a directory; name a file, like %s/%s",
                                    file, file, AFT_PAGE_NAME);
    }
    return AFT_EXIT_NOT_YET;
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

/* The page is made where it has a name, and in the only folder when nothing else was asked for. */
static gboolean save(const GPtrArray *results, const char *folder, const char *file,
                     const AftDrawnFiles *drawn, AftDrawSize size)
{
    const AftResult *const *all = (const AftResult *const *)(gpointer)results->pdata;
    if (aft_drawn_files_any(drawn)) {
        return aft_drawn_files_save(&command, drawn, size, file, all, results->len);
    }
    g_autofree char *path =
        file != NULL ? g_strdup(file) : g_build_filename(folder, AFT_PAGE_NAME, NULL);
    return aft_page_save(command.name, all, results->len, path);
}

static AftExit report_on(const char *file, const AftDrawnFiles *drawn, int argc, char **argv)
{
    AftDrawSize size;
    AftExit status = check_usage(file, aft_drawn_files_any(drawn), argc);
    status =
        status == AFT_EXIT_NOT_YET ? aft_drawn_files_check(&command, drawn, file, &size) : status;
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func(free_result);
    if (!read_all(results, argv + 1, (guint)argc - 1)) {
        return AFT_EXIT_USAGE;
    }
    return save(results, folder_in(argv[1]), file, drawn, size) ? AFT_EXIT_FINE
                                                                : AFT_EXIT_UNFINISHED;
}

static AftExit report(int argc, char **argv)
{
    g_autofree char *file = NULL;
    AftDrawnFiles drawn = {{NULL}, NULL};
    AftExit status = parse(&file, &drawn, &argc, &argv);
    status = status == AFT_EXIT_NOT_YET ? report_on(file, &drawn, argc, argv) : status;
    aft_drawn_files_clear(&drawn);
    return status;
}

static const AftCommand command = {
    .name = "report",
    .arguments = "DIR...",
    .summary = "Make one HTML page of results, or SVG, PNG, PDF: verdict and charts",
    .more =
        "Each DIR is a folder that \"aftershock run -o DIR\" wrote. Several results are laid over\n"
        "each other, a line each; LABEL=DIR calls one by another name. The page needs no network:\n"
        "send it, open it anywhere. Drag or use the keyboard in a chart to zoom all of them.\n"
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
        "  aftershock report results/raid5 --png raid5.png --size 1600x1200 --pdf raid5.pdf",
    .run = report,
};

const AftCommand *aft_cmd_report(void)
{
    return &command;
}
