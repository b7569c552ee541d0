/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figures.h - what spans of I/O came to, to be remembered: latencies, bytes, how busy parts were.
 *
 * Spans are added up by what they stand for. The sum can stand for other times in which the cluster
 * is in the same state: see aft_probe_recall().
 */
#pragma once

#include <aftershock/probe/probe.h>

/** Returns: (transfer full): of nothing yet. */
AftFigures *aft_figures_new(void);

void aft_figures_free(AftFigures *figures);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftFigures, aft_figures_free)

/** So many I/Os a second there would have been without chance: the time is as long as theirs. */
void aft_figures_set_iops(AftFigures *figures, double iops);
