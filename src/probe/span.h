/* SPDX-License-Identifier: GPL-3.0-or-later */
/* span.h - a stretch of scenario time, and what was measured of it. */
#pragma once

#include <aftershock/probe/probe.h>
#include <aftershock/scenario/phase.h>
#include <aftershock/stats/histogram.h>

#include <math.h>

typedef enum { AFT_READ, AFT_WRITE, AFT_DIRECTIONS } AftDirection;

typedef struct {
    gint64 start_ns, end_ns; /* scenario time */
    AftPhase phase;
    guint flags;
    double measured_s;  /* of I/O whose statistics are here */
    double simulated_s; /* of I/O, warm-up included */

    /* Measured: to be weighted by what they stand for. */
    AftHistogram *latency[AFT_DIRECTIONS];
    double waited_ns[AFT_DIRECTIONS]; /* summed, as owed work */
    double bytes[AFT_DIRECTIONS];
    AftUse use[AFT_USES];

    /* Of the whole span. */
    double moved_bytes[AFT_TASKS];
    double destaged_bytes;
    double shed;
    AftMoment before, reached, after; /* reached: when all but what happens at its end was over */

    const AftFigures *figures; /* (nullable): it is remembered, and so are its latencies */
} AftSpan;

/** How many I/Os were measured, or are remembered, and what their latencies sum up to. */
double aft_span_ios(const AftSpan *span, AftDirection d);
double aft_span_latency_ns(const AftSpan *span, AftDirection d);

/** Adds their latencies to @histogram. */
void aft_span_add_latencies(const AftSpan *span, AftDirection d, double weight,
                            AftHistogram *histogram);

static inline double aft_span_length_s(const AftSpan *span)
{
    return (double)(span->end_ns - span->start_ns) / 1e9;
}

/** What a measured second stands for. */
static inline double aft_span_weight(const AftSpan *span)
{
    return span->measured_s > 0.0 ? aft_span_length_s(span) / span->measured_s : 0.0;
}

/** The share of what they could that parts were busy; NaN where there are none. */
static inline double aft_use_share(const AftUse *use)
{
    return use->capable_ns > 0.0 ? use->busy_ns / use->capable_ns : NAN;
}
