/* SPDX-License-Identifier: GPL-3.0-or-later */
/* metric.h - the figures of a result that can be compared: one row each.
 *
 *     iops  read_iops  write_iops             a second
 *     mean  read_mean  write_mean             seconds; mean: of reads and writes together
 *     read_p50  read_p95  read_p99  read_p995 seconds, and so for write_; p995: of 99.5 %
 *     read_response  write_response           mean seconds, with the wait as owed work
 *     mb_per_s  read_mb_per_s  write_mb_per_s bytes a second
 *     minutes                                 seconds that the phase lasted
 *     rebuild_rate  rebalance_rate  convert_rate  encode_rate  destage_rate  scrub_rate
 *                                             bytes a second while the phase lasted
 *     rebuild_bytes ...                       bytes moved in the phase
 *     controller_util  nic_util  cache_util  capacity_util
 *                                             shares
 *
 * and these of the whole result, whatever the phase:
 *
 *     stored_bytes                            bytes on the devices at the end
 *     saved_bytes  saved_share                that two copies would take beyond that, as bytes and
 *                                             as a share of what they would take
 *     freed_bytes                             bytes stored in the first interval of the trace less
 *                                             those at the end; NaN without a trace
 *     missed_minutes                          seconds that the requirement was missed
 */
#pragma once

#include <aftershock/base/units.h>
#include <aftershock/result/result.h>

/** A figure and half of its interval, in base units; NaN: there is none. */
typedef struct {
    double value, half_width;
} AftFigure;

typedef struct AftMetric AftMetric;

struct AftMetric {
    const char *name;
    AftUnit unit;   /* the quantity it is */
    gboolean whole; /* of the result, not of a phase */
    const char *help;
    AftFigure (*read)(const AftMetric *metric, const AftResult *result, const AftPhaseRow *row);
    gsize value, half_width; /* offsets of what it is read from, in the row or the result */
    double scale;            /* that times this is in base units */
};

/** All metrics, in the order above. Returns: (transfer none). */
const AftMetric *aft_metrics(guint *ret_n);

/** Returns: (transfer none) (nullable). */
const AftMetric *aft_metric_find(const char *name);

/** The metric of @result in the phase @row, which may be NULL if the metric is of the whole. */
AftFigure aft_metric_read(const AftMetric *metric, const AftResult *result, const AftPhaseRow *row);

/** The unit that figures of @metric are shown in unless told otherwise, as aft_units_parse() takes
 *  it behind a number: "ms". Returns: (transfer none). */
const char *aft_metric_unit(const AftMetric *metric);
