/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inputs.h - what the words of a command line mean that name things to compare. */
#pragma once

#include "batch.h"
#include "command.h"

#include <aftershock/reference/reference.h>

/** Adds to @jobs what @word means: a directory with a result, a scenario (a file, or a shipped
 *  one), or the label of a configuration of @reference (nullable); "LABEL=" in front of it gives it
 *  that label. @settings ("path=value", NULL-terminated) go over what scenarios say.
 *  Returns: whether it was any of these; else it was complained about on stderr. */
gboolean aft_inputs_add(GPtrArray *jobs, const AftReference *reference, const char *word,
                        char **settings);

/** Adds the scenarios of all configurations of @reference. Returns: whether all are fine. */
gboolean aft_inputs_add_all(GPtrArray *jobs, const AftReference *reference, char **settings);

/** Whether no two of @jobs are called the same; complains if they are. */
gboolean aft_inputs_differ(const AftCommand *command, const GPtrArray *jobs);

/** Whether a cell of @reference is about the configuration called @label; says so if not. */
gboolean aft_inputs_known(const AftReference *reference, const char *label);
