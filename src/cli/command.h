/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - the commands, and what the program tells its caller.
 *
 * Each command is one file with one function: it takes its own arguments (argv[0] is its name),
 * talks on stderr, puts results on stdout, and returns the exit status.
 */
#pragma once

#include <glib.h>

typedef enum {
    AFT_EXIT_FINE = 0,
    AFT_EXIT_MISSED = 1,        /* compared and out of tolerance, or the requirement not met */
    AFT_EXIT_USAGE = 2,         /* wrong usage or bad input */
    AFT_EXIT_UNFINISHED = 3,    /* could not finish */
    AFT_EXIT_INTERRUPTED = 130, /* by a signal; files are complete up to then */
    AFT_EXIT_NOT_YET = -1       /* nothing has ended the program so far */
} AftExit;

typedef struct {
    const char *name;
    const char *arguments; /* "SCENARIO" */
    const char *summary;   /* one line */
    const char *more;      /* what --help says below the options: how it is used, an example */
    AftExit (*run)(int argc, char **argv);
} AftCommand;

/** The commands. Returns: (transfer none): each describes itself. */
const AftCommand *aft_cmd_calibrate(void);
const AftCommand *aft_cmd_check(void);
const AftCommand *aft_cmd_compare(void);
const AftCommand *aft_cmd_explain(void);
const AftCommand *aft_cmd_export(void);
const AftCommand *aft_cmd_import(void);
const AftCommand *aft_cmd_init(void);
const AftCommand *aft_cmd_list(void);
const AftCommand *aft_cmd_merge(void);
const AftCommand *aft_cmd_report(void);
const AftCommand *aft_cmd_run(void);
const AftCommand *aft_cmd_schema(void);
const AftCommand *aft_cmd_size(void);
const AftCommand *aft_cmd_sweep(void);
