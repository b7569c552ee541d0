/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charts.h - which charts a report has, and which columns of the trace are in them: one table for
 * the page, whose script gets it as JSON, and for pictures. */
#pragma once

#include <glib.h>

/** Units of a quantity: what one of them is worth in the numbers of the trace, smallest first. */
typedef struct {
    double worth;
    const char *name; /* NULL: the end */
} AftChartUnit;

typedef struct {
    const char *name;
    AftChartUnit units[7];
} AftQuantity;

/** A line: columns that add up, or whose greatest counts. */
typedef struct {
    const char *name; /* NULL: the end */
    gboolean most;
    const char *columns[6]; /* of the trace; NULL: the end */
} AftChartFigure;

typedef struct {
    const char *title;
    const char *quantity;
    struct {
        const char *name; /* (nullable) */
        gsize offset;     /* of the member of AftResult */
    } required;
    gboolean log;               /* a logarithmic axis makes sense */
    gboolean at_end;            /* counted at the end of an interval, not all along it */
    gboolean changing;          /* not worth a chart unless it changes */
    AftChartFigure figures[7];  /* of one result, a line each */
    AftChartFigure overlaid[7]; /* of several, one at a time, a line a result; none: those above */
} AftChart;

/** The charts from top to bottom. Returns: (transfer none). */
const AftChart *aft_charts(guint *ret_n);

/** Whether a column of the trace is in any chart. */
gboolean aft_chart_shows(const char *column);

/** What a chart of several results can show; the first is what it does at first.
 *  Returns: (transfer none). */
const AftChartFigure *aft_chart_overlaid(const AftChart *chart);

/** Returns: (transfer none). */
const AftQuantity *aft_quantities(guint *ret_n);

/** The largest unit of @quantity that leaves @greatest some digits. */
const AftChartUnit *aft_chart_unit(const char *quantity, double greatest);

/** Beginnings of the names of events that matter most, NULL at the end. Returns: (transfer none).
 */
const char *const *aft_chart_grave(void);
