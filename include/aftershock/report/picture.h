/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture.h - what a picture of results shows, as plain values: words, bands, lines and tables. It
 * is what the HTML page says, and who draws it only has to find places.
 *
 * One result has a line for each figure of a chart; of several, each has a line, of one figure a
 * chart. Long traces are thinned (thin.c). Texts are UTF-8 of bounded length, and only texts.
 */
#pragma once

#include <aftershock/report/table.h>
#include <aftershock/result/result.h>

/** A stretch of time that has a name. */
typedef struct {
    AftPhase phase;
    double from_s, to_s;
} AftBand;

/** A moment that has a name. */
typedef struct {
    double time_s;
    char *text;   /* "fail node 2" */
    guint weight; /* 0 matters most: its text finds room first */
} AftEventMark;

/** What one of the results says by itself. */
typedef struct {
    char *label;
    char *verdict;
    AftTint verdict_tint;
    GArray *bands;    /* AftBand, in the order of time */
    GArray *marks;    /* AftEventMark, likewise */
    GPtrArray *notes; /* AftNote */
    AftGrid *phases;  /* (nullable): the table of phases; NULL without any */
} AftPictureResult;

typedef struct {
    char *name;   /* the figure's; of several results, the result's label */
    guint number; /* which colour and dashes; those of a result are the same in all charts */
    guint n;
    double *time_s, *values; /* @n each, in the order of time; a value that is NaN is a gap */
} AftPictureLine;

typedef struct {
    char *title;      /* "Read latency"; of several results, "Read latency, mean" */
    const char *unit; /* of all values, static */
    gboolean mean;    /* what is required is a mean, among others */
    gboolean log;     /* a logarithmic axis makes sense */
    double required;  /* 0: nothing */
    guint choice;     /* of the figures that the chart could show; 0 is the first */
    GArray *lines;    /* AftPictureLine */
} AftPictureChart;

typedef struct {
    char *title;
    char *origin;       /* "Aftershock 0.1.0, seed 1, fidelity sampled" */
    double end_s;       /* of the time axis; 0: there is nothing to draw */
    GPtrArray *results; /* AftPictureResult, 1 or more */
    GPtrArray *charts;  /* AftPictureChart, from top to bottom, each by its choices */
    GPtrArray *beside;  /* AftGrid: phases of several results beside each other, of a few each */
    GPtrArray *remarks; /* char *: what a reader might take for a fault of the picture */
} AftPicture;

/** The picture of the @n results, told apart by their labels. It does not need them any more.
 *  Returns: (transfer full) (nullable): NULL with AFT_ERROR_RANGE unless @n is 1 to AFT_PAGE_MOST.
 */
AftPicture *aft_picture_new(const AftResult *const *results, guint n, GError **error);

void aft_picture_free(AftPicture *picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftPicture, aft_picture_free)
