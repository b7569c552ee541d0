/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_parts.h - what the page of a sweep is put together from. */
#pragma once

#include "sweep_figures.h"

#include <aftershock/sweep/tables.h>

/** A sweep, as far as a page shows it. */
typedef struct {
    AftStore *store;
    const AftSweptLook *look;
    const GPtrArray *ranking; /* AftRanked */
    const GArray *shown;      /* AftSweptPoint: those of the look that charts have */
    const GArray *figures;    /* AftSweptFigure */
    guint left_out;           /* figures */
    const GArray *indices;    /* AftSweptIndex */
} AftSweptPage;

/** How much a figure is moved by an axis: a row of indices.csv. */
typedef struct {
    char *phase, *metric, *axis;
    double first, first_ci, total, total_ci;
} AftSweptIndex;

/** Returns: (transfer full) (nullable): AftSweptIndex, none unless the design is Sobol's; NULL with
 *  AFT_ERROR_FILE. */
GArray *aft_swept_indices_new(AftStore *store, GError **error);

/** Which points hold the requirement, what failed, and what is best. */
void aft_swept_append_verdict(GString *html, const AftSweptPage *page);

/** The ranking, and in how many of their replications points held. */
void aft_swept_append_ranking(GString *html, const AftSweptPage *page);

/** What the charts show, as JSON in which no "<" stands. Returns: (transfer full). */
char *aft_swept_data(const AftSweptPage *page);
