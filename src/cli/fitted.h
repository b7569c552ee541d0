/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fitted.h - what a calibration leaves in a directory: calibration.json, and LABEL.yaml for each
 * configuration, its scenario with the fitted values in the text. */
#pragma once

#include "batch.h"

#include <aftershock/calibrate/calibrate.h>

/** Whether the scenarios of @jobs may be written to @directory, each to a file of its own in it
 *  that is none of those they come from, nor the @reference.
 *  Returns: FALSE with AFT_ERROR_FILE that says what is in the way. */
gboolean aft_fitted_may_write(const GPtrArray *jobs, const char *reference, const char *directory,
                              GError **error);

/** The names of all the files that aft_fitted_write() writes. Returns: (transfer full):
 *  NULL-terminated. */
GPtrArray *aft_fitted_names(const GPtrArray *jobs);

/** Those of @settings ("path=value", NULL-terminated) whose keys the scenario of @job has.
 *  Returns: (transfer full). */
char **aft_fitted_settings_of(const AftJob *job, const char *const *settings);

/** Writes all of @calibration, of @jobs (AftJob), or nothing, and says what of it the texts cannot
 *  hold.
 *  Returns: FALSE after a complaint. */
gboolean aft_fitted_write(const AftCalibration *calibration, const GPtrArray *jobs,
                          const char *directory);
