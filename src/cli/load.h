/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.h - scenarios, references and sweeps by file, by shipped name, or from standard input, every
 * problem told on stderr. */
#pragma once

#include <aftershock/reference/reference.h>
#include <aftershock/scenario/scenario.h>
#include <aftershock/sweep/sweep.h>

/** The file @name means: itself, standard input if it is "-", or else the shipped scenario of that
 *  name. It is for the functions below to read.
 *  Returns: (transfer full) (nullable): NULL after a complaint on stderr. */
char *aft_find_scenario(const char *name);

/** Loads and resolves the scenario in @file; @settings (nullable, NULL-terminated) are
 *  "path=value" texts that go over what it says. Problems and warnings go to stderr.
 *  Returns: (transfer full) (nullable): NULL when there was an error. */
AftScenario *aft_load_scenario(const char *file, const char *const *settings);

/** The same, with @messages and @error as aft_loader_load_file() has them. */
AftScenario *aft_read_scenario(const char *file, const char *const *settings, GPtrArray *messages,
                               GError **error);

/** The same, silently: for scenarios that differ from one that is known, by any thread. Returns:
 *  (transfer full) (nullable): NULL with @error, which tells the first problem: "path: what". */
AftScenario *aft_make_scenario(const char *file, const char *const *settings, GError **error);

/** The same of references: what @name means, and what is in @file. */
char *aft_find_reference(const char *name);
AftReference *aft_load_reference(const char *file);

/** The same of sweeps. */
char *aft_find_sweep(const char *name);
AftSweep *aft_load_sweep(const char *file);

/** Whether @file says that it is of @kind ("reference"). */
gboolean aft_file_is_kind(const char *file, const char *kind);

/** The text of @file with @settings in it: see aft_loader_edit_file(). */
char *aft_edit_scenario(const char *file, const char *const *settings, GPtrArray *unwritten,
                        GError **error);

/** What a result of @file is called unless told otherwise: its name without folder and suffix.
 *  Returns: (transfer full). */
char *aft_file_label(const char *file);
