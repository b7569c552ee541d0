/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/station/station.h>

#include <math.h>
#include <string.h>

#define LONGEST_PART_NS 1e18

typedef struct {
    AftJob *head, *tail; /* those that wait */
    guint present;       /* those that wait or are served */
    gint64 since_ns;     /* when number_ns was last brought up to date */
    AftClassSums sums;   /* of jobs that have left, but for arrived and number_ns */
} Class;

struct AftStation {
    AftEngine *engine;
    const AftScheduler *scheduler;
    const AftVariate *variate;
    AftStream stream;
    double slowness; /* multiplies service times */

    guint servers;
    guint spinning; /* of them, that wait with who is at a limit */
    guint timed;    /* bit per class for which they do */
    guint busy;
    gint64 busy_since_ns; /* when busy_ns was last brought up to date */
    gint64 busy_ns;

    gint64 serial_free_ns;
    gint64 serial_ns;
    AftEvent serial_event; /* wakes the station when the serial part is free; 0: nobody asked */
    AftEvent wake_event;   /* wakes it when somebody may be served; 0: nobody asked */

    guint64 arrivals;
    guint waiting; /* bit per class of which some wait */
    Class class[AFT_STATION_CLASSES];
    guint64 oldest[AFT_STATION_CLASSES]; /* arrival number of each class's head */
    AftSchedulerState tags;

    AftJob *served[]; /* the jobs in service, one a busy server, in no order */
};

static void take_shares(AftSchedulerState *tags, const AftStationSetup *setup)
{
    tags->servers = setup->servers;
    tags->throttle = 1.0;
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        tags->weight[i] = setup->weights != NULL ? setup->weights[i] : 1.0;
        tags->reservation[i] = setup->reservations != NULL ? setup->reservations[i] : 0.0;
        tags->limit[i] = setup->limits != NULL ? setup->limits[i] : (double)INFINITY;
    }
}

AftStation *aft_station_new(const AftStationSetup *setup)
{
    g_assert(setup->servers > 0);
    g_assert(setup->spin == 0.0 || setup->scheduler->held != NULL);
    AftStation *station =
        g_malloc0(sizeof(AftStation) + setup->servers * sizeof(station->served[0]));
    station->engine = setup->engine;
    station->scheduler = setup->scheduler;
    station->variate = setup->variate;
    station->stream = setup->stream;
    station->servers = setup->servers;
    station->spinning = MIN((guint)(setup->spin * setup->servers + 0.5), setup->servers - 1);
    station->slowness = 1.0;
    take_shares(&station->tags, setup);
    return station;
}

void aft_station_free(AftStation *station)
{
    g_free(station);
}

static void count_busy(AftStation *station, gint64 now_ns)
{
    station->busy_ns += (gint64)station->busy * (now_ns - station->busy_since_ns);
    station->busy_since_ns = now_ns;
}

static void count_present(Class *class, gint64 now_ns)
{
    class->sums.number_ns += class->present * (guint64)(now_ns - class->since_ns);
    class->since_ns = now_ns;
}

static void enqueue(AftStation *station, AftJob *job)
{
    Class *class = &station->class[job->class];
    job->next = NULL;
    if (class->head == NULL) {
        if (station->scheduler->enter != NULL) {
            station->scheduler->enter(&station->tags, job->class, station->waiting,
                                      job->arrived_ns);
        }
        class->head = job;
        station->oldest[job->class] = job->number;
        station->waiting |= 1u << job->class;
    } else {
        class->tail->next = job;
    }
    class->tail = job;
}

static AftJob *dequeue(AftStation *station, guint class)
{
    AftJob *job = station->class[class].head;
    station->timed &= ~(1u << class);
    station->class[class].head = job->next;
    if (job->next == NULL) {
        station->waiting &= ~(1u << class);
    } else {
        station->oldest[class] = job->next->number;
    }
    return job;
}

static void finish(void *context, gint64 now_ns);

static gint64 slowed(const AftStation *station, gint64 time_ns, double factor)
{
    double slowed_ns = (double)time_ns * factor * station->slowness + 0.5;
    return (gint64)MIN(slowed_ns, LONGEST_PART_NS);
}

static gint64 take_serial(AftStation *station, const AftJob *job, gint64 now_ns)
{
    if (job->serial_ns == 0) {
        return 0;
    }
    gint64 serial_ns = slowed(station, job->serial_ns, 1.0);
    station->serial_free_ns = now_ns + serial_ns;
    station->serial_ns += serial_ns;
    return serial_ns;
}

/* What the scheduler is told of @job, of whose service @serial_ns are serial. */
static AftSchedulerService as_counted(const AftStation *station, const AftJob *job,
                                      gint64 serial_ns)
{
    AftSchedulerService service = {job->class, job->service_ns, serial_ns, job->started_ns};
    if (job->charge_ns > 0) {
        double whole_ns = (double)job->charge_ns * station->servers;
        service.service_ns = (gint64)MIN(whole_ns, LONGEST_PART_NS);
        service.serial_ns = 0;
    }
    return service;
}

static void begin(AftStation *station, AftJob *job, gint64 now_ns)
{
    double spread = aft_variate_draw(station->variate, &station->stream);
    job->started_ns = now_ns;
    gint64 serial_ns = take_serial(station, job, now_ns);
    job->service_ns = serial_ns + slowed(station, job->mean_ns, spread);
    if (station->scheduler->begin != NULL) {
        AftSchedulerService service = as_counted(station, job, serial_ns);
        station->scheduler->begin(&station->tags, &service);
    }
    count_busy(station, now_ns);
    job->server = station->busy;
    station->served[station->busy++] = job;
    job->event = aft_engine_schedule(station->engine, now_ns + job->service_ns, finish, job);
}

static void serial_is_free(void *context, gint64 now_ns);
static void may_serve(void *context, gint64 now_ns);

static guint held(const AftStation *station, gint64 now_ns)
{
    const AftScheduler *scheduler = station->scheduler;
    return scheduler->held != NULL ? scheduler->held(&station->tags, station->waiting, now_ns)
                                   : station->waiting;
}

/* Asks to be woken when somebody may be served who may not now. */
static void sleep_until_somebody_may(AftStation *station, gint64 now_ns)
{
    gint64 wake_ns = station->scheduler->wake(&station->tags, held(station, now_ns));
    if (wake_ns == G_MAXINT64) {
        return;
    }
    if (station->wake_event == 0) {
        station->wake_event = aft_engine_schedule(station->engine, wake_ns, may_serve, station);
    } else if (aft_engine_due(station->engine, station->wake_event) != wake_ns) {
        aft_engine_reschedule(station->engine, station->wake_event, wake_ns);
    }
}

/* Some servers wait with who is at a limit, to serve it the moment it may be, and nobody else. */
static guint pick_or_spin(AftStation *station, gint64 now_ns)
{
    guint at_limits = held(station, now_ns);
    guint due = station->timed & station->waiting & ~at_limits;
    station->timed = due | at_limits;
    if (due != 0) {
        return (guint)__builtin_ctz(due);
    }
    return at_limits != 0 && station->busy + station->spinning >= station->servers
               ? AFT_STATION_NOBODY
               : station->scheduler->pick(&station->tags, station->waiting, station->oldest,
                                          now_ns);
}

static guint pick(AftStation *station, gint64 now_ns)
{
    return station->spinning > 0 ? pick_or_spin(station, now_ns)
                                 : station->scheduler->pick(&station->tags, station->waiting,
                                                            station->oldest, now_ns);
}

static void serve_waiting(AftStation *station, gint64 now_ns)
{
    while (station->waiting != 0 && station->busy < station->servers) {
        if (station->serial_free_ns > now_ns) {
            if (station->serial_event == 0) {
                station->serial_event =
                    aft_engine_schedule(station->engine, station->serial_free_ns, serial_is_free,
                                        station);
            }
            return;
        }
        guint class = pick(station, now_ns);
        if (class == AFT_STATION_NOBODY) {
            sleep_until_somebody_may(station, now_ns);
            return;
        }
        begin(station, dequeue(station, class), now_ns);
    }
}

static void serial_is_free(void *context, gint64 now_ns)
{
    AftStation *station = context;
    station->serial_event = 0;
    serve_waiting(station, now_ns);
}

static void may_serve(void *context, gint64 now_ns)
{
    AftStation *station = context;
    station->wake_event = 0;
    serve_waiting(station, now_ns);
}

static void leave(Class *class, const AftJob *job, gint64 now_ns)
{
    count_present(class, now_ns);
    class->present--;
    class->sums.residence_ns += (guint64)(now_ns - job->arrived_ns);
}

static void release_server(AftStation *station, AftJob *job, gint64 now_ns)
{
    count_busy(station, now_ns);
    AftJob *last = station->served[--station->busy];
    station->served[job->server] = last;
    last->server = job->server;
    station->class[job->class].sums.service_ns += now_ns - job->started_ns;
}

static void finish(void *context, gint64 now_ns)
{
    AftJob *job = context;
    AftStation *station = job->station;
    Class *class = &station->class[job->class];
    release_server(station, job, now_ns);
    leave(class, job, now_ns);
    class->sums.served++;
    if (station->waiting != 0) {
        serve_waiting(station, now_ns);
    }
    job->done(job, now_ns);
}

void aft_station_arrive(AftStation *station, AftJob *job)
{
    g_assert(job->class < AFT_STATION_CLASSES);
    gint64 now_ns = aft_engine_now(station->engine);
    Class *class = &station->class[job->class];
    job->station = station;
    job->arrived_ns = now_ns;
    job->number = station->arrivals++;
    count_present(class, now_ns);
    class->present++;
    class->sums.arrived++;
    if (station->busy == station->servers) {
        enqueue(station, job);
    } else if (station->waiting == 0 && station->serial_free_ns <= now_ns &&
               station->scheduler->wake == NULL) {
        begin(station, job, now_ns);
    } else {
        enqueue(station, job);
        serve_waiting(station, now_ns);
    }
}

static gint by_arrival(gconstpointer a, gconstpointer b)
{
    const AftJob *first = *(AftJob *const *)a, *second = *(AftJob *const *)b;
    return (first->number > second->number) - (first->number < second->number);
}

static GPtrArray *take_all(AftStation *station, gint64 now_ns)
{
    GPtrArray *jobs = g_ptr_array_new();
    while (station->busy > 0) {
        AftJob *job = station->served[station->busy - 1];
        aft_engine_cancel(station->engine, job->event);
        release_server(station, job, now_ns);
        g_ptr_array_add(jobs, job);
    }
    while (station->waiting != 0) {
        g_ptr_array_add(jobs, dequeue(station, (guint)__builtin_ctz(station->waiting)));
    }
    g_ptr_array_sort(jobs, by_arrival);
    return jobs;
}

static void cancel(const AftStation *station, AftEvent *event)
{
    aft_engine_cancel(station->engine, *event);
    *event = 0;
}

/* Services that did not come to their end are owed by nobody. */
static void forget_services(AftSchedulerState *tags)
{
    memset(tags->finish, 0, sizeof tags->finish);
    memset(tags->owed_ns, 0, sizeof tags->owed_ns);
    memset(tags->held_ns, 0, sizeof tags->held_ns);
    tags->background_ns = 0.0;
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        tags->began_ns[i] = -1; /* not now, whatever the time */
    }
}

void aft_station_drop_all(AftStation *station, void (*dropped)(AftJob *job, void *context),
                          void *context)
{
    gint64 now_ns = aft_engine_now(station->engine);
    g_autoptr(GPtrArray) jobs = take_all(station, now_ns);
    if (station->serial_free_ns > now_ns) {
        station->serial_ns -= station->serial_free_ns - now_ns;
        station->serial_free_ns = now_ns;
    }
    cancel(station, &station->serial_event);
    cancel(station, &station->wake_event);
    forget_services(&station->tags);
    for (guint i = 0; i < jobs->len; i++) {
        AftJob *job = jobs->pdata[i];
        leave(&station->class[job->class], job, now_ns);
        station->class[job->class].sums.dropped++;
        dropped(job, context);
    }
}

void aft_station_slow(AftStation *station, double factor)
{
    g_assert(factor > 0.0);
    station->slowness = factor;
}

void aft_station_throttle(AftStation *station, double factor)
{
    g_assert(factor > 0.0 && factor <= 1.0);
    gint64 now_ns = aft_engine_now(station->engine);
    AftSchedulerState *tags = &station->tags;
    double left_ns = tags->background_ns - (double)now_ns;
    if (left_ns > 0.0) {
        tags->background_ns = (double)now_ns + left_ns * tags->throttle / factor;
    }
    tags->throttle = factor;
    serve_waiting(station, now_ns);
}

/* Up to now, but for the jobs in service. */
static AftClassSums sums_of(const Class *class, gint64 now_ns)
{
    AftClassSums sums = class->sums;
    sums.number_ns += class->present * (guint64)(now_ns - class->since_ns);
    for (const AftJob *job = class->head; job != NULL; job = job->next) {
        sums.residence_ns += (guint64)(now_ns - job->arrived_ns);
    }
    return sums;
}

void aft_station_busy(const AftStation *station, gint64 *ret_busy_ns, gint64 *ret_serial_ns)
{
    gint64 now_ns = aft_engine_now(station->engine);
    *ret_busy_ns = station->busy_ns + (gint64)station->busy * (now_ns - station->busy_since_ns);
    *ret_serial_ns = station->serial_ns - MAX(station->serial_free_ns - now_ns, 0);
}

void aft_station_sums(const AftStation *station, AftStationSums *ret_sums)
{
    gint64 now_ns = aft_engine_now(station->engine);
    aft_station_busy(station, &ret_sums->busy_ns, &ret_sums->serial_ns);
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        ret_sums->class[i] = sums_of(&station->class[i], now_ns);
    }
    for (guint i = 0; i < station->busy; i++) {
        const AftJob *job = station->served[i];
        ret_sums->class[job->class].service_ns += now_ns - job->started_ns;
        ret_sums->class[job->class].residence_ns += (guint64)(now_ns - job->arrived_ns);
    }
}

guint aft_station_servers(const AftStation *station)
{
    return station->servers;
}

guint aft_station_jobs(const AftStation *station)
{
    guint jobs = 0;
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        jobs += station->class[i].present;
    }
    return jobs;
}

void aft_station_audit(const AftStation *station)
{
    AftStationSums sums;
    aft_station_sums(station, &sums);
    gint64 now_ns = aft_engine_now(station->engine);
    gint64 service_ns = 0;
    for (guint i = 0; i < AFT_STATION_CLASSES; i++) {
        const AftClassSums *of = &sums.class[i];
        g_assert(of->number_ns == of->residence_ns);
        g_assert(of->arrived == of->served + of->dropped + station->class[i].present);
        service_ns += of->service_ns;
    }
    g_assert(sums.busy_ns == service_ns);
    g_assert(sums.busy_ns <= (gint64)station->servers * now_ns);
    g_assert(sums.serial_ns <= now_ns);
}
