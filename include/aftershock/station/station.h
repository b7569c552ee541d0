/* SPDX-License-Identifier: GPL-3.0-or-later */
/* station.h - a queueing server: jobs of several classes, some servers, one scheduler.
 *
 * A job waits in the queue of its class until a server is free and the scheduler picks it, holds
 * the server for its service time, and leaves. A service may begin with a serial part, during
 * which no other service begins: the transfer over a drive's interface, while the accesses of
 * those before go on.
 *
 *     arrive --> [ queue of its class ] --> serial part (one at a time) --> access --> done
 *                                           '--------- holds one server ---------'
 *
 * However long its mean and its spread's tail, neither part takes more than 10^18 ns (32 years).
 *
 * A server that comes free takes the next job before the sender hears of the one that left: a job
 * that comes back at once finds it taken.
 *
 * The station owns no jobs. Whoever sends one embeds an AftJob in a struct of its own and gets it
 * back by a callback. All sums are whole nanoseconds, so the identities of queueing theory hold to
 * the last digit: aft_station_audit() asserts them.
 */
#pragma once

#include <aftershock/engine/engine.h>
#include <aftershock/random/variate.h>
#include <aftershock/station/scheduler.h>

typedef struct AftStation AftStation;
typedef struct AftJob AftJob;

/** Called with the clock at @now_ns when @job has left its station. */
typedef void (*AftJobHandler)(AftJob *job, gint64 now_ns);

struct AftJob {
    AftJob *next;        /* the one behind it in its queue */
    AftStation *station; /* where it is; set by aft_station_arrive() */
    AftJobHandler done;  /* set by the sender, as are the four below */
    gint64 mean_ns;      /* mean of the spread part of its service */
    gint64 serial_ns;    /* the serial part in front, not spread */
    gint64 charge_ns;    /* for how long it has all of the station as tags count; 0: as it is */
    guint class;         /* 0 to AFT_STATION_CLASSES - 1, lower is more urgent */
    guint server;        /* the server it holds */
    guint64 number;      /* of its arrival at the station */
    gint64 arrived_ns;
    gint64 started_ns; /* when it got its server */
    gint64 service_ns; /* serial part and drawn part */
    AftEvent event;    /* its end, while it is served */
};

/** What a station has done to one class since it was made: sums that only grow. */
typedef struct {
    guint64 arrived, served, dropped;
    gint64 service_ns;    /* of services, as far as they have gone */
    guint64 residence_ns; /* of jobs, waiting and served, as far as they have gone */
    guint64 number_ns;    /* time integral of how many were here */
} AftClassSums;

typedef struct {
    AftClassSums class[AFT_STATION_CLASSES];
    gint64 busy_ns;   /* time integral of busy servers */
    gint64 serial_ns; /* time in which a serial part was going on */
} AftStationSums;

typedef struct {
    AftEngine *engine; /* borrowed, for the life of the station */
    guint servers;     /* 1 or more */
    const AftScheduler *scheduler;
    const double *weights;      /* (nullable): AFT_STATION_CLASSES of them; NULL: all alike */
    const double *reservations; /* (nullable): as many shares, 1 at most in all; NULL: none */
    const double *limits;       /* (nullable): as many shares, infinity: none; NULL: none */
    double spin;                /* share of the servers that wait with who is at a limit, but not
                                   all; above 0 only where the scheduler has held() */
    const AftVariate *variate;  /* borrowed: spreads the service times */
    AftStream stream;           /* copied: draws them */
} AftStationSetup;

/** Returns: (transfer full): an idle station. */
AftStation *aft_station_new(const AftStationSetup *setup);

void aft_station_free(AftStation *station);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AftStation, aft_station_free)

/** Takes in @job, whose sender has set done, mean_ns, serial_ns, charge_ns and class, and keeps it
 * alive until it is handed back. May serve it at once. */
void aft_station_arrive(AftStation *station, AftJob *job);

/** Throws out everything that waits or is served, in order of arrival, handing each job to
 *  @dropped: the host has died. @dropped must not send jobs here. */
void aft_station_drop_all(AftStation *station, void (*dropped)(AftJob *job, void *context),
                          void *context);

/** Multiplies the access and serial times of services that begin from now on; 1 is normal. */
void aft_station_slow(AftStation *station, double factor);

/** Sets the share of the station, above 0 and at most 1, that background classes may have together
 *  from now on, where the scheduler looks at it; 1, as at first: no limit. */
void aft_station_throttle(AftStation *station, double factor);

/** How long servers were busy up to now, all of them together, and how long a serial part went on.
 *  Unlike aft_station_sums(), it does not look at the jobs. */
void aft_station_busy(const AftStation *station, gint64 *ret_busy_ns, gint64 *ret_serial_ns);

/** Sums up to now. */
void aft_station_sums(const AftStation *station, AftStationSums *ret_sums);

guint aft_station_servers(const AftStation *station);

/** Jobs here now, of all classes. */
guint aft_station_jobs(const AftStation *station);

/** Asserts, to the nanosecond: Little's law for every class (the integral of the number present
 *  is the sum of residence times, both clipped to now), the utilisation law (busy time is the sum
 *  of services), at most one busy second a second and server, and that what arrived was served,
 *  dropped or is here. */
void aft_station_audit(const AftStation *station);
