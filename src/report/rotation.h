/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rotation.h - how far cells are off that were left out of the fit, beside the same cells fitted.
 */
#pragma once

#include <aftershock/calibrate/calibrate.h>
#include <aftershock/report/phases.h>

#include <json-glib/json-glib.h>

/** "48 cells, median 4.5 %, largest 21 %, 1 absent". Returns: (transfer full). */
char *aft_rotation_errors_text(const AftErrors *errors);

/** Appends a line for each fold and for each kind of figure. */
void aft_rotation_append_text(GString *out, const AftRotation *rotation, const AftTextStyle *style);

/** The same as tables of Markdown. */
void aft_rotation_append_markdown(GString *out, const AftRotation *rotation);

/** Adds the member @name, an object with `cells`, `absent`, `median` and `largest`. */
void aft_rotation_add_errors(JsonBuilder *json, const char *name, const AftErrors *errors);

/** Adds the member `rotation` of @calibration. */
void aft_rotation_add_json(JsonBuilder *json, const AftCalibration *calibration);
