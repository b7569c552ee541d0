/* SPDX-License-Identifier: GPL-3.0-or-later */
/* what_if.h - a scenario in which one chosen part fails instead of what failed in it.
 *
 *     aft_what_if_no_faults(scenario);
 *     aft_what_if_fails(scenario, &part, at_ns, AFT_WHAT_IF_NEVER);
 *
 * Scenarios are resolved, and stay so; no key of them is to be set afterwards.
 */
#pragma once

#include <aftershock/scenario/scenario.h>

#define AFT_WHAT_IF_NEVER G_MAXINT64

/** All parts of @kind (node, controller, device, cache, group or rack) that are there at the start,
 *  in the order in which they are counted. Returns: (transfer full): AftPart elements. */
GArray *aft_what_if_parts(const AftScenario *scenario, AftPartKind kind);

/** When the timeline of @scenario first lets a part fail; AFT_WHAT_IF_NEVER: it does not. */
gint64 aft_what_if_first_failure(const AftScenario *scenario);

/** Takes from the timeline what fails, is restored, slow or corrupt, and all of `faults`. What is
 *  done on purpose stays. */
void aft_what_if_no_faults(AftScenario *scenario);

/** Lets @part fail at @at_ns and come back at @restore_ns, which is later, or never. */
void aft_what_if_fails(AftScenario *scenario, const AftPart *part, gint64 at_ns, gint64 restore_ns);
