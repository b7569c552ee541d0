/* SPDX-License-Identifier: GPL-3.0-or-later */
/* openmetrics_parts.h - tables of what becomes which series, and what their writers share. */
#pragma once

#include "samples.h"

#include <aftershock/export/export.h>

#define AFT_FAMILY_COLUMNS 6

/* A double of a row, and what tells its series from the others of the family. */
typedef struct {
    gsize offset;             /* 0, where no row has a figure: there are no more columns */
    const char *label, *text; /* NULL: nothing */
    const char *quantile;     /* (nullable) */
} AftFamilyColumn;

/** Columns of rows that are a @type. */
#define AFT_FAMILY_PLAIN(type, member)                  \
    {                                                   \
        G_STRUCT_OFFSET(type, member), NULL, NULL, NULL \
    }
#define AFT_FAMILY_NAMED(type, member, label, text)      \
    {                                                    \
        G_STRUCT_OFFSET(type, member), label, text, NULL \
    }

typedef struct {
    AftFamily family;
    double scale;    /* a cell times this is in the unit */
    gboolean at_end; /* it tells of the end of the interval, not of the time since its start */
    AftFamilyColumn columns[AFT_FAMILY_COLUMNS];
} AftMetricFamily;

/** How many columns there are. */
guint aft_family_columns(const AftMetricFamily *family);

/** What @column of @row is in the unit; NaN: nothing. */
double aft_family_cell(const AftMetricFamily *family, const AftFamilyColumn *column,
                       gconstpointer row);

/** Whether any of @rows, an array, has a value in @column. */
gboolean aft_family_occur(const AftMetricFamily *family, const AftFamilyColumn *column,
                          const GArray *rows);

/** Appends the labels of @column. */
void aft_family_label(const AftFamilyColumn *column, GString *labels);

/** Labels that all series have. Returns: (transfer full). */
GString *aft_openmetrics_labels(const AftExport *export);

/** When @time_s of the run is, in milliseconds since 1970. */
gint64 aft_openmetrics_ms(const AftExport *export, double time_s);

/** What happened: a sample at its time. */
void aft_openmetrics_events(const AftExport *export, AftOut *out);

/** Phases at their end, and the run at its. */
void aft_openmetrics_summary(const AftExport *export, AftOut *out);
