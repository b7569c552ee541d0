/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "options.h"
#include "swept.h"
#include "terminal.h"

#include <aftershock/base/file.h>
#include <aftershock/sweep/store.h>

#define MOST_TOLD 20 /* conflicts, or gaps */

static const AftCommand command;

static AftExit parse(char **directory, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, directory, "Write the whole sweep into DIR",
         "DIR"},
        G_OPTION_ENTRY_NULL,
    };
    return aft_options_parse(&command, entries, argc, argv);
}

static void tell_all(const char *what, const GPtrArray *texts)
{
    for (guint i = 0; i < MIN(texts->len, MOST_TOLD); i++) {
        aft_say("%s: %s\n", what, (const char *)texts->pdata[i]);
    }
    if (texts->len > MOST_TOLD) {
        aft_say("%s: %u more\n", what, texts->len - MOST_TOLD);
    }
}

static void tell(const AftMergeReport *report)
{
    aft_say("Joined %u %s: %u %s, %u of them more than once\n", report->stores,
            report->stores == 1 ? "store" : "stores", report->rows,
            report->rows == 1 ? "replication" : "replications", report->duplicates);
    tell_all("Conflict", report->conflicts);
    tell_all("Gap", report->gaps);
}

/* Whether all @directories can be looked into; all that cannot are complained about. */
static gboolean are_readable(char **directories, guint n)
{
    gboolean fine = TRUE;
    for (guint i = 0; i < n; i++) {
        g_autoptr(GError) cause = NULL, error = NULL;
        g_autoptr(GDir) directory = g_dir_open(directories[i], 0, &cause);
        if (directory == NULL) {
            fine = aft_file_failed_by(directories[i], "cannot read", cause, &error);
            aft_say("aftershock merge: %s\n", error->message);
        }
    }
    return fine;
}

static AftExit join(char **directories, guint n, const char *directory)
{
    g_autoptr(GError) error = NULL;
    g_auto(AftMergeReport) report = {0};
    if (!aft_store_merge((const char *const *)directories, n, directory, &report, &error)) {
        aft_say("aftershock merge: %s\n", error->message);
        return AFT_EXIT_UNFINISHED;
    }
    tell(&report);
    g_autofree char *path = g_build_filename(directory, "sweep.db", NULL);
    g_autoptr(AftStore) store = aft_store_open_file(path, &error);
    if (store == NULL) {
        aft_say("aftershock merge: %s\n", error->message);
        return AFT_EXIT_UNFINISHED;
    }
    AftExit told = aft_swept_tell("merge", store, directory);
    gboolean whole =
        report.conflicts->len == 0 && report.gaps->len == 0 && aft_store_count(store).failed == 0;
    return told != AFT_EXIT_FINE || whole ? told : AFT_EXIT_UNFINISHED;
}

static AftExit merge(int argc, char **argv)
{
    g_autofree char *directory = NULL;
    AftExit status = parse(&directory, &argc, &argv);
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    if (argc < 2) {
        return aft_options_complain(&command, "which directories?");
    }
    if (directory == NULL) {
        return aft_options_complain(&command, "where to? -o DIR");
    }
    return are_readable(argv + 1, (guint)argc - 1) ? join(argv + 1, (guint)argc - 1, directory)
                                                   : AFT_EXIT_USAGE;
}

static const AftCommand command = {
    .name = "merge",
    .arguments = "DIR...",
    .summary = "Join the shards of a sweep",
    .more =
        "Each DIR holds one shard or more, as \"aftershock sweep --shard\" leaves them. What is "
        "in\n"
        "several of them is taken once; what is missing is told, and what differs.\n"
        "\n"
        "Exit status: 0 whole; 2 wrong usage, or a DIR that cannot be read; 3 something is\n"
        "missing, differs, failed or does not belong together.\n"
        "\n"
        "Example: two shards, on two machines\n"
        "  aftershock sweep small --shard 1/2 -o results/shards\n"
        "  aftershock sweep small --shard 2/2 -o results/shards\n"
        "  aftershock merge results/shards -o results/small",
    .run = merge,
};

const AftCommand *aft_cmd_merge(void)
{
    return &command;
}
