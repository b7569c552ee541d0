/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trials.h"

#include "cells.h"
#include "free_key.h"
#include "runs.h"

#include <math.h>

#define LOST 1e3 /* residual of what could not be run */

/* A trial with what it yielded. */
typedef struct {
    AftTrial trial;            /* first, so that it leads back to this */
    char **names;              /* of the results of each configuration; none of one rejected */
    AftComparison *comparison; /* (nullable): it was rejected */
} Tried;

struct AftTrials {
    const AftCalibrationSetup *setup;
    AftRuns *runs;
    GPtrArray *tried;   /* Tried */
    GPtrArray *asked;   /* AftTrial, of the last call: borrowed */
    GArray *chosen;     /* (nullable): cells, guint each */
    gboolean *left_out; /* (nullable): of those */
    double *origin;     /* on the line, where keys began */
    const AftTrial *best;
    guint rejected;        /* trials */
    GError *refusal;       /* (nullable): why the first of them was */
    guint way, ways, step; /* for progress */
    double shown;          /* progress, so far */
};

static void tried_free(gpointer data)
{
    Tried *tried = data;
    g_clear_pointer(&tried->comparison, aft_comparison_free);
    g_strfreev(tried->names);
    g_free(tried->trial.u);
    g_free(tried->trial.residual);
    g_free(tried);
}

/* A way begins with a trial and ends with a look, and has a step for each iteration between. */
static void tell_progress(double share, void *data)
{
    AftTrials *trials = data;
    const AftCalibrationSetup *setup = trials->setup;
    if (setup->progress != NULL) {
        guint cells = trials->best != NULL ? trials->chosen->len : 1;
        double best = trials->best != NULL ? sqrt(trials->best->cost / cells) : (double)INFINITY;
        double way_done = MIN((trials->step + share) / (setup->iterations + 2.0), 1.0);
        trials->shown = MAX(trials->shown, (trials->way + way_done) / trials->ways);
        AftCalibrationProgress progress = {trials->shown, aft_runs_effort(trials->runs).runs, best};
        setup->progress(&progress, setup->context);
    }
}

AftTrials *aft_trials_new(const AftCalibrationSetup *setup)
{
    AftTrials *trials = g_new0(AftTrials, 1);
    trials->setup = setup;
    trials->runs = aft_runs_new(setup, tell_progress, trials);
    trials->tried = g_ptr_array_new_with_free_func(tried_free);
    trials->asked = g_ptr_array_new();
    trials->origin = g_new(double, setup->n_keys);
    for (guint i = 0; i < setup->n_keys; i++) {
        trials->origin[i] = aft_free_key_line(&setup->keys[i], setup->keys[i].start);
    }
    trials->ways = 1;
    return trials;
}

void aft_trials_free(AftTrials *trials)
{
    if (trials != NULL) {
        g_ptr_array_unref(trials->asked);
        g_ptr_array_unref(trials->tried);
        aft_runs_free(trials->runs);
        g_clear_pointer(&trials->chosen, g_array_unref);
        g_free(trials->left_out);
        g_free(trials->origin);
        g_clear_error(&trials->refusal);
        g_free(trials);
    }
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

/* The scenario of configuration @label at @trial. Returns: (transfer full) (nullable). */
static AftScenario *scenario_of(const AftTrials *trials, const AftTrial *trial, guint label,
                                GError **error)
{
    const AftCalibrationSetup *setup = trials->setup;
    g_auto(GStrv) settings = settings_at(trials, trial->u);
    AftScenario *scenario =
        setup->make(label, (const char *const *)settings, setup->context, error);
    if (scenario != NULL && trial->coarse && scenario->run.fidelity == AFT_FIDELITY_SAMPLED) {
        scenario->run.precision = MAX(scenario->run.precision, AFT_RUNS_COARSE);
    }
    return scenario;
}

/* The trial is none, for @error (transfer full). */
static void reject(AftTrials *trials, Tried *tried, GError *error)
{
    tried->trial.rejected = TRUE;
    trials->rejected++;
    g_clear_pointer(&tried->names, g_strfreev);
    if (trials->refusal == NULL) {
        trials->refusal = error;
    } else {
        g_error_free(error);
    }
}

static Tried *tried_new(AftTrials *trials, const double *u, gboolean coarse)
{
    guint n_keys = trials->setup->n_keys;
    Tried *tried = g_new0(Tried, 1);
    tried->trial.u = g_memdup2(u, n_keys * sizeof(double));
    tried->trial.coarse = coarse;
    tried->names = g_new0(char *, trials->setup->n_labels + 1);
    for (guint i = 0; i < n_keys; i++) {
        double moved = AFT_TRIALS_PULL * (u[i] - trials->origin[i]);
        tried->trial.pull += moved * moved;
    }
    g_ptr_array_add(trials->tried, tried);
    return tried;
}

/* Asks for the runs of @tried. Returns: FALSE with @error when one of its scenarios is none. */
static gboolean ask(AftTrials *trials, Tried *tried, GError **error)
{
    guint n = trials->setup->n_labels;
    g_autofree AftScenario **scenarios = g_new0(AftScenario *, n);
    gboolean fine = TRUE;
    for (guint label = 0; fine && label < n; label++) {
        scenarios[label] = scenario_of(trials, &tried->trial, label, error);
        fine = scenarios[label] != NULL;
    }
    for (guint label = 0; label < n; label++) {
        if (fine) {
            tried->names[label] = aft_runs_ask(trials->runs, label, scenarios[label]);
        } else {
            aft_scenario_free(scenarios[label]);
        }
    }
    return fine;
}

/* Compares what the runs of @tried yielded. */
static void evaluate(AftTrials *trials, Tried *tried, AftResult *const *results)
{
    const AftCalibrationSetup *setup = trials->setup;
    tried->comparison = aft_compare(setup->reference, results, setup->n_labels);
    if (trials->chosen == NULL) {
        trials->chosen = aft_cells_choose(setup, tried->comparison, NULL);
    }
    AftTrial *trial = &tried->trial;
    for (guint i = 0; i < trials->chosen->len; i++) {
        guint cell = g_array_index(trials->chosen, guint, i);
        const AftComparedCell *it = &g_array_index(tried->comparison->cells, AftComparedCell, cell);
        double chance = aft_cells_chance(it);
        trial->residual[i] = aft_cells_residual(it);
        trial->chance += chance * chance / trials->chosen->len;
    }
}

/* Costs by the cells that are fitted, and takes the best. */
static void weigh(AftTrials *trials, AftTrial *trial)
{
    trial->cost = 0.0;
    for (guint i = 0; i < trials->chosen->len; i++) {
        double residual = aft_trials_residual(trials, trial, i);
        trial->cost += residual * residual;
    }
    const AftTrial *best = trials->best;
    if (!trial->coarse && !trial->rejected &&
        (best == NULL || trial->cost + trial->pull < best->cost + best->pull)) {
        trials->best = trial;
    }
}

/* Takes @failure (transfer full) of @tried: that of all, when no trial has come about yet. */
static gboolean take_failure(AftTrials *trials, Tried *tried, GError *failure, GError **error)
{
    if (trials->best == NULL) {
        g_propagate_error(error, failure);
        return FALSE;
    }
    reject(trials, tried, failure);
    return TRUE;
}

/* Returns: (transfer container) (nullable): what the runs of @tried yielded; NULL with @error. */
static AftResult **results_of(const AftTrials *trials, const Tried *tried, GError **error)
{
    g_autofree AftResult **results = g_new(AftResult *, trials->setup->n_labels);
    for (guint i = 0; i < trials->setup->n_labels; i++) {
        results[i] = aft_runs_result(trials->runs, tried->names[i], error);
        if (results[i] == NULL) {
            return NULL;
        }
    }
    return g_steal_pointer(&results);
}

/* Fills in what came of @tried. Returns: FALSE with @error. */
static gboolean settle(AftTrials *trials, Tried *tried, GError **error)
{
    GError *failure = NULL;
    g_autofree AftResult **results =
        tried->trial.rejected ? NULL : results_of(trials, tried, &failure);
    if (failure != NULL && !take_failure(trials, tried, failure, error)) {
        return FALSE;
    }
    gsize most = trials->setup->reference->cells->len;
    tried->trial.residual = g_new(double, most + 1);
    for (guint i = 0; i <= most; i++) {
        tried->trial.residual[i] = LOST;
    }
    if (results != NULL) {
        evaluate(trials, tried, results);
    }
    weigh(trials, &tried->trial);
    g_ptr_array_add(trials->asked, &tried->trial);
    return TRUE;
}

/* Does the runs of the trials from @first on, and settles them. Returns: FALSE with @error, or when
 * it was interrupted. */
static gboolean carry_out(AftTrials *trials, guint first, GError **error)
{
    for (guint i = first; i < trials->tried->len; i++) {
        GError *failure = NULL;
        Tried *tried = trials->tried->pdata[i];
        if (!ask(trials, tried, &failure) && !take_failure(trials, tried, failure, error)) {
            return FALSE;
        }
    }
    gboolean fine = aft_runs_do(trials->runs);
    for (guint i = first; fine && i < trials->tried->len; i++) {
        fine = settle(trials, trials->tried->pdata[i], error);
    }
    return fine;
}

AftTrial **aft_trials_try(AftTrials *trials, const double *const *u, guint n, gboolean coarse,
                          GError **error)
{
    guint first = trials->tried->len;
    for (guint i = 0; i < n; i++) {
        tried_new(trials, u[i], coarse);
    }
    g_ptr_array_set_size(trials->asked, 0);
    if (!carry_out(trials, first, error)) {
        g_ptr_array_set_size(trials->tried, (gint)first);
        return NULL;
    }
    return (AftTrial **)trials->asked->pdata;
}

guint aft_trials_cells(const AftTrials *trials)
{
    return trials->chosen != NULL ? trials->chosen->len : 0;
}

void aft_trials_leave_out(AftTrials *trials, const gboolean *left_out)
{
    g_clear_pointer(&trials->left_out, g_free);
    if (left_out != NULL) {
        trials->left_out = g_memdup2(left_out, trials->chosen->len * sizeof(gboolean));
    }
    trials->best = NULL;
    for (guint i = 0; i < trials->tried->len; i++) {
        weigh(trials, &((Tried *)trials->tried->pdata[i])->trial);
    }
}

gboolean aft_trials_leaves_out(const AftTrials *trials, guint cell)
{
    return trials->left_out != NULL && trials->left_out[cell];
}

double aft_trials_residual(const AftTrials *trials, const AftTrial *trial, guint cell)
{
    return aft_trials_leaves_out(trials, cell) ? 0.0 : trial->residual[cell];
}

const AftReferenceCell *aft_trials_cell(const AftTrials *trials, guint cell)
{
    const Tried *tried = (const Tried *)trials->best;
    return g_array_index(tried->comparison->cells, AftComparedCell, aft_trials_place(trials, cell))
        .cell;
}

guint aft_trials_place(const AftTrials *trials, guint cell)
{
    return g_array_index(trials->chosen, guint, cell);
}

const AftTrial *aft_trials_best(const AftTrials *trials)
{
    return trials->best;
}

AftComparison *aft_trial_comparison(const AftTrial *trial)
{
    const AftComparison *comparison = ((const Tried *)trial)->comparison;
    AftComparison *copy = g_new(AftComparison, 1);
    *copy = *comparison;
    copy->cells = g_array_copy(comparison->cells);
    copy->summaries = g_array_copy(comparison->summaries);
    return copy;
}

const char *aft_trials_rejected(const AftTrials *trials, guint *ret_n)
{
    *ret_n = trials->rejected;
    return trials->refusal != NULL ? trials->refusal->message : NULL;
}

AftEffort aft_trials_effort(const AftTrials *trials)
{
    return aft_runs_effort(trials->runs);
}

void aft_trials_begin(AftTrials *trials, guint way, guint ways)
{
    trials->way = way;
    trials->ways = ways;
    trials->step = 0;
}

void aft_trials_step(AftTrials *trials, guint step)
{
    trials->step = step;
}
