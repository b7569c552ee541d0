/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traffic.h - what an operation makes the parts of a cluster do: visits, on average.
 *
 * A visit is a sub-operation that passes a controller and a device, and the network when these are
 * not where it is coordinated.
 */
#pragma once

#include "stacks.h"

typedef enum {
    AFT_AT_MEMBER, /* through the cache in front, where there is one: reads if it has them */
    AFT_AT_CACHE,
    AFT_AT_CAPACITY /* passing by the cache */
} AftVisitPlace;

typedef enum {
    AFT_SPREAD_ALL,    /* as members are */
    AFT_SPREAD_CACHED, /* as those are that have a cache in front */
    AFT_SPREAD_FRESH   /* as what clients' writes add to buffers */
} AftVisitSpread;

typedef struct {
    gboolean write;
    gboolean follows; /* on a capacity device: the access before */
    AftVisitPlace place;
    AftVisitSpread spread;
    gboolean asked;        /* by a machine: it crosses the network to all nodes but its own */
    double crossing;       /* of what is asked: what crosses, of what would by chance */
    double times;          /* per operation */
    double remote;         /* share of them that cross the network, mean */
    double bytes;          /* of one, on controllers and the network */
    double cache_bytes;    /* the same on a cache device */
    double capacity_bytes; /* the same on a capacity device */
    double map_ios;        /* of AFT_METADATA_BYTES, on the device as well */
    double work_factor;    /* on what a sub-operation takes at the controller */
    gint64 work_ns;        /* in addition to that */
    gint64 work_per_mib_ns;
    gboolean paced; /* it has the controller's pure delay */
    double delay_s; /* that occupies nothing, beside that */
} AftVisit;

#define AFT_VISITS_MOST 3

typedef struct {
    AftVisit visit[AFT_VISITS_MOST];
    guint n;
    double coordinator_s; /* at the controller where it is coordinated, beside visits */
    double requests;      /* of clients, per operation: each has a time of its own there */
} AftTraffic;

/** Appends @visit unless it takes place 0 times. */
void aft_traffic_add(AftTraffic *traffic, const AftVisit *visit);

/** The share of @visit's times that go to one stack like @stack, and of those, to its cache. */
double aft_visit_weight(const AftVisit *visit, const AftStacks *stacks, const AftStack *stack);
double aft_visit_cached(const AftVisit *visit, const AftStack *stack);

/** The share of @visit's times that go to one node of @kind, and the time one takes at the
 *  controller there, s. */
double aft_visit_share(const AftVisit *visit, const AftStacks *stacks, guint kind);
double aft_visit_controller_s(const AftVisit *visit, const AftNodeSpec *node);

/** From the start of @visit to its end without waiting, mean, s. */
double aft_visit_s(const AftVisit *visit, const AftStacks *stacks);

/** Counts reads and writes, map I/Os, hits and bytes of @traffic into @cost. */
void aft_traffic_count(const AftTraffic *traffic, const AftStacks *stacks, AftOperationCost *cost);
