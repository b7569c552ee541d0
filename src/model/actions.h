/* SPDX-License-Identifier: GPL-3.0-or-later */
/* actions.h - what the timeline starts, stops and corrupts: one function for each of these verbs.
 */
#pragma once

#include <aftershock/model/model.h>

/** Starts, or stops, the workload, task or mode that @action names. */
void aft_action_start(AftModel *model, const AftAction *action);
void aft_action_stop(AftModel *model, const AftAction *action);

/** Spoils sectors of the device that @action names. */
void aft_action_corrupt(AftModel *model, const AftAction *action);
