/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contest.h - classes that always have jobs waiting: what leaves comes back at once. */
#pragma once

#include "visit.h"

typedef struct Contest Contest;

struct Contest {
    Yard yard; /* first, so that it leads back to the contest */
    AftStream stream;
    double mean_ns[AFT_STATION_CLASSES];   /* of its services */
    gint64 serial_ns[AFT_STATION_CLASSES]; /* in front of them */
    gboolean fixed;                        /* services take their mean, else they are exponential */
    double longest_ns[AFT_STATION_CLASSES]; /* service so far */
    gboolean takes_part[AFT_STATION_CLASSES];
    guint in[AFT_STATION_CLASSES];          /* jobs */
    void (*served)(const Contest *contest); /* (nullable): after every service */
    AftStationSums start;                   /* when the contest was opened, */
    gint64 opened_ns;                       /* and when that was */
};

static inline void contest_init(Contest *contest, const AftStationSetup *setup)
{
    *contest = (Contest){.mean_ns = {1000.0, 4000.0, 500.0, 2000.0, 1000.0}};
    yard_init_with(&contest->yard, setup);
    aft_stream_init(&contest->stream, 1, 0, "contest", setup->servers);
}

static inline void contest_clear(Contest *contest)
{
    yard_clear(&contest->yard);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Contest, contest_clear)

static inline void contest_draw(Contest *contest, AftJob *job)
{
    double spread = contest->fixed ? 1.0 : aft_stream_exponential(&contest->stream);
    double service_ns = contest->mean_ns[job->class] * spread;
    double whole_ns = ceil(service_ns) + (double)contest->serial_ns[job->class];
    contest->longest_ns[job->class] = MAX(contest->longest_ns[job->class], whole_ns);
    job->serial_ns = contest->serial_ns[job->class];
    job->mean_ns = (gint64)service_ns;
}

static inline void contest_comes_back(AftJob *job, gint64 now_ns G_GNUC_UNUSED)
{
    Contest *contest = (Contest *)((Visit *)job)->yard;
    if (contest->takes_part[job->class]) {
        contest_draw(contest, job);
        aft_station_arrive(job->station, job);
    } else {
        contest->in[job->class]--;
    }
    if (contest->served != NULL) {
        contest->served(contest);
    }
}

/** Lets @class take part from now on, with so many jobs that some always wait. */
static inline void contest_enter(Contest *contest, guint class)
{
    contest->takes_part[class] = TRUE;
    while (contest->in[class] <= aft_station_servers(contest->yard.station)) {
        Visit *visit = yard_send(&contest->yard, aft_engine_now(contest->yard.engine), class, 0, 0);
        contest_draw(contest, &visit->job);
        visit->job.done = contest_comes_back;
        contest->in[class]++;
    }
}

static inline void contest_run(const Contest *contest, gint64 for_ns)
{
    aft_engine_run(contest->yard.engine, aft_engine_now(contest->yard.engine) + for_ns);
    aft_station_audit(contest->yard.station);
}

static inline void contest_open(Contest *contest)
{
    aft_station_sums(contest->yard.station, &contest->start);
    contest->opened_ns = aft_engine_now(contest->yard.engine);
}

/** Service of @class since the contest was opened, as far as it has gone. */
static inline double contest_got_ns(const Contest *contest, guint class)
{
    AftStationSums sums;
    aft_station_sums(contest->yard.station, &sums);
    return (double)(sums.class[class].service_ns - contest->start.class[class].service_ns);
}

/** Service that the station might have given since then. */
static inline double contest_capacity_ns(const Contest *contest)
{
    return (double)(aft_engine_now(contest->yard.engine) - contest->opened_ns) *
           aft_station_servers(contest->yard.station);
}

static inline double contest_share(const Contest *contest, guint class)
{
    return contest_got_ns(contest, class) / contest_capacity_ns(contest);
}
