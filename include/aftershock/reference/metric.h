/* SPDX-License-Identifier: GPL-3.0-or-later */
/* metric.h - the figures of a result that can be compared: one row each.
 *
 *     iops  read_iops  write_iops             a second
 *     read_mean  read_p50  read_p95 ...       seconds, and so for write_; mean: of all I/Os
 *     read_mb_per_s  write_mb_per_s           bytes a second
 *     minutes                                 seconds that the phase lasted
 *     rebuild_rate  rebalance_rate  convert_rate  encode_rate  destage_rate  scrub_rate
 *                                             bytes a second while the phase lasted
 *     rebuild_bytes ...                       bytes moved in the phase
 *     stored_bytes  saved_bytes               of the whole result, whatever the phase
 *     controller_util ...                     shares
 */
#pragma once

#include <aftershock/base/units.h>
#include <aftershock/result/result.h>

/** A figure and half of its interval, in base units; NaN: there is none. */
typedef struct {
    double value, half_width;
} AftFigure;

typedef struct {
    const char *name;
    AftUnit unit;   /* the quantity it is */
    gboolean whole; /* of the result, not of a phase */
    const char *help;
    AftFigure (*read)(const AftResult *result, const AftPhaseRow *row); /* row: NULL if whole */
} AftMetric;

/** All metrics, in the order above. Returns: (transfer none). */
const AftMetric *aft_metrics(guint *ret_n);

/** Returns: (transfer none) (nullable). */
const AftMetric *aft_metric_find(const char *name);
