/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figures_parts.h - what figures are made of. */
#pragma once

#include "span.h"

#include <aftershock/probe/figures.h>
#include <aftershock/stats/packed.h>

enum { AFT_FIGURES_P50, AFT_FIGURES_P95, AFT_FIGURES_P99, AFT_FIGURES_PERCENTILES };

struct AftFigures {
    double length_s;
    guint flags;                                 /* of those that only I/O shows */
    AftHistogram *gathered[AFT_DIRECTIONS];      /* latencies of all that time, until it is over */
    AftPackedHistogram *latency[AFT_DIRECTIONS]; /* from then on */
    double waited_ns[AFT_DIRECTIONS];
    double bytes[AFT_DIRECTIONS];
    AftUse use[AFT_USES];
    double percentile_ms[AFT_DIRECTIONS][AFT_FIGURES_PERCENTILES]; /* once they are read */
};

/** Adds what was measured of @span, by what it stands for. */
void aft_figures_add(AftFigures *figures, const AftSpan *span);

/** Makes latencies and percentiles ready to be read, when all has been added. */
void aft_figures_finish(AftFigures *figures);
