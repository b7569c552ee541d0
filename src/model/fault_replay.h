/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fault_replay.h - failures as a file tells them: row by row, in memory that does not grow. */
#pragma once

#include <aftershock/model/model.h>

typedef struct AftFaultReplay AftFaultReplay;

/** Lets parts of @model (borrowed) fail and return as the file at @path says. A part that fails
 *  again while it is down, or returns while it is up, is passed over. Returns: (transfer full). */
AftFaultReplay *aft_fault_replay_new(AftModel *model, const char *path);

void aft_fault_replay_free(AftFaultReplay *replay);

/** Whether rows are still to come. */
gboolean aft_fault_replay_waits(const AftFaultReplay *replay);

/** What is wrong with the file, as far as it was read. Returns: (transfer none) (nullable). */
const GError *aft_fault_replay_error(const AftFaultReplay *replay);
