/* SPDX-License-Identifier: GPL-3.0-or-later */
/* notes.h - what is worth a line below a result's table: requirement, losses, moved bytes, space,
 * intervals that stayed wide, and how much was simulated. */
#pragma once

#include <aftershock/report/table.h>
#include <aftershock/result/result.h>

/** Returns: (transfer full): AftNote elements, in the order to show them. */
GPtrArray *aft_notes_new(const AftResult *result);
