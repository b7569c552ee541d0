/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figures_parts.h"

AftFigures *aft_figures_new(void)
{
    AftFigures *figures = g_new0(AftFigures, 1);
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        figures->gathered[d] = aft_histogram_new();
    }
    return figures;
}

void aft_figures_free(AftFigures *figures)
{
    if (figures != NULL) {
        for (guint d = 0; d < AFT_DIRECTIONS; d++) {
            aft_histogram_free(figures->gathered[d]);
            aft_packed_free(figures->latency[d]);
        }
        g_free(figures);
    }
}

void aft_figures_set_iops(AftFigures *figures, double iops)
{
    double ios = figures->latency[AFT_READ]->count + figures->latency[AFT_WRITE]->count;
    figures->length_s = ios > 0.0 && iops > 0.0 ? ios / iops : figures->length_s;
}

void aft_figures_add(AftFigures *figures, const AftSpan *span)
{
    double weight = aft_span_weight(span);
    figures->length_s += aft_span_length_s(span);
    figures->flags |= span->flags & AFT_FLAG_BUFFER_FULL;
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        aft_histogram_add(figures->gathered[d], span->latency[d], weight);
        figures->waited_ns[d] += weight * span->waited_ns[d];
        figures->bytes[d] += weight * span->bytes[d];
    }
    for (guint use = 0; use < AFT_USES; use++) {
        figures->use[use].busy_ns += weight * span->use[use].busy_ns;
        figures->use[use].capable_ns += weight * span->use[use].capable_ns;
    }
}

void aft_figures_finish(AftFigures *figures)
{
    static const double percentiles[] = {0.50, 0.95, 0.99};
    for (guint d = 0; d < AFT_DIRECTIONS; d++) {
        for (guint p = 0; p < AFT_FIGURES_PERCENTILES; p++) {
            figures->percentile_ms[d][p] =
                aft_histogram_quantile(figures->gathered[d], percentiles[p]) / 1e6;
        }
        figures->latency[d] = aft_histogram_pack(figures->gathered[d]);
        g_clear_pointer(&figures->gathered[d], aft_histogram_free);
    }
}
