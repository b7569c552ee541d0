/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "options.h"
#include "shipped.h"
#include "template.h"
#include "terminal.h"

#include <aftershock/base/error.h>
#include <aftershock/base/file.h>
#include <aftershock/scenario/nearest.h>

static const AftCommand command;

enum { USUAL_NODES = 4, LEAST_NODES = 3, MOST_NODES = 64 };

#define USUAL_SYSTEM "vsan"

static AftExit complain_about(const char *name)
{
    g_autoptr(GPtrArray) names = aft_template_names();
    const char *meant = aft_nearest(name, (const char *const *)names->pdata, names->len);
    g_ptr_array_add(names, NULL);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    return aft_options_complain(&command, "there is nothing to begin with for \"%s\"; %s%s%s", name,
                                meant != NULL ? "did you mean " : "there are ",
                                meant != NULL ? meant : all, meant != NULL ? "?" : "");
}

static AftExit write_new(const char *path, const char *text)
{
    g_autoptr(GError) error = NULL;
    if (!aft_file_place_new(path, text, &error)) {
        gboolean taken = error->code == AFT_ERROR_CONFLICT;
        aft_say("aftershock init: %s%s\n", error->message, taken ? "; name another file" : "");
        return taken ? AFT_EXIT_USAGE : AFT_EXIT_UNFINISHED;
    }
    aft_say("%s is written; go on with \"aftershock check %s\"\n", path, path);
    return AFT_EXIT_FINE;
}

/* "-" is stdout, as no file is. */
static AftExit put_scenario(const char *template, guint nodes, const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = aft_template_fill(template, nodes, &error);
    if (text == NULL) {
        aft_say("aftershock init: %s\n", error->message);
        return AFT_EXIT_UNFINISHED;
    }
    return path == NULL || g_str_equal(path, "-") ? aft_put(text, "yaml") : write_new(path, text);
}

static AftExit init(int argc, char **argv)
{
    int nodes = USUAL_NODES;
    g_autofree char *path = NULL;
    const GOptionEntry entries[] = {
        {"nodes", 'n', 0, G_OPTION_ARG_INT, &nodes, "How many nodes: 3 to 64 (usually 4)", "N"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &path,
         "Write to FILE, which must not be there yet", "FILE"},
        G_OPTION_ENTRY_NULL,
    };
    AftExit status = aft_options_parse(&command, entries, &argc, &argv);
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    if (argc > 2) {
        return aft_options_complain(&command, "one system at a time");
    }
    if (nodes < LEAST_NODES || nodes > MOST_NODES) {
        return aft_options_complain(&command, "--nodes is %d to %d, not %d", LEAST_NODES,
                                    MOST_NODES, nodes);
    }
    const char *name = argc == 2 ? argv[1] : USUAL_SYSTEM;
    g_autofree char *template = aft_shipped_path(AFT_SHIPPED_TEMPLATE, name);
    return template == NULL ? complain_about(name) : put_scenario(template, (guint)nodes, path);
}

static const AftCommand command = {
    .name = "init",
    .arguments = "[SYSTEM]",
    .summary = "Begin a scenario: a commented one to change",
    .more =
        "SYSTEM is vsan (unless said otherwise), nutanix, ceph or s2d. What comes out is a "
        "cluster\n"
        "of common hardware with a failure, ready to run, and says why each figure is what it is:\n"
        "published, set by default there, or a guess to measure.\n"
        "\n"
        "Example:\n"
        "  aftershock init ceph --nodes 5 -o my-cluster.yaml\n"
        "  aftershock run my-cluster.yaml",
    .run = init,
};

const AftCommand *aft_cmd_init(void)
{
    return &command;
}
