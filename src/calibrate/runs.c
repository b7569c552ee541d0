/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"

#include <aftershock/base/workers.h>
#include <aftershock/run/run.h>

#include <pthread.h>

/* A run, and what it yielded. */
typedef struct {
    AftRuns *runs;
    guint label;
    AftScenario *scenario; /* (nullable): it is done */
    AftResult *result;     /* (nullable): before it, or it failed */
    GError *error;         /* (nullable) */
} Run;

struct AftRuns {
    const AftCalibrationSetup *setup;
    void (*told)(double share, void *context);
    void *context;
    GHashTable *named;     /* Run by name */
    GPtrArray *asked;      /* Run, borrowed: to be done */
    pthread_mutex_t mutex; /* guards the rest while runs are done */
    guint done;            /* of those that are asked for */
    AftEffort effort;
};

static void run_free(gpointer data)
{
    Run *run = data;
    aft_scenario_free(run->scenario);
    aft_result_free(run->result);
    g_clear_error(&run->error);
    g_free(run);
}

AftRuns *aft_runs_new(const AftCalibrationSetup *setup, void (*told)(double share, void *context),
                      void *context)
{
    AftRuns *runs = g_new0(AftRuns, 1);
    runs->setup = setup;
    runs->told = told;
    runs->context = context;
    runs->named = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, run_free);
    runs->asked = g_ptr_array_new();
    pthread_mutex_init(&runs->mutex, NULL);
    return runs;
}

void aft_runs_free(AftRuns *runs)
{
    if (runs != NULL) {
        g_ptr_array_unref(runs->asked);
        g_hash_table_unref(runs->named);
        pthread_mutex_destroy(&runs->mutex);
        g_free(runs);
    }
}

char *aft_runs_ask(AftRuns *runs, guint label, AftScenario *scenario)
{
    g_autofree char *digest = aft_scenario_digest(scenario);
    char *name = g_strdup_printf("%u %s", label, digest);
    if (g_hash_table_contains(runs->named, name)) {
        aft_scenario_free(scenario);
        runs->effort.spared++;
        return name;
    }
    Run *run = g_new0(Run, 1);
    *run = (Run){.runs = runs, .label = label, .scenario = scenario};
    g_hash_table_insert(runs->named, g_strdup(name), run);
    g_ptr_array_add(runs->asked, run);
    return name;
}

static gboolean is_interrupted(const AftRuns *runs)
{
    return runs->setup->interrupted != NULL && g_atomic_int_get(runs->setup->interrupted) != 0;
}

/* Leaves what can be compared. */
static void slim(AftResult *result)
{
    GArray *first = g_array_new(FALSE, FALSE, sizeof(AftTraceRow));
    g_array_append_vals(first, result->trace->data, MIN(result->trace->len, 1));
    g_array_unref(result->trace);
    result->trace = first;
    g_array_set_size(result->timeline, 0);
}

static void count(AftEffort *effort, const Run *run)
{
    const AftRunSpec *spec = &run->scenario->run;
    gboolean sampled = spec->fidelity == AFT_FIDELITY_SAMPLED;
    effort->runs++;
    effort->coarse += sampled && spec->precision >= AFT_RUNS_COARSE ? 1 : 0;
    effort->ios += run->result->simulated_ios;
}

static void do_run(guint index, gpointer data)
{
    AftRuns *runs = data;
    Run *run = runs->asked->pdata[index];
    if (is_interrupted(runs)) {
        return;
    }
    AftRunOptions options = {.label = runs->setup->labels[run->label],
                             .interrupted = runs->setup->interrupted};
    run->result = aft_run(run->scenario, &options, &run->error);
    pthread_mutex_lock(&runs->mutex);
    if (run->result != NULL) {
        slim(run->result);
        count(&runs->effort, run);
    }
    g_clear_pointer(&run->scenario, aft_scenario_free);
    runs->done++;
    runs->told((double)runs->done / runs->asked->len, runs->context);
    pthread_mutex_unlock(&runs->mutex);
}

gboolean aft_runs_do(AftRuns *runs)
{
    const AftCalibrationSetup *setup = runs->setup;
    runs->done = 0;
    aft_workers_run(runs->asked->len, setup->jobs > 0 ? setup->jobs : g_get_num_processors(),
                    do_run, runs);
    g_ptr_array_set_size(runs->asked, 0);
    return !is_interrupted(runs);
}

AftResult *aft_runs_result(const AftRuns *runs, const char *name, GError **error)
{
    const Run *run = g_hash_table_lookup(runs->named, name);
    if (run->error != NULL) {
        g_propagate_error(error, g_error_copy(run->error));
    }
    return run->result;
}

AftEffort aft_runs_effort(const AftRuns *runs)
{
    return runs->effort;
}
