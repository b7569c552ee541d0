/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - sweeps from YAML files of `kind: sweep`.
 *
 * They are read as scenarios are (loader.h): to their end, with every problem at its place, within
 * the same limits. The base scenario is read too: every value must be one that it takes, and points
 * are made as far as time allows, all of them up to 256, else as many that lie evenly between them,
 * each with the draws of its first replication. One that could not run is told at the value that
 * makes it so.
 */
#pragma once

#include <aftershock/sweep/sweep.h>

/** Reads the sweep in the file at @path; the path of its base, and of files among its values,
 *  count from its folder. @messages takes texts to free with g_free(); those of a base that has
 *  errors come first, under its own name.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_FILE or AFT_ERROR_LIMIT when the file
 *  cannot be read, with AFT_ERROR_SYNTAX and how many errors there are when its text is wrong. */
AftSweep *aft_loader_load_sweep(const char *path, GPtrArray *messages, GError **error);

/** The same of @text (@bytes long, nothing need end it), called @name in messages. @base
 *  (nullable) is the text of the base scenario, so that its file is not looked at. */
AftSweep *aft_loader_load_sweep_text(const char *name, const char *text, gsize bytes,
                                     const char *base, GPtrArray *messages, GError **error);

/** What sets the key at @path anew at every point, or forgets it, so that no run uses what the base
 *  has there (which must be valid all the same): the path of an axis, "points", "seed" or
 *  "fidelity". Returns: (transfer none) (nullable): until the sweep is freed; NULL: some runs do.
 */
const char *aft_loader_sweep_setter(const AftSweep *sweep, const char *path);
