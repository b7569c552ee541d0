/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow.h - customers that visit stations, and how what becomes of them compares with a formula.
 *
 * A flow sends customers of one class along a route of stations, or to all of them at once: from
 * outside, in a Poisson stream, or in a circle, where so many customers pause, are served and
 * pause again.
 * A measurement cuts the run into slices, each far longer than the system remembers its past,
 * and what happened in them becomes batch means:
 *
 *     g_auto(Flow) flow;
 *     flow_init(&flow, engine, "M/M/1", 0);
 *     flow_visit(&flow, station, 1.0);
 *     flow_open(&flow, 0.8);
 *     flows_measure(&flow, 1, 1e6);
 *     expect("W", &flow.found.response, 5.0);
 */
#pragma once

#include "test.h"
#include <aftershock/station/station.h>
#include <aftershock/stats/batches.h>
#include <aftershock/stats/histogram.h>

#define UNIT_NS     1000000 /* what the formulas call 1; whole ns cost less than 1e-6 of it */
#define SLICES      64
#define VISITS_MOST 3

typedef struct {
    AftStation *station;
    double mean; /* of its service, units */
} Visit;

/** The 95th and 99th percentile of one quantity, and how sure they are by those of the slices. */
typedef struct {
    AftHistogram *slice; /* (owned): of this slice */
    AftHistogram *whole; /* (owned): of all slices */
    AftBatches p95, p99; /* of each slice */
} Quantiles;

typedef struct Customer Customer;

typedef struct {
    AftEngine *engine; /* borrowed, as are stations, variate and quantiles */
    Visit route[VISITS_MOST];
    guint n_visits;

    /* Set by the test, all zero at first. */
    guint class;
    const AftVariate *service; /* (nullable): spreads services in place of the stations', which
                                  are deterministic, where classes spread differently */
    gboolean forks;            /* visits all stations at once, and leaves when all are done */
    guint room;                /* customers the first station holds at most; 0: any number */
    guint crowd;               /* more customers inside than this are a crowd */
    double late;               /* who waits longer is late, units */
    Quantiles *responses;      /* (nullable): of response times */
    Quantiles *waits;          /* (nullable): of times of waiting */

    struct {
        AftBatches rate;                  /* customers that left, a unit */
        AftBatches number;                /* customers at the stations */
        AftBatches response, wait;        /* means over those that left, units */
        AftBatches waited, late, refused; /* shares of customers */
        AftBatches crowded;               /* share of time */
    } found;

    struct {
        double arrived, refused, left, waited, late; /* customers */
        double response, wait;                       /* sums over those that left, units */
        gint64 crowded_ns;
    } slice;
    guint inside;     /* customers from entering to leaving */
    gint64 since_ns;  /* when @inside last changed, or the slice began */
    gint64 number_ns; /* time integral of the customers at the stations, before the slice */

    gboolean is_closed;
    double pause; /* mean time from arrival to arrival, or between two rounds, units */
    AftStream pauses, services;
    GPtrArray *customers; /* (owned): all there are */
    Customer *idle;       /* those outside an open flow, by next */
} Flow;

/** Makes an empty flow; @name and @index tell its chance from that of others. */
void flow_init(Flow *flow, AftEngine *engine, const char *name, guint32 index);

void flow_clear(Flow *flow);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Flow, flow_clear)

/** Adds a visit to the end of the route. */
void flow_visit(Flow *flow, AftStation *station, double mean);

/** Lets customers come from outside, @rate a unit, from now on. */
void flow_open(Flow *flow, double rate);

/** Lets @n customers circle, pausing for exponential times of mean @pause, from now on. */
void flow_close(Flow *flow, guint n, double pause);

/** Runs @flows of one engine for one slice of @length units to warm up and SLICES to find out,
 *  and audits their stations. */
void flows_measure(Flow *flows, guint n_flows, double length);

/** Returns: (transfer full): a station of @servers; @name and @index tell its chance from that of
 *  others. */
AftStation *station_of(AftEngine *engine, const char *scheduler, guint servers,
                       const AftVariate *variate, const char *name, guint32 index);

/** Returns: (transfer full): what draws a spread of @kind, with @parameter as its cv or shape. */
AftVariate *variate_of(AftSpreadKind kind, double parameter);

/** Fails unless @expected is in the 99.9 % interval of @batches, and half of that is at most 1 %
 *  of it. */
void expect(const char *name, const AftBatches *batches, double expected);

void quantiles_init(Quantiles *quantiles);
void quantiles_clear(Quantiles *quantiles);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Quantiles, quantiles_clear)

/** As expect(), for the quantiles of the whole, in units. */
void expect_p95(const Quantiles *quantiles, double expected);
void expect_p99(const Quantiles *quantiles, double expected);
