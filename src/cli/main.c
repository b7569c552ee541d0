/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "terminal.h"

#include <aftershock/scenario/nearest.h>

#include <gsl/gsl_errno.h>
#include <locale.h>
#include <signal.h>

typedef const AftCommand *(*CommandGetter)(void);

static const CommandGetter commands[] = {
    aft_cmd_init,   aft_cmd_run,     aft_cmd_explain, aft_cmd_sweep,     aft_cmd_merge,
    aft_cmd_size,   aft_cmd_compare, aft_cmd_report,  aft_cmd_calibrate, aft_cmd_import,
    aft_cmd_export, aft_cmd_check,   aft_cmd_list,    aft_cmd_schema,
};

static const AftCommand *find_command(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        if (g_str_equal(commands[i]()->name, name)) {
            return commands[i]();
        }
    }
    return NULL;
}

/* Returns: (transfer full). */
static char *overview(void)
{
    GString *text = g_string_new(
        "What happens to a storage cluster, and to the people using it, when something breaks.\n\n"
        "Usage:\n  aftershock COMMAND [OPTION...]\n\nCommands:\n");
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_string_append_printf(text, "  %-9s  %-13s  %s\n", commands[i]()->name,
                               commands[i]()->arguments, commands[i]()->summary);
    }
    g_string_append(text,
                    "\nBegin with:\n"
                    "  aftershock list scenarios\n"
                    "  aftershock run wwt-raid5\n\n"
                    "\"aftershock COMMAND --help\" tells more; --version tells the version.\n");
    return g_string_free(text, FALSE);
}

static AftExit complain_about(const char *word)
{
    const char *names[G_N_ELEMENTS(commands) + 2] = {"--help", "--version"};
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        names[i + 2] = commands[i]()->name;
    }
    const char *meant = aft_nearest(word, names, G_N_ELEMENTS(names));
    aft_say("aftershock: there is no %s \"%s\"", *word == '-' ? "option" : "command", word);
    if (meant != NULL) {
        aft_say("; did you mean \"%s\"?", meant);
    }
    aft_say("\nTry \"aftershock --help\".\n");
    return AFT_EXIT_USAGE;
}

static AftExit dispatch(int argc, char **argv)
{
    g_autofree char *help = overview();
    if (argc < 2) {
        aft_say("%s", help);
        return AFT_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (g_str_equal(word, "--help") || g_str_equal(word, "-h") || g_str_equal(word, "help")) {
        return aft_print("%s", help);
    }
    if (g_str_equal(word, "--version")) {
        return aft_print("aftershock " AFT_VERSION "\n");
    }
    const AftCommand *command = find_command(word);
    return command != NULL ? command->run(argc - 1, argv + 1) : complain_about(word);
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");  /* characters only: numbers read and write the same everywhere */
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
    gsl_set_error_handler_off();
    return (int)dispatch(argc, argv);
}
