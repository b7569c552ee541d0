/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_builder.h - adds spans up to rows of trace.csv, one an interval.
 *
 * A span lies across rows as it likes; each row takes its part of it. What is a state (owed work,
 * members missing) is read on the straight line between the span's ends.
 */
#pragma once

#include "span.h"

#include <aftershock/result/result.h>

typedef struct AftTraceBuilder AftTraceBuilder;

/** Appends rows to @result (borrowed). Returns: (transfer full). */
AftTraceBuilder *aft_trace_builder_new(const AftScenario *scenario, AftResult *result);

void aft_trace_builder_free(AftTraceBuilder *builder);

/** Adds @span, which begins where the last one ended, if there was one. */
void aft_trace_builder_add(AftTraceBuilder *builder, const AftSpan *span);

/** Appends the last row, if it has begun. */
void aft_trace_builder_finish(AftTraceBuilder *builder);
