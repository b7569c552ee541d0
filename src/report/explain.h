/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.h - words that both forms of an explanation use. */
#pragma once

#include <aftershock/bounds/bounds.h>

/** "small write": what a write of @workload's block is to a stripe. Returns: (transfer none). */
const char *aft_explain_write_name(const AftWorkloadBounds *workload);

/** "1,000 x 0.4 + 1,000 x 0.6 x 4 = 2,800 device I/Os a second"; for a closed workload per I/O.
 *  Returns: (transfer full). */
char *aft_explain_penalty(const AftWorkloadBounds *workload, AftClusterState state);
