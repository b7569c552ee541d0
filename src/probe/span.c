/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "span.h"

#include "figures_parts.h"

double aft_span_ios(const AftSpan *span, AftDirection d)
{
    return span->figures != NULL ? span->figures->latency[d]->count : span->latency[d]->count;
}

double aft_span_latency_ns(const AftSpan *span, AftDirection d)
{
    return span->figures != NULL ? span->figures->latency[d]->sum_ns : span->latency[d]->sum_ns;
}

void aft_span_add_latencies(const AftSpan *span, AftDirection d, double weight,
                            AftHistogram *histogram)
{
    if (span->figures != NULL) {
        aft_histogram_add_packed(histogram, span->figures->latency[d], weight);
    } else {
        aft_histogram_add(histogram, span->latency[d], weight);
    }
}
