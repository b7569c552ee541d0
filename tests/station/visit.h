/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visit.h - single jobs sent to a station at given times, and a log of how they leave. */
#pragma once

#include "test.h"
#include <aftershock/station/station.h>

typedef struct {
    AftEngine *engine;     /* (owned) */
    AftVariate *variate;   /* (owned): no spread, so that services are known */
    AftStation *station;   /* (owned) */
    GPtrArray *visits;     /* (owned): all that were sent, in order of sending */
    GPtrArray *left;       /* (owned): those that left, in order */
    GPtrArray *thrown_out; /* (owned): those that were dropped, in order */
} Yard;

typedef struct {
    AftJob job; /* first, so that it leads back to the visit */
    Yard *yard;
    gint64 left_ns; /* or was thrown out; -1 while it is to come or here */
} Visit;

/* @setup says how many servers, by which scheduler, and what classes have of them. */
static inline void yard_init_with(Yard *yard, const AftStationSetup *setup)
{
    AftStationSetup all = *setup;
    yard->engine = all.engine = aft_engine_new();
    yard->variate = aft_variate_new(&(AftSpread){.kind = AFT_SPREAD_DETERMINISTIC}, NULL);
    all.variate = yard->variate;
    yard->station = aft_station_new(&all);
    yard->visits = g_ptr_array_new_with_free_func(g_free);
    yard->left = g_ptr_array_new();
    yard->thrown_out = g_ptr_array_new();
}

static inline void yard_init(Yard *yard, const char *scheduler, guint servers,
                             const double *weights)
{
    yard_init_with(yard, &(AftStationSetup){.servers = servers,
                                            .scheduler = aft_scheduler_find(scheduler),
                                            .weights = weights});
}

static inline void yard_clear(Yard *yard)
{
    aft_station_free(yard->station);
    aft_variate_free(yard->variate);
    aft_engine_free(yard->engine);
    g_ptr_array_unref(yard->visits);
    g_ptr_array_unref(yard->left);
    g_ptr_array_unref(yard->thrown_out);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Yard, yard_clear)

static inline void visit_leaves(AftJob *job, gint64 now_ns)
{
    Visit *visit = (Visit *)job;
    visit->left_ns = now_ns;
    g_ptr_array_add(visit->yard->left, visit);
}

static inline void visit_is_thrown_out(AftJob *job, void *context)
{
    Yard *yard = context;
    ((Visit *)job)->left_ns = aft_engine_now(yard->engine);
    g_ptr_array_add(yard->thrown_out, job);
}

static inline void visit_arrives(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    Visit *visit = context;
    aft_station_arrive(visit->yard->station, &visit->job);
}

/** Sends a job of @class at @at_ns, whose serial part takes @serial_ns and the rest @mean_ns.
 *  Returns: (transfer none): it, for the life of @yard. */
static inline Visit *yard_send(Yard *yard, gint64 at_ns, guint class, gint64 serial_ns,
                               gint64 mean_ns)
{
    Visit *visit = g_new0(Visit, 1);
    visit->yard = yard;
    visit->left_ns = -1;
    visit->job.done = visit_leaves;
    visit->job.class = class;
    visit->job.serial_ns = serial_ns;
    visit->job.mean_ns = mean_ns;
    g_ptr_array_add(yard->visits, visit);
    aft_engine_schedule(yard->engine, at_ns, visit_arrives, visit);
    return visit;
}

static inline void yard_drop(Yard *yard)
{
    aft_station_drop_all(yard->station, visit_is_thrown_out, yard);
}

/** Fails unless those in @actual are @n of @expected, in this order. */
static inline void assert_visits(const GPtrArray *actual, Visit *const *expected, guint n)
{
    assert_int_equal(actual->len, n);
    for (guint i = 0; i < n; i++) {
        assert_ptr_equal(actual->pdata[i], expected[i]);
    }
}
