/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gnuplot_parts.h - what the picture of a run is made of. */
#pragma once

#include "out.h"

#include <aftershock/export/export.h>

#define AFT_GNUPLOT_SCRIPT "timeline.gp"
#define AFT_GNUPLOT_TRACE  "timeline.csv"
#define AFT_GNUPLOT_EVENTS "timeline-events.tsv"

/* Of the picture, as shares of it. */
#define AFT_GNUPLOT_LEFT  0.075
#define AFT_GNUPLOT_RIGHT 0.85

#define AFT_GNUPLOT_WIDTH 1280 /* pixels */

/** What times of the trace are divided by in the picture, and what they are in then. */
typedef struct {
    const char *name; /* "min" */
    double seconds;
} AftTimeUnit;

AftTimeUnit aft_gnuplot_time_unit(double end_s);

/** Phases as bands behind all panels, and their names above the first, where there is room. */
void aft_gnuplot_bands(const AftExport *export, AftOut *out);
void aft_gnuplot_band_names(const AftExport *export, AftOut *out);

/** Events as lines across all panels. */
void aft_gnuplot_marks(const AftExport *export, AftOut *out);

/** How many rows the texts of events take. */
guint aft_gnuplot_event_rows(const AftExport *export);

/** The file of events: time, row of the text, text, with tabs between them, which gnuplot keeps
 *  apart from what is in a text. */
void aft_gnuplot_events(const AftExport *export, AftOut *out);
