/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scenario_target.h - scenarios as what a document is read into. */
#pragma once

#include "document.h"

/** The data of the target. */
typedef struct {
    AftScenario *scenario;
    const char *name; /* of the text: paths of files count from its folder */
} AftScenarioReading;

extern const AftDocumentTarget aft_scenario_target;

/** @path with every index that may be left out. Returns: (transfer full). */
char *aft_scenario_full_path(const char *path);
