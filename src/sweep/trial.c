/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trial.h"

#include "sequential.h"

#include <aftershock/base/workers.h>
#include <aftershock/run/run.h>

#include <math.h>
#include <pthread.h>

enum { IOPS, READ, WRITE, FIGURES };
static const char *const figure_names[FIGURES] = {"iops", "read", "write"};

/* How one figure of one phase stands: in one replication, or in all together. */
typedef struct {
    guint missed; /* replications */
    double slack; /* the least; infinity: it is not required, or the phase did not occur */
} Standing;

/* What a replication, or all together, came to. */
typedef struct {
    Standing standing[AFT_PHASES][FIGURES];
    guint lost, refused; /* replications that lost data; in which something was not done */
    GError *error;       /* (nullable): it gave no result */
} Outcome;

static Outcome *outcome_new(void)
{
    Outcome *outcome = g_new0(Outcome, 1);
    for (guint phase = 0; phase < AFT_PHASES; phase++) {
        for (guint figure = 0; figure < FIGURES; figure++) {
            outcome->standing[phase][figure].slack = (double)INFINITY;
        }
    }
    return outcome;
}

static void outcome_free(gpointer data)
{
    Outcome *outcome = data;
    if (outcome != NULL) {
        g_clear_error(&outcome->error);
        g_free(outcome);
    }
}

static double or_zero(double value)
{
    return isnan(value) ? 0.0 : value;
}

/* How far a latency is below its bound, as a share of that; infinity: nothing to say. Here and for
 * I/Os a second what chance may explain is granted, as where a phase is judged: below 0 is missed.
 */
static double latency_slack(double mean_ms, double half_width_ms, gint64 bound_ns)
{
    gboolean said = bound_ns > 0 && !isnan(mean_ms);
    double least_ns = (mean_ms - or_zero(half_width_ms)) * 1e6;
    return said ? 1.0 - least_ns / (double)bound_ns : (double)INFINITY;
}

static double iops_slack(const AftPhaseRow *phase, const AftRequirementSpec *bound)
{
    gboolean said = bound->iops > 0.0 && !isnan(phase->iops);
    double least = bound->iops * (1.0 - bound->tolerance);
    return said ? (phase->iops + or_zero(phase->iops_ci)) / least - 1.0 : (double)INFINITY;
}

static void take_phase(Outcome *outcome, const AftPhaseRow *phase, const AftRequirementSpec *bound)
{
    const double slack[FIGURES] = {
        [IOPS] = iops_slack(phase, bound),
        [READ] = latency_slack(phase->read_mean_ms, phase->read_mean_ci_ms, bound->read_ns),
        [WRITE] = latency_slack(phase->write_mean_ms, phase->write_mean_ci_ms, bound->write_ns),
    };
    g_auto(GStrv) missed = g_strsplit(phase->requirement, "+", -1);
    for (guint figure = 0; figure < FIGURES; figure++) {
        Standing *standing = &outcome->standing[phase->phase][figure];
        standing->slack = fmin(standing->slack, slack[figure]);
        if (g_strv_contains((const char *const *)missed, figure_names[figure])) {
            standing->missed = 1;
        }
    }
}

static Outcome *outcome_of(const AftResult *result, const AftRequirementSpec *bound)
{
    Outcome *outcome = outcome_new();
    for (guint i = 0; i < result->phases->len; i++) {
        take_phase(outcome, &g_array_index(result->phases, AftPhaseRow, i), bound);
    }
    outcome->lost = result->loss.lost_pgs > 0.0;
    outcome->refused =
        result->undone[AFT_UNDONE_REFUSED] + result->undone[AFT_UNDONE_UNFINISHED] > 0;
    return outcome;
}

static gboolean is_well(const Outcome *outcome)
{
    gboolean well = outcome->lost == 0 && outcome->refused == 0;
    for (guint phase = 0; phase < AFT_PHASES; phase++) {
        for (guint figure = 0; figure < FIGURES; figure++) {
            well &= outcome->standing[phase][figure].missed == 0;
        }
    }
    return well;
}

static void add(Outcome *sum, const Outcome *one)
{
    for (guint phase = 0; phase < AFT_PHASES; phase++) {
        for (guint figure = 0; figure < FIGURES; figure++) {
            Standing *standing = &sum->standing[phase][figure];
            standing->missed += one->standing[phase][figure].missed;
            standing->slack = fmin(standing->slack, one->standing[phase][figure].slack);
        }
    }
    sum->lost += one->lost;
    sum->refused += one->refused;
}

typedef struct {
    const AftSizeSetup *setup;
    const AftScenario *scenario;
    const char *const *settings;
    AftRates *rates;      /* that replications share */
    pthread_mutex_t lock; /* of what follows */
    GPtrArray *ended;     /* Outcome of each replication; NULL: not yet */
    guint next;           /* to run */
    AftSequential test;   /* of those that count: all that ended in front of the first that has
                             not */
    AftVerdict verdict;
    Outcome *sum; /* of those */
} Trial;

static gboolean is_interrupted(const Trial *trial)
{
    gint *flag = trial->setup->interrupted;
    return flag != NULL && g_atomic_int_get(flag) != 0;
}

/* Counts what has ended, in the order of replications, as far as it goes. */
static void count(Trial *trial)
{
    while (trial->verdict == AFT_VERDICT_OPEN && trial->sum->error == NULL &&
           trial->test.n < trial->next && trial->ended->pdata[trial->test.n] != NULL) {
        const Outcome *outcome = trial->ended->pdata[trial->test.n];
        if (outcome->error != NULL) {
            trial->sum->error = g_error_copy(outcome->error);
        } else {
            add(trial->sum, outcome);
            trial->verdict = aft_sequential_add(&trial->test, is_well(outcome));
        }
    }
}

/* Returns: (transfer full) (nullable): NULL: it was interrupted. */
static Outcome *run_replication(const Trial *trial, guint replication)
{
    g_autoptr(GError) error = NULL;
    AftRunOptions options = {.replication = replication,
                             .interrupted = trial->setup->interrupted,
                             .rates = trial->rates};
    g_autoptr(AftResult) result = aft_run(trial->scenario, &options, &error);
    if (result == NULL) {
        Outcome *outcome = outcome_new();
        outcome->error = g_steal_pointer(&error);
        return outcome;
    }
    return result->interrupted ? NULL : outcome_of(result, &trial->scenario->requirement);
}

static gboolean is_over(const Trial *trial)
{
    return trial->verdict != AFT_VERDICT_OPEN || trial->sum->error != NULL ||
           trial->next >= trial->setup->most || is_interrupted(trial);
}

static void work(guint index G_GNUC_UNUSED, gpointer data)
{
    Trial *trial = data;
    const AftSizeSetup *setup = trial->setup;
    pthread_mutex_lock(&trial->lock);
    while (!is_over(trial)) {
        guint replication = trial->next++;
        pthread_mutex_unlock(&trial->lock);
        Outcome *outcome = run_replication(trial, replication);
        pthread_mutex_lock(&trial->lock);
        trial->ended->pdata[replication] = outcome;
        count(trial);
        if (setup->progress != NULL) {
            setup->progress(trial->settings, trial->test.n, setup->most, setup->context);
        }
    }
    pthread_mutex_unlock(&trial->lock);
}

static void set_text(char **member, const char *text)
{
    g_free(*member);
    *member = g_strdup(text);
}

static const char *verdict_text(const Trial *trial)
{
    static const char *const texts[] = {
        [AFT_VERDICT_HOLDS] = "holds",
        [AFT_VERDICT_FAILS] = "fails",
    };
    return trial->sum->error != NULL             ? "broken"
           : trial->verdict != AFT_VERDICT_OPEN  ? texts[trial->verdict]
           : trial->test.n == trial->setup->most ? "undecided"
                                                 : "interrupted";
}

/* Whether @figure standing as @it binds more than @than does. Where nothing was missed latencies
 * come before I/Os a second, of which there are seldom more than are asked for. */
static gboolean binds_more(const Standing *it, guint figure, const Standing *than,
                           guint than_figure)
{
    gboolean said = isfinite(it->slack), than_said = isfinite(than->slack);
    if (it->missed != than->missed) {
        return it->missed > than->missed;
    }
    if (said != than_said) {
        return said;
    }
    if (it->missed == 0 && (figure == IOPS) != (than_figure == IOPS)) {
        return figure != IOPS;
    }
    return it->slack < than->slack;
}

static void tell_figure(const Outcome *sum, double n, AftSized *row)
{
    guint at = 0;
    const Standing *all = &sum->standing[0][0];
    for (guint i = 1; i < AFT_PHASES * FIGURES; i++) {
        at = binds_more(&all[i], i % FIGURES, &all[at], at % FIGURES) ? i : at;
    }
    if (isfinite(all[at].slack) || all[at].missed > 0) {
        set_text(&row->phase, aft_phase_name((AftPhase)(at / FIGURES)));
        set_text(&row->figure, figure_names[at % FIGURES]);
        row->share = all[at].missed / n;
        row->slack = isfinite(all[at].slack) ? all[at].slack : (double)NAN;
    }
}

/* Where it fails most often. */
static void tell_binding(const Outcome *sum, guint n, AftSized *row)
{
    if (n == 0) {
        return;
    }
    tell_figure(sum, n, row);
    guint worse = MAX(sum->lost, sum->refused);
    if (worse > 0 && worse >= row->share * n) {
        set_text(&row->phase, "");
        set_text(&row->figure, sum->lost == worse ? "loss" : "refused");
        row->share = (double)worse / n;
        row->slack = (double)NAN;
    }
}

void aft_trial_run(const AftSizeSetup *setup, const AftScenario *scenario,
                   const char *const *settings, AftSized *row)
{
    g_autoptr(AftRates) rates = aft_rates_new();
    Trial trial = {.setup = setup, .scenario = scenario, .settings = settings, .rates = rates};
    trial.ended = g_ptr_array_new_full(setup->most, outcome_free);
    g_ptr_array_set_size(trial.ended, (gint)setup->most);
    trial.sum = outcome_new();
    aft_sequential_init(&trial.test, setup->confidence);
    pthread_mutex_init(&trial.lock, NULL);
    aft_workers_run(setup->jobs, setup->jobs, work, &trial);
    pthread_mutex_destroy(&trial.lock);
    row->replications = trial.test.n;
    row->met = trial.test.n_well;
    set_text(&row->verdict, verdict_text(&trial));
    if (trial.sum->error != NULL) {
        set_text(&row->reason, trial.sum->error->message);
    }
    tell_binding(trial.sum, trial.test.n, row);
    g_ptr_array_unref(trial.ended);
    outcome_free(trial.sum);
}
