/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/sweep/runner.h>

#include "open_point.h"

#include <aftershock/base/workers.h>
#include <aftershock/run/run.h>

#include <pthread.h>

#define BATCH        16      /* replications that are kept together */
#define BATCH_AGE_US 1000000 /* or after so long */

typedef struct {
    const AftSweepSetup *setup;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t ended; /* a replication has */
    GQueue open;          /* AftOpenPoint, by index */
    guint next;           /* point to open */
    guint step;           /* from one of the shard's points to the next */
    guint running;
    GPtrArray *points; /* AftStorePoint of points that were opened, and are not kept yet */
    GPtrArray *batch;  /* AftReplication that ended and are not kept yet */
    gint64 kept_us;    /* when the last were */
    AftSweepProgress progress;
    GError *error; /* (nullable): nothing can be kept any more */
} Runner;

static gboolean is_interrupted(const Runner *runner)
{
    gint *flag = runner->setup->interrupted;
    return runner->error != NULL || (flag != NULL && g_atomic_int_get(flag) != 0);
}

static void tell_progress(const Runner *runner)
{
    if (runner->setup->progress != NULL) {
        runner->setup->progress(&runner->progress, runner->setup->context);
    }
}

/* Keeps what has ended. */
static void keep_batch(Runner *runner)
{
    GPtrArray *batch = runner->batch;
    if (batch->len > 0 && runner->error == NULL &&
        aft_store_keep(runner->setup->store, (const AftStorePoint *const *)runner->points->pdata,
                       runner->points->len, (const AftReplication *const *)batch->pdata, batch->len,
                       &runner->error)) {
        g_ptr_array_set_size(runner->points, 0);
        for (guint i = 0; i < batch->len; i++) {
            const AftReplication *row = batch->pdata[i];
            *(row->failure != NULL ? &runner->progress.failed : &runner->progress.done) += 1;
        }
    }
    g_ptr_array_set_size(batch, 0);
    runner->kept_us = g_get_monotonic_time();
    tell_progress(runner);
}

/* Takes @row (transfer full) for keeping. */
static void keep(Runner *runner, AftReplication *row)
{
    g_ptr_array_add(runner->batch, row);
    if (runner->batch->len >= BATCH || g_get_monotonic_time() - runner->kept_us > BATCH_AGE_US) {
        keep_batch(runner);
    }
}

/* Opens the next point. Returns: (nullable): NULL: there is none, or it failed. */
static AftOpenPoint *open_next(Runner *runner)
{
    const AftSweepSetup *setup = runner->setup;
    if (runner->next >= aft_points_n(setup->points)) {
        return NULL;
    }
    AftOpenPoint *point = aft_open_point_new(setup, runner->next, &runner->error);
    if (point != NULL) {
        g_queue_push_tail(&runner->open, point);
        g_ptr_array_add(runner->points, aft_open_point_describe(point));
        runner->next += runner->step;
    }
    return point;
}

/* Drops @point if nothing more is wanted of it. */
static void close_if_met(Runner *runner, AftOpenPoint *point)
{
    if (aft_quota_is_met(&point->quota)) {
        runner->progress.ended++;
        runner->progress.wide += aft_quota_is_wide(&point->quota) ? 1 : 0;
        runner->progress.in_vain += aft_quota_is_in_vain(&point->quota) ? 1 : 0;
        g_queue_remove(&runner->open, point);
        aft_open_point_free(point);
    }
}

/* What is known to be wanted beside @before, what was before @point changed. */
static void count_wanted(Runner *runner, guint before, guint now)
{
    runner->progress.total += now - before;
}

/* Finds a replication of @point to run. Returns: whether there is one now; @point may be closed. */
static gboolean take_of(Runner *runner, AftOpenPoint *point, guint *ret_replication)
{
    guint before = point->quota.until;
    gboolean taken = aft_open_point_take(point, ret_replication);
    count_wanted(runner, before, point->quota.until);
    if (!taken) {
        close_if_met(runner, point);
    }
    return taken;
}

/* Of points that are open, and not being learnt by another unless @even_then. Returns: (nullable).
 */
static AftOpenPoint *find_open(Runner *runner, gboolean even_then, guint *ret_replication)
{
    for (GList *link = runner->open.head; link != NULL;) {
        AftOpenPoint *point = link->data;
        link = link->next;
        gboolean learnt = point->running == 0 || point->known;
        if ((learnt || even_then) && take_of(runner, point, ret_replication)) {
            return point;
        }
    }
    return NULL;
}

/* Finds something to run without waiting. Returns: (nullable). */
static AftOpenPoint *find_work(Runner *runner, guint *ret_replication)
{
    AftOpenPoint *point = find_open(runner, FALSE, ret_replication);
    if (point != NULL) {
        return point;
    }
    while ((point = open_next(runner)) != NULL) {
        if (take_of(runner, point, ret_replication)) {
            return point;
        }
    }
    return find_open(runner, TRUE, ret_replication);
}

/* Waits for something to run. Returns: (nullable): NULL: nothing is left. */
static AftOpenPoint *take(Runner *runner, guint *ret_replication)
{
    while (!is_interrupted(runner)) {
        AftOpenPoint *point = find_work(runner, ret_replication);
        if (point != NULL) {
            runner->running++;
            point->running++;
            return point;
        }
        if (runner->running == 0) {
            return NULL;
        }
        pthread_cond_wait(&runner->ended, &runner->lock);
    }
    return NULL;
}

/* Takes @row (transfer full) (nullable: it was interrupted) of @point as ended. */
static void give_back(Runner *runner, AftOpenPoint *point, guint replication, AftReplication *row)
{
    runner->running--;
    point->running--;
    if (row != NULL) {
        guint before = point->quota.until;
        point->known = TRUE;
        aft_quota_end(&point->quota, replication, aft_quota_value(&point->quota, row));
        count_wanted(runner, before, point->quota.until);
        keep(runner, row);
        close_if_met(runner, point);
    }
    pthread_cond_broadcast(&runner->ended);
}

static void tell_fall(const Runner *runner, const AftOpenPoint *point, guint replication,
                      const GError *why)
{
    const AftSweepSetup *setup = runner->setup;
    if (why != NULL && setup->fell_back != NULL) {
        setup->fell_back(point->index, replication, why, setup->context);
    }
}

static void work(guint index G_GNUC_UNUSED, gpointer data)
{
    Runner *runner = data;
    guint replication;
    AftOpenPoint *point;
    pthread_mutex_lock(&runner->lock);
    while ((point = take(runner, &replication)) != NULL) {
        pthread_mutex_unlock(&runner->lock);
        g_autoptr(GError) why = NULL;
        AftReplication *row = aft_open_point_run(point, replication, &why);
        pthread_mutex_lock(&runner->lock);
        tell_fall(runner, point, replication, why);
        give_back(runner, point, replication, row);
    }
    pthread_mutex_unlock(&runner->lock);
}

static void begin(Runner *runner)
{
    const AftSweepSetup *setup = runner->setup;
    const AftStoreIdentity *identity = aft_store_identity(setup->store);
    AftStoreCount count = aft_store_count(setup->store);
    runner->step = identity->shards;
    runner->next = identity->shard - 1;
    guint n = aft_points_n(setup->points);
    guint mine = runner->next < n ? (n - runner->next + runner->step - 1) / runner->step : 0;
    runner->progress = (AftSweepProgress){
        .done = count.done,
        .begun_with = count.done,
        .total = (guint64)mine * setup->sweep->replications.n,
    };
    runner->kept_us = g_get_monotonic_time();
    tell_progress(runner);
}

/* Whether nothing more can be wanted. */
static gboolean is_over(const Runner *runner)
{
    return runner->error == NULL && runner->open.length == 0 &&
           runner->next >= aft_points_n(runner->setup->points);
}

static void free_row(gpointer data)
{
    aft_replication_free(data);
}

static void free_point(gpointer data)
{
    aft_open_point_free(data);
}

static void free_described(gpointer data)
{
    AftStorePoint *point = data;
    g_strfreev(point->settings);
    g_free(point->scenario_sha256);
    g_free(point);
}

gboolean aft_sweep_run(const AftSweepSetup *setup, AftSweepProgress *ret_progress, GError **error)
{
    Runner runner = {.setup = setup,
                     .points = g_ptr_array_new_with_free_func(free_described),
                     .batch = g_ptr_array_new_with_free_func(free_row)};
    pthread_mutex_init(&runner.lock, NULL);
    pthread_cond_init(&runner.ended, NULL);
    g_queue_init(&runner.open);
    begin(&runner);
    aft_workers_run(setup->jobs, setup->jobs, work, &runner);
    runner.progress.final = is_over(&runner);
    keep_batch(&runner);
    if (runner.progress.final && runner.error == NULL) {
        aft_store_end(setup->store, AFT_STORE_WHOLE, &runner.error);
    }
    g_queue_clear_full(&runner.open, free_point);
    g_ptr_array_unref(runner.batch);
    g_ptr_array_unref(runner.points);
    pthread_cond_destroy(&runner.ended);
    pthread_mutex_destroy(&runner.lock);
    if (ret_progress != NULL) {
        *ret_progress = runner.progress;
    }
    if (runner.error != NULL) {
        g_propagate_error(error, runner.error);
        return FALSE;
    }
    return TRUE;
}
