/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/station/station.h>

#include <string.h>

typedef struct {
    AftJob *head, *tail;
} Queue;

struct AftStation {
    AftEngine *engine;
    const AftScheduler *scheduler;
    const AftVariate *variate;
    AftStream stream;
    double slowness; /* multiplies service times */

    guint servers;
    guint busy;
    guint waiting; /* bit per class whose queue is not empty */
    gint64 serial_free_ns;
    AftEvent serial_event; /* wakes the station when the serial part is free */
    guint64 arrivals;

    Queue queue[AFT_STATION_CLASSES];
    guint64 oldest[AFT_STATION_CLASSES]; /* arrival number of each queue's head */
    AftSchedulerState tags;

    gint64 busy_since_ns; /* when busy_ns was last brought up to date */
    gint64 busy_ns;
    gint64 serial_ns;
    guint present[AFT_STATION_CLASSES];
    gint64 present_since_ns[AFT_STATION_CLASSES];
    AftClassSums sums[AFT_STATION_CLASSES]; /* of jobs that have left, but for number_ns */

    AftJob *served[]; /* the jobs in service, one a busy server, in no order */
};

AftStation *aft_station_new(const AftStationSetup *setup)
{
    g_assert(setup->servers > 0);
    AftStation *station =
        g_malloc0(sizeof(AftStation) + setup->servers * sizeof(station->served[0]));
    station->engine = setup->engine;
    station->scheduler = setup->scheduler;
    station->variate = setup->variate;
    station->stream = setup->stream;
    station->servers = setup->servers;
    station->slowness = 1.0;
    for (guint class = 0; class < AFT_STATION_CLASSES; class ++) {
        station->tags.weight[class] = setup->weights ? setup->weights[class] : 1.0;
    }
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

static void count_present(AftStation *station, guint class, gint64 now_ns)
{
    station->sums[class].number_ns +=
        station->present[class] * (guint64)(now_ns - station->present_since_ns[class]);
    station->present_since_ns[class] = now_ns;
}

static void enqueue(AftStation *station, AftJob *job)
{
    Queue *queue = &station->queue[job->class];
    job->next = NULL;
    if (queue->head == NULL) {
        queue->head = job;
        station->oldest[job->class] = job->number;
        station->waiting |= 1u << job->class;
    } else {
        queue->tail->next = job;
    }
    queue->tail = job;
}

static AftJob *dequeue(AftStation *station, guint class)
{
    Queue *queue = &station->queue[class];
    AftJob *job = queue->head;
    queue->head = job->next;
    if (queue->head == NULL) {
        station->waiting &= ~(1u << class);
    } else {
        station->oldest[class] = queue->head->number;
    }
    return job;
}

static void finish(void *context, gint64 now_ns);

static gint64 slowed(const AftStation *station, gint64 time_ns)
{
    return station->slowness == 1.0 ? time_ns : (gint64)((double)time_ns * station->slowness);
}

static void begin(AftStation *station, AftJob *job, gint64 now_ns)
{
    gint64 serial_ns = slowed(station, job->serial_ns);
    double drawn = (double)job->mean_ns * aft_variate_draw(station->variate, &station->stream);
    job->started_ns = now_ns;
    job->service_ns = serial_ns + slowed(station, (gint64)drawn);
    if (station->scheduler->begin != NULL) {
        station->scheduler->begin(&station->tags, job->class, job->service_ns);
    }
    if (serial_ns > 0) {
        station->serial_free_ns = now_ns + serial_ns;
        station->serial_ns += serial_ns;
    }
    count_busy(station, now_ns);
    job->server = station->busy;
    station->served[station->busy++] = job;
    job->event = aft_engine_schedule(station->engine, now_ns + job->service_ns, finish, job);
}

static void serial_is_free(void *context, gint64 now_ns);

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
        guint class = station->scheduler->pick(&station->tags, station->waiting, station->oldest);
        begin(station, dequeue(station, class), now_ns);
    }
}

static void serial_is_free(void *context, gint64 now_ns)
{
    AftStation *station = context;
    station->serial_event = 0;
    serve_waiting(station, now_ns);
}

static void leave(AftStation *station, AftJob *job, gint64 now_ns)
{
    count_present(station, job->class, now_ns);
    station->present[job->class]--;
    station->sums[job->class].residence_ns += (guint64)(now_ns - job->arrived_ns);
}

static void release_server(AftStation *station, AftJob *job, gint64 now_ns)
{
    count_busy(station, now_ns);
    AftJob *last = station->served[--station->busy];
    station->served[job->server] = last;
    last->server = job->server;
    station->sums[job->class].service_ns += now_ns - job->started_ns;
}

static void finish(void *context, gint64 now_ns)
{
    AftJob *job = context;
    AftStation *station = job->station;
    release_server(station, job, now_ns);
    leave(station, job, now_ns);
    station->sums[job->class].served++;
    serve_waiting(station, now_ns);
    job->done(job, now_ns);
}

void aft_station_arrive(AftStation *station, AftJob *job)
{
    g_assert(job->class < AFT_STATION_CLASSES);
    gint64 now_ns = aft_engine_now(station->engine);
    job->station = station;
    job->arrived_ns = now_ns;
    job->number = station->arrivals++;
    count_present(station, job->class, now_ns);
    station->present[job->class]++;
    station->sums[job->class].arrived++;
    if (station->waiting == 0 && station->busy < station->servers &&
        station->serial_free_ns <= now_ns) {
        begin(station, job, now_ns);
        return;
    }
    enqueue(station, job);
    serve_waiting(station, now_ns);
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

void aft_station_drop_all(AftStation *station, void (*dropped)(AftJob *job, void *context),
                          void *context)
{
    gint64 now_ns = aft_engine_now(station->engine);
    g_autoptr(GPtrArray) jobs = take_all(station, now_ns);
    if (station->serial_free_ns > now_ns) {
        station->serial_ns -= station->serial_free_ns - now_ns;
        station->serial_free_ns = now_ns;
    }
    aft_engine_cancel(station->engine, station->serial_event);
    station->serial_event = 0;
    for (guint i = 0; i < jobs->len; i++) {
        AftJob *job = jobs->pdata[i];
        leave(station, job, now_ns);
        station->sums[job->class].dropped++;
        dropped(job, context);
    }
}

void aft_station_slow(AftStation *station, double factor)
{
    g_assert(factor > 0.0);
    station->slowness = factor;
}

static void add_present(const AftJob *job, gint64 now_ns, AftStationSums *sums)
{
    sums->class[job->class].residence_ns += (guint64)(now_ns - job->arrived_ns);
}

void aft_station_sums(const AftStation *station, AftStationSums *ret_sums)
{
    gint64 now_ns = aft_engine_now(station->engine);
    memcpy(ret_sums->class, station->sums, sizeof(station->sums));
    ret_sums->busy_ns =
        station->busy_ns + (gint64)station->busy * (now_ns - station->busy_since_ns);
    ret_sums->serial_ns = station->serial_ns - MAX(station->serial_free_ns - now_ns, 0);
    for (guint i = 0; i < station->busy; i++) {
        const AftJob *job = station->served[i];
        ret_sums->class[job->class].service_ns += now_ns - job->started_ns;
        add_present(job, now_ns, ret_sums);
    }
    for (guint class = 0; class < AFT_STATION_CLASSES; class ++) {
        ret_sums->class[class].number_ns +=
            station->present[class] * (guint64)(now_ns - station->present_since_ns[class]);
        for (const AftJob *job = station->queue[class].head; job != NULL; job = job->next) {
            add_present(job, now_ns, ret_sums);
        }
    }
}

guint aft_station_servers(const AftStation *station)
{
    return station->servers;
}

guint aft_station_jobs(const AftStation *station)
{
    guint jobs = 0;
    for (guint class = 0; class < AFT_STATION_CLASSES; class ++) {
        jobs += station->present[class];
    }
    return jobs;
}

void aft_station_audit(const AftStation *station)
{
    AftStationSums sums;
    aft_station_sums(station, &sums);
    gint64 now_ns = aft_engine_now(station->engine);
    gint64 service_ns = 0;
    for (guint class = 0; class < AFT_STATION_CLASSES; class ++) {
        const AftClassSums *of = &sums.class[class];
        g_assert(of->number_ns == of->residence_ns);
        g_assert(of->arrived == of->served + of->dropped + station->present[class]);
        service_ns += of->service_ns;
    }
    g_assert(sums.busy_ns == service_ns);
    g_assert(sums.busy_ns <= (gint64)station->servers * now_ns);
    g_assert(sums.serial_ns <= now_ns);
}
