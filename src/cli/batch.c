/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch.h"
#include "progress.h"

#include <aftershock/base/workers.h>
#include <aftershock/run/run.h>

#include <pthread.h>

typedef struct {
    GPtrArray *jobs; /* AftJob, all to be run */
    gint *interrupted;
    AftProgressBar *bar;
    pthread_mutex_t lock; /* of what follows, and of the bar */
    double *done;         /* share of each job */
    guint finished;
} Batch;

/* What a job's progress comes with. */
typedef struct {
    Batch *batch;
    guint index;
} Ticket;

static void free_job(gpointer data)
{
    AftJob *job = data;
    g_free(job->label);
    g_free(job->file);
    g_strfreev(job->settings);
    aft_scenario_free(job->scenario);
    aft_result_free(job->result);
    g_clear_error(&job->error);
    g_free(job);
}

GPtrArray *aft_jobs_new(void)
{
    return g_ptr_array_new_with_free_func(free_job);
}

/* Shows how far all are together. */
static void show(const AftProgress *progress, void *context)
{
    const Ticket *ticket = context;
    Batch *batch = ticket->batch;
    pthread_mutex_lock(&batch->lock);
    batch->done[ticket->index] = progress->done;
    double sum = 0.0;
    for (guint i = 0; i < batch->jobs->len; i++) {
        sum += batch->done[i];
    }
    g_autofree char *words = g_strdup_printf("%u of %u runs", batch->finished, batch->jobs->len);
    AftProgress all = {sum / batch->jobs->len, words, progress->scenario_s};
    aft_progress_bar_show(&all, batch->bar);
    pthread_mutex_unlock(&batch->lock);
}

static void run_job(guint index, gpointer data)
{
    Batch *batch = data;
    if (g_atomic_int_get(batch->interrupted)) {
        return;
    }
    AftJob *job = g_ptr_array_index(batch->jobs, index);
    Ticket ticket = {batch, index};
    AftRunOptions options = {.label = job->label,
                             .interrupted = batch->interrupted,
                             .progress = show,
                             .context = &ticket};
    job->result = aft_run(job->scenario, &options, &job->error);
    pthread_mutex_lock(&batch->lock);
    batch->done[index] = 1.0;
    batch->finished++;
    pthread_mutex_unlock(&batch->lock);
}

guint aft_jobs_run(GPtrArray *jobs, guint threads, gint *interrupted)
{
    g_autoptr(GPtrArray) to_run = g_ptr_array_new();
    for (guint i = 0; i < jobs->len; i++) {
        AftJob *job = g_ptr_array_index(jobs, i);
        if (job->result == NULL) {
            g_ptr_array_add(to_run, job);
        }
    }
    g_autofree double *done = g_new0(double, to_run->len);
    Batch batch = {.jobs = to_run, .interrupted = interrupted, .done = done};
    batch.bar = aft_progress_bar_new();
    pthread_mutex_init(&batch.lock, NULL);
    aft_workers_run(to_run->len, threads, run_job, &batch);
    pthread_mutex_destroy(&batch.lock);
    aft_progress_bar_free(batch.bar);
    return to_run->len;
}
