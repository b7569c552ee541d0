/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_figures.h - figures of the points of a sweep, as a page's charts need them. */
#pragma once

#include "sweep_look.h"

/** A yield of a phase. */
typedef struct {
    guint phase, yield;
    double scale;    /* of the unit that tables have it in */
    GString *values; /* JSON: an array for each point: [] nothing, [mean] of one replication,
                        [n, mean, ci, least, ..., greatest] of more: each of up to 21 replications,
                        or 21 quantiles */
} AftSweptFigure;

/** Those that matter most, as many as fit. @points: AftSweptPoint that are shown; the figures are
 * of these. @ret_left_out: how many others there are. Returns: (transfer full) (nullable):
 * AftSweptFigure; NULL with AFT_ERROR_FILE. */
GArray *aft_swept_figures_new(AftStore *store, const AftSweptLook *look, const GArray *points,
                              guint *ret_left_out, GError **error);
