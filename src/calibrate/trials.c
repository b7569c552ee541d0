/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials.h"

#include "cells.h"
#include "free_key.h"

#include <aftershock/run/run.h>

#include <math.h>

#define LOST 1e3 /* residual of what could not be run */
#include <string.h>

/* A trial with what it yielded. */
typedef struct {
    AftTrial trial;            /* first, so that it leads back to this */
    AftResult **results;       /* of each configuration, until they have been compared */
    AftComparison *comparison; /* (nullable): before that */
} Tried;

struct AftTrials {
    const AftCalibrationSetup *setup;
    GPtrArray *tried; /* Tried */
    GPtrArray *asked; /* AftTrial, of the last call: borrowed */
    GArray *chosen;   /* (nullable): cells, guint each */
    const AftTrial *best;
    guint start;
    GMutex mutex; /* guards the rest */
    guint runs;
    GError *error;   /* (nullable): of the first run that failed, with no trial before it */
    guint rejected;  /* trials */
    GError *refusal; /* (nullable): why the first of them was */
};

/* One run. */
typedef struct {
    AftTrials *trials;
    Tried *tried;
    guint index; /* of the configuration */
} Job;

static void tried_free(gpointer data)
{
    Tried *tried = data;
    if (tried->comparison != NULL) {
        aft_comparison_free(tried->comparison);
    }
    g_free(tried->trial.u);
    g_free(tried->trial.residual);
    g_free(tried);
}

static void drop_results(Tried *tried, guint n)
{
    for (guint i = 0; i < n; i++) {
        aft_result_free(tried->results[i]);
    }
    g_clear_pointer(&tried->results, g_free);
}

AftTrials *aft_trials_new(const AftCalibrationSetup *setup)
{
    AftTrials *trials = g_new0(AftTrials, 1);
    trials->setup = setup;
    trials->tried = g_ptr_array_new_with_free_func(tried_free);
    trials->asked = g_ptr_array_new();
    g_mutex_init(&trials->mutex);
    return trials;
}

void aft_trials_free(AftTrials *trials)
{
    if (trials != NULL) {
        g_ptr_array_unref(trials->asked);
        g_ptr_array_unref(trials->tried);
        g_clear_pointer(&trials->chosen, g_array_unref);
        g_clear_error(&trials->error);
        g_clear_error(&trials->refusal);
        g_mutex_clear(&trials->mutex);
        g_free(trials);
    }
}

static gboolean is_interrupted(const AftTrials *trials)
{
    return trials->setup->interrupted != NULL && g_atomic_int_get(trials->setup->interrupted) != 0;
}

/* Returns: (transfer full). */
static char **settings_at(const AftTrials *trials, const double *u)
{
    const AftCalibrationSetup *setup = trials->setup;
    char **settings = g_new0(char *, setup->n_keys + 1);
    for (guint i = 0; i < setup->n_keys; i++) {
        settings[i] =
            aft_free_key_setting(&setup->keys[i], aft_free_key_value(&setup->keys[i], u[i]));
    }
    return settings;
}

static AftResult *run_one(const Job *job, GError **error)
{
    const AftCalibrationSetup *setup = job->trials->setup;
    g_auto(GStrv) settings = settings_at(job->trials, job->tried->trial.u);
    g_autoptr(AftScenario) scenario =
        setup->make(job->index, (const char *const *)settings, setup->context, error);
    AftRunOptions options = {.label = setup->labels[job->index], .interrupted = setup->interrupted};
    return scenario != NULL ? aft_run(scenario, &options, error) : NULL;
}

static void tell_progress(AftTrials *trials)
{
    const AftCalibrationSetup *setup = trials->setup;
    if (setup->progress != NULL) {
        guint cells = trials->best != NULL ? trials->chosen->len : 1;
        double best = trials->best != NULL ? sqrt(trials->best->cost / cells) : (double)INFINITY;
        AftCalibrationProgress progress = {trials->start, setup->starts, trials->runs, best};
        setup->progress(&progress, setup->context);
    }
}

/* Takes @error, (transfer full), of a run of @trial. */
static void take_error(AftTrials *trials, AftTrial *trial, GError *error)
{
    if (trials->best == NULL && trials->error == NULL) {
        trials->error = error;
        return;
    }
    trials->rejected += trials->best != NULL && !trial->rejected ? 1 : 0;
    trial->rejected = TRUE;
    if (trials->refusal == NULL && trials->best != NULL) {
        trials->refusal = error;
    } else {
        g_error_free(error);
    }
}

/* On a thread of the pool. Once one run has failed, or all is to end, the others are not begun. */
static void do_job(gpointer data, gpointer user_data)
{
    Job *job = data;
    AftTrials *trials = user_data;
    g_autoptr(GError) error = NULL;
    g_mutex_lock(&trials->mutex);
    gboolean goes_on =
        trials->error == NULL && !job->tried->trial.rejected && !is_interrupted(trials);
    g_mutex_unlock(&trials->mutex);
    AftResult *result = goes_on ? run_one(job, &error) : NULL;
    g_mutex_lock(&trials->mutex);
    job->tried->results[job->index] = result;
    trials->runs += result != NULL;
    if (error != NULL) {
        take_error(trials, &job->tried->trial, g_steal_pointer(&error));
    }
    tell_progress(trials);
    g_mutex_unlock(&trials->mutex);
    g_free(job);
}

static Tried *tried_new(AftTrials *trials, const double *u)
{
    const AftCalibrationSetup *setup = trials->setup;
    Tried *tried = g_new0(Tried, 1);
    tried->trial.u = g_memdup2(u, setup->n_keys * sizeof(double));
    tried->results = g_new0(AftResult *, setup->n_labels);
    g_ptr_array_add(trials->tried, tried);
    return tried;
}

/* Nothing is known of @trial but that it is none. */
static void reject(const AftTrials *trials, AftTrial *trial)
{
    trial->residual = g_new(double, trials->chosen->len + 1);
    for (guint i = 0; i < trials->chosen->len; i++) {
        trial->residual[i] = LOST;
        trial->cost += LOST * LOST;
    }
}

/* Everything about @tried but the runs. */
static void evaluate(AftTrials *trials, Tried *tried)
{
    const AftCalibrationSetup *setup = trials->setup;
    AftTrial *trial = &tried->trial;
    tried->comparison = aft_compare(setup->reference, tried->results, setup->n_labels);
    if (trials->chosen == NULL) {
        trials->chosen = aft_cells_choose(setup, tried->comparison, NULL);
    }
    trial->residual = g_new(double, trials->chosen->len + 1);
    for (guint i = 0; i < trials->chosen->len; i++) {
        guint cell = g_array_index(trials->chosen, guint, i);
        const AftComparedCell *it = &g_array_index(tried->comparison->cells, AftComparedCell, cell);
        double chance = aft_cells_chance(it);
        trial->residual[i] = aft_cells_residual(it);
        trial->cost += trial->residual[i] * trial->residual[i];
        trial->chance += chance * chance / trials->chosen->len;
    }
    if (trials->best == NULL || trial->cost < trials->best->cost) {
        trials->best = trial;
    }
}

static void run_all(AftTrials *trials, guint first)
{
    const AftCalibrationSetup *setup = trials->setup;
    gint jobs = setup->jobs > 0 ? (gint)setup->jobs : (gint)g_get_num_processors();
    /* One of its own has all its threads at once, or there is none: then all is done in this one.
     */
    GThreadPool *pool = g_thread_pool_new(do_job, trials, jobs, TRUE, NULL);
    for (guint i = first; i < trials->tried->len; i++) {
        for (guint index = 0; index < setup->n_labels; index++) {
            Job *job = g_new(Job, 1);
            *job = (Job){trials, trials->tried->pdata[i], index};
            if (pool != NULL) {
                g_thread_pool_push(pool, job, NULL);
            } else {
                do_job(job, trials);
            }
        }
    }
    if (pool != NULL) {
        g_thread_pool_free(pool, FALSE, TRUE);
    }
}

/* Forgets what was begun from @first on. */
static void take_back(AftTrials *trials, guint first, GError **error)
{
    for (guint i = first; i < trials->tried->len; i++) {
        drop_results(trials->tried->pdata[i], trials->setup->n_labels);
    }
    g_ptr_array_set_size(trials->tried, (gint)first);
    if (trials->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&trials->error));
    }
}

AftTrial **aft_trials_try(AftTrials *trials, const double *const *u, guint n, GError **error)
{
    guint first = trials->tried->len;
    for (guint i = 0; i < n; i++) {
        tried_new(trials, u[i]);
    }
    run_all(trials, first);
    if (trials->error != NULL || is_interrupted(trials)) {
        take_back(trials, first, error);
        return NULL;
    }
    g_ptr_array_set_size(trials->asked, 0);
    for (guint i = 0; i < n; i++) {
        Tried *tried = trials->tried->pdata[first + i];
        if (tried->trial.rejected) {
            reject(trials, &tried->trial);
        } else {
            evaluate(trials, tried);
        }
        drop_results(tried, trials->setup->n_labels);
        g_ptr_array_add(trials->asked, &tried->trial);
    }
    return (AftTrial **)trials->asked->pdata;
}

guint aft_trials_cells(const AftTrials *trials)
{
    return trials->chosen != NULL ? trials->chosen->len : 0;
}

const AftTrial *aft_trials_best(const AftTrials *trials)
{
    return trials->best;
}

AftComparison *aft_trial_comparison(const AftTrial *trial)
{
    return ((const Tried *)trial)->comparison;
}

const char *aft_trials_rejected(const AftTrials *trials, guint *ret_n)
{
    *ret_n = trials->rejected;
    return trials->refusal != NULL ? trials->refusal->message : NULL;
}

guint aft_trials_runs(const AftTrials *trials)
{
    return trials->runs;
}

void aft_trials_begin(AftTrials *trials, guint start)
{
    trials->start = start;
}
