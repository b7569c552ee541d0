/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials.h"

#include "cells.h"
#include "free_key.h"

#include <aftershock/base/workers.h>
#include <aftershock/run/run.h>

#include <math.h>
#include <pthread.h>

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
    guint first;           /* of the trials that are being run */
    pthread_mutex_t mutex; /* guards the rest */
    guint runs;
    GError *error;   /* (nullable): of the first run that failed, with no trial before it */
    guint rejected;  /* trials */
    GError *refusal; /* (nullable): why the first of them was */
};

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
    pthread_mutex_init(&trials->mutex, NULL);
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
        pthread_mutex_destroy(&trials->mutex);
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

static AftResult *run_one(const AftTrials *trials, const Tried *tried, guint index, GError **error)
{
    const AftCalibrationSetup *setup = trials->setup;
    g_auto(GStrv) settings = settings_at(trials, tried->trial.u);
    g_autoptr(AftScenario) scenario =
        setup->make(index, (const char *const *)settings, setup->context, error);
    AftRunOptions options = {.label = setup->labels[index], .interrupted = setup->interrupted};
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

/* One configuration of one trial. Once one run has failed, or all is to end, no other begins. */
static void do_job(guint index, gpointer data)
{
    AftTrials *trials = data;
    guint n_labels = trials->setup->n_labels, label = index % n_labels;
    Tried *tried = trials->tried->pdata[trials->first + index / n_labels];
    g_autoptr(GError) error = NULL;
    pthread_mutex_lock(&trials->mutex);
    gboolean goes_on = trials->error == NULL && !tried->trial.rejected && !is_interrupted(trials);
    pthread_mutex_unlock(&trials->mutex);
    AftResult *result = goes_on ? run_one(trials, tried, label, &error) : NULL;
    pthread_mutex_lock(&trials->mutex);
    tried->results[label] = result;
    trials->runs += result != NULL;
    if (error != NULL) {
        take_error(trials, &tried->trial, g_steal_pointer(&error));
    }
    tell_progress(trials);
    pthread_mutex_unlock(&trials->mutex);
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
    guint n = (trials->tried->len - first) * setup->n_labels;
    trials->first = first;
    aft_workers_run(n, setup->jobs > 0 ? setup->jobs : g_get_num_processors(), do_job, trials);
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
