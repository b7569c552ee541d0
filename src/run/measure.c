/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures one state: a model is brought there quietly, I/O begins, and once it has forgotten how
 * it began windows see how fast all moves, over the whole bin of what tasks have to do. Where that
 * is too short for windows, all of it is simulated. A state in which I/O waits for news of a death
 * is come to as it is in truth: from the calm one before, warmed up, step by step. */
#include "fast.h"
#include "rate.h"

#include <aftershock/base/error.h>
#include <math.h>

#define WINDOWS      6    /* of a part of the work of a task, at least */
#define CALM_WINDOWS 12   /* of a state in which no task works */
#define PARTS_MOST   0.25 /* of what a phase may simulate, that a part of the work of a task may */
#define CHANCE       6.0  /* standard errors that tell growth from it: many states are looked at */
#define LENGTH_NS    (G_GINT64_CONSTANT(100) * 365 * 86400 * 1000000000)
#define PIECE_NS     1000000 /* how exactly it is seen when work is over, or a hundredth of it */
#define PIECES       100
#define LONGEST_NS   G_GINT64_CONSTANT(60000000000)

typedef struct {
    AftWalk walk;
    AftScenario scenario;
    AftRunOptions options;
    const AftState *state;
    AftRate *rate;
    AftLeaves leaves[AFT_TASKS];
    double in_flight, ios, moved_bytes; /* when what is remembered began */
    gboolean grows; /* more and more is in flight, of users who do not wait for answers */
} Measuring;

void aft_rate_free(AftRate *rate)
{
    if (rate != NULL) {
        aft_motion_free(rate->motion);
        aft_figures_free(rate->figures);
        g_clear_error(&rate->refused);
        g_free(rate);
    }
}

static guint32 replication_of(const char *key)
{
    g_autofree char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, key, -1);
    digest[8] = '\0';
    return (guint32)g_ascii_strtoull(digest, NULL, 16);
}

/* The cluster itself, to which nothing happens. */
static AftScenario undisturbed(const AftScenario *scenario)
{
    AftScenario alike = *scenario;
    alike.n_timeline = alike.n_faults = 0;
    alike.run.fidelity = AFT_FIDELITY_SAMPLED;
    alike.run.until = AFT_UNTIL_DURATION;
    alike.run.duration_ns = alike.run.trace_interval_ns = LENGTH_NS;
    alike.requirement = (AftRequirementSpec){0};
    return alike;
}

static gboolean is_stopped(const Measuring *it)
{
    gint *interrupted = it->options.interrupted;
    return interrupted != NULL && g_atomic_int_get(interrupted) != 0;
}

static gboolean is_left(void *context)
{
    const Measuring *it = context;
    return aft_state_is_left(it->state, it->walk.model, it->leaves);
}

static gint64 left_ns(void *context)
{
    const Measuring *it = context;
    gint64 remaining_ns = aft_pace_remaining_ns(it->walk.pace);
    double share = aft_state_share_left(it->state, it->walk.model, it->leaves);
    return remaining_ns == G_MAXINT64 || !aft_state_has_work(it->state)
               ? 0
               : (gint64)(share * (double)remaining_ns);
}

static double moved_bytes(const Measuring *it)
{
    double bytes = 0.0;
    for (guint task = 0; task < AFT_TASKS; task++) {
        bytes += aft_model_moved_bytes(it->walk.model, (AftTaskKind)task);
    }
    return bytes;
}

/* A buffer may leave its bin before any unit of a task is home: how fast that is needs to be seen.
 */
static gboolean is_seen(Measuring *it)
{
    gboolean moves = !aft_state_has_work(it->state) || moved_bytes(it) > it->moved_bytes;
    return moves && is_left(it);
}

static AftRate *rate_new(const Measuring *it)
{
    AftRate *rate = g_new0(AftRate, 1);
    rate->motion = aft_motion_new(it->walk.model);
    rate->figures = aft_figures_new();
    return rate;
}

static void begin(void *context)
{
    Measuring *it = context;
    AftRate *rate = it->rate;
    if (!aft_state_is_transient(it->state)) {
        aft_state_fill_again(it->state, it->walk.model);
    }
    aft_probe_gather(it->walk.probe, rate->figures);
    aft_motion_begin(rate->motion, it->walk.model);
    rate->length_ns = aft_engine_scenario_now(it->walk.engine);
    it->in_flight = aft_model_moment(it->walk.model).in_flight;
    it->ios = (double)it->walk.result->simulated_ios;
    it->moved_bytes = moved_bytes(it);
}

/* By more than chance makes of the I/Os that came meanwhile. */
static gboolean grows(const Measuring *it)
{
    double growth = aft_model_moment(it->walk.model).in_flight - it->in_flight;
    double ios = (double)it->walk.result->simulated_ios - it->ios;
    return aft_fast_may_grow(&it->scenario) && !aft_state_is_transient(it->state) &&
           growth > CHANCE * sqrt(MAX(ios, 1.0));
}

/* Interrupted, there may be nothing to end: not even time has passed. */
static void end(Measuring *it, const AftPace *pace)
{
    AftRate *rate = it->rate;
    aft_probe_gather(it->walk.probe, NULL);
    if (is_stopped(it)) {
        return;
    }
    aft_motion_end(rate->motion, it->walk.model, pace);
    double clock_per_s = aft_motion_clock_per_s(rate->motion);
    if (!isnan(clock_per_s) && !aft_state_is_transient(it->state)) {
        aft_figures_set_iops(rate->figures, clock_per_s);
    }
    rate->length_ns = aft_engine_scenario_now(it->walk.engine) - rate->length_ns;
    rate->simulated_s = (double)aft_engine_now(it->walk.engine) / 1e9;
    it->grows = grows(it);
}

static void simulate(Measuring *it, gint64 length_ns)
{
    gint64 end_ns = aft_engine_scenario_now(it->walk.engine) + length_ns;
    while (aft_engine_scenario_now(it->walk.engine) < end_ns && !aft_walk_is_over(&it->walk)) {
        aft_walk_simulate(&it->walk, end_ns, length_ns);
    }
}

/* Steps that follow each other while I/O waits; what is behind the last one is measured. */
static void measure_transient(Measuring *it)
{
    gint64 detect_ns = it->scenario.cluster.detect_ns;
    aft_walk_settle(&it->walk);
    for (guint i = 0; i < aft_state_steps(it->state); i++) {
        simulate(it, (gint64)(aft_state_waits_before(it->state, i) * (double)detect_ns));
        aft_state_step(it->state, it->walk.model, i);
    }
    begin(it);
    if (aft_model_flags(it->walk.model) & AFT_FLAG_STALL) {
        simulate(it, MAX(detect_ns, 1));
    } else {
        aft_walk_settle(&it->walk);
    }
    end(it, NULL);
}

/* Returns: whether there were windows. */
static gboolean measure_windows(Measuring *it)
{
    gboolean works = aft_state_has_work(it->state);
    double most_s = (double)it->scenario.run.max_simulated_ns / 1e9;
    AftWalkGoal goal = {
        .windows = works ? WINDOWS : CALM_WINDOWS,
        .most_s = works ? PARTS_MOST * most_s : most_s,
        .begin = begin,
        .is_reached = is_left,
        .left_ns = left_ns,
        .context = it,
    };
    guint windows = aft_walk_windows(&it->walk, &goal);
    if (windows >= 2) {
        end(it, it->walk.pace);
    }
    return windows >= 2;
}

/* Clients are at work when the tasks begin. */
static void measure_all(Measuring *it)
{
    aft_walk_settle(&it->walk);
    aft_model_wake_curator(it->walk.model);
    begin(it);
    gint64 began_ns = it->rate->length_ns, past_ns = 0;
    do {
        gint64 piece_ns = MAX(past_ns / PIECES, PIECE_NS);
        aft_walk_simulate(&it->walk, began_ns + past_ns + piece_ns, piece_ns);
        past_ns = aft_engine_scenario_now(it->walk.engine) - began_ns;
    } while (!is_seen(it) && past_ns < LONGEST_NS && !aft_walk_is_over(&it->walk));
    end(it, NULL);
}

static gboolean fill(Measuring *it, gboolean all)
{
    gboolean transient = aft_state_is_transient(it->state);
    if (all && !transient) {
        measure_all(it);
        return TRUE;
    }
    aft_model_wake_curator(it->walk.model);
    if (transient) {
        measure_transient(it);
    }
    return transient || measure_windows(it);
}

/* Returns: (transfer full) (nullable): NULL when no windows fit in. */
static AftRate *measure(Measuring *it, guint32 replication, gboolean all)
{
    g_autoptr(AftEngine) engine = aft_engine_new();
    g_autoptr(AftResult) result = aft_result_new();
    g_autoptr(AftProbe) probe = aft_probe_new(&it->scenario, result);
    it->walk = (AftWalk){
        .scenario = &it->scenario,
        .options = &it->options,
        .result = result,
        .engine = engine,
        .probe = probe,
        .measures = TRUE,
    };
    AftModelWatch watch = aft_walk_watch(&it->walk);
    g_autoptr(AftModel) model =
        aft_model_new_quiet(&it->scenario, engine, replication, &watch, FALSE);
    aft_probe_begin(probe, model, engine);
    it->walk.model = model;
    aft_state_enter(it->state, model, it->leaves);
    g_autoptr(AftPace) pace = aft_pace_new(model);
    it->walk.pace = pace;
    it->walk.phase = aft_model_phase(model);
    aft_model_wake_clients(model);
    g_autoptr(AftRate) rate = rate_new(it);
    it->rate = rate;
    return fill(it, all) ? g_steal_pointer(&rate) : NULL;
}

AftRate *aft_measure(const AftScenario *scenario, const char *key, const AftState *state,
                     gint *interrupted, GError **error)
{
    Measuring it = {
        .scenario = undisturbed(scenario),
        .options = {.interrupted = interrupted},
        .state = state,
    };
    guint32 replication = replication_of(key);
    AftRate *rate = measure(&it, replication, FALSE);
    if (rate == NULL && !is_stopped(&it)) {
        rate = measure(&it, replication, TRUE);
    }
    if (is_stopped(&it)) {
        g_clear_pointer(&rate, aft_rate_free);
    } else if (it.grows) {
        g_clear_pointer(&rate, aft_rate_free);
        g_set_error(
            error, AFT_ERROR, AFT_ERROR_CONFLICT,
            "fidelity flow: more and more I/O is in flight in a state of this cluster, which "
            "no rate describes; simulate it with --fidelity sampled");
    }
    return rate;
}
