/* SPDX-License-Identifier: GPL-3.0-or-later */
/* failures.h - what `run --each-failure` does. */
#pragma once

#include "command.h"

#include <aftershock/scenario/scenario.h>

/** What there is of it in the folder that -o says. */
#define AFT_FAILURES_NAME "failures.csv"

/** Texts of options, as they were given. */
typedef struct {
    const char *part;    /* "node", "disk", "cache" or "rack" */
    const char *at;      /* (nullable), as are the next */
    const char *restore; /* NULL: it never comes back */
    const char *jobs;
    const char *format;
    gboolean require;
    const char *directory; /* (nullable) */
} AftFailuresOptions;

/** Lets each part of @scenario, which is what @file with @settings (NULL-terminated) says, fail as
 *  @options say, for @command; writes AFT_FAILURES_NAME and prints the table.
 *  Returns: the status to end with. */
AftExit aft_failures_run(const AftCommand *command, const AftFailuresOptions *options,
                         const AftScenario *scenario, const char *file,
                         const char *const *settings);
