/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.h - the parts of an explanation, and words that both its forms use. */
#pragma once

#include "lines.h"

#include <aftershock/bounds/bounds.h>

/** Three digits, whole from 1,000 on. Returns: (transfer full). */
char *aft_explain_figure(double value);

/** "small write": what a write of @workload's block is to a stripe. Returns: (transfer none). */
const char *aft_explain_write_name(const AftWorkloadBounds *workload);

/** "1,000 x 0.4 + 1,000 x 0.6 x 4 = 2,800 device I/Os a second"; for a closed workload per I/O.
 *  Returns: (transfer full). */
char *aft_explain_penalty(const AftWorkloadBounds *workload, AftClusterState state);

/** "controller", or what else @limit is with @bottleneck, for background work. Returns: (transfer
 *  none). */
const char *aft_explain_limit_name(AftLimitKind limit, AftScarce bottleneck);

/** Appends lines on what @workload, of @n_workloads, is and asks for. */
void aft_explain_append_workload(GString *out, const AftWorkloadBounds *workload, guint n_workloads,
                                 const AftTextStyle *style);

/** Appends what operations of @workload consist of, cost, and demand of stations. */
void aft_explain_append_tables(GString *out, const AftBounds *bounds,
                               const AftWorkloadBounds *workload, const AftTextStyle *style);

/** Appends lines on what @workload leaves in buffers, and how long these last. */
void aft_explain_append_buffers(GString *out, const AftWorkloadBounds *workload,
                                const AftTextStyle *style);

/** Appends lines on space, services, rebuilds and conversions of pools. */
void aft_explain_append_data(GString *out, const AftBounds *bounds, const AftTextStyle *style);
