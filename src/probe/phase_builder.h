/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phase_builder.h - adds spans up to one row of phases.csv, with intervals. */
#pragma once

#include "span.h"

#include <aftershock/probe/probe.h>

typedef struct AftPhaseBuilder AftPhaseBuilder;

/** Returns: (transfer full): an empty phase. */
AftPhaseBuilder *aft_phase_builder_new(const AftScenario *scenario);

void aft_phase_builder_free(AftPhaseBuilder *builder);

/** Empties it: a phase @phase begins at @start_ns. */
void aft_phase_builder_begin(AftPhaseBuilder *builder, AftPhase phase, gint64 start_ns);

void aft_phase_builder_add(AftPhaseBuilder *builder, const AftSpan *span);

/** Fills @ret_row, which ends at @end_ns. Its missed_s is left NaN: the trace knows.
 *  Returns: what it missed of the requirement, as AftMissed bits. */
guint aft_phase_builder_finish(AftPhaseBuilder *builder, gint64 end_ns, AftPhaseRow *ret_row);

/** Appends its latencies, AftLatencyRow. */
void aft_phase_builder_append_latency(const AftPhaseBuilder *builder, GArray *latency);

/** How sure its means are. */
AftPrecision aft_phase_builder_precision(const AftPhaseBuilder *builder);
