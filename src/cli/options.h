/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h - command lines: GLib's options, and help that comes with an example. */
#pragma once

#include "command.h"

/** What --fidelity says of itself. */
#define AFT_FIDELITY_HELP                                                                     \
    "io: simulate every I/O; sampled: windows, and skips between them; flow: rates of every " \
    "state, measured once"

/** Takes the options of @entries (NULL-terminated) and --help out of @argv, which keeps argv[0] and
 *  what is left, and moves @argc along. Help goes to stdout, complaints with a hint to stderr.
 *  Returns: AFT_EXIT_NOT_YET when the command should go on, else the status to end with. */
AftExit aft_options_parse(const AftCommand *command, const GOptionEntry *entries, int *argc,
                          char ***argv);

/** How many runs to do at a time as --jobs says, 1 to 1024: @text, or if that is NULL, as many as
 *  there are cores. Returns: AFT_EXIT_NOT_YET, else the status to end with, after a complaint. */
AftExit aft_options_read_jobs(const AftCommand *command, const char *text, guint *ret_jobs);

/** Complains about wrong usage of @command on stderr. Returns: AFT_EXIT_USAGE. */
AftExit aft_options_complain(const AftCommand *command, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/** Whether each of @settings (NULL-terminated, nullable) is "PATH=VALUE", as --set takes them.
 *  Returns: AFT_EXIT_NOT_YET, else the status to end with, after a complaint. */
AftExit aft_options_check_settings(const AftCommand *command, char **settings);

/** Whether files called @names (NULL-terminated) could be placed in @directory, which -o says; to
 * be asked before they are worked for. Returns: AFT_EXIT_NOT_YET, else the status to end with,
 * after a complaint: the command line is wrong about the directory, or a file cannot be written. */
AftExit aft_options_check_output(const AftCommand *command, const char *directory,
                                 const char *const *names);

/** @settings (nullable), then @seed and @fidelity (nullable) as settings.
 *  Returns: (transfer full): "path=value" texts, NULL at the end. */
GPtrArray *aft_options_settings(char **settings, const char *seed, const char *fidelity);

/** Settings @first and then @second, NULL-terminated as they are. Returns: (transfer container). */
GPtrArray *aft_options_join(char **first, const char *const *second);
