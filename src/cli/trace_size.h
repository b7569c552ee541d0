/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_size.h - whether the trace of a run will be huge, told before the run. */
#pragma once

#include <aftershock/scenario/scenario.h>

/** Warns on stderr, for @command, when the trace of @scenario may have so many rows that memory and
 *  (@written) files grow large, and says how to have fewer. */
void aft_trace_size_warn(const char *command, const AftScenario *scenario, gboolean written);
