/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows and skips. A stretch is what lies between two slow events that change how the cluster
 * works. Each begins with a transient of full I/O; after it, windows stand for the time around
 * them:
 *
 *     event | transient, all simulated | warm, window, skip | warm, window, skip | ... | event
 *
 * The slowest mode of the fast side is the random walk by which load leans to one node or
 * another, N I/Os in flight on H nodes at X a second: tau = (N / H)^2 / (X / H). Background units
 * in flight have a time of their own, theirs by their rate of completion. */
#include "walk.h"

#include <math.h>

#define TRANSIENT_TAUS   5
#define WINDOW_TAUS      2
#define WINDOW_IOS       1000.0 /* client completions a window has at least, expected */
#define NEAR_CRITICAL    3      /* times longer windows where a resource is nearly full */
#define NEARLY_FULL      0.85   /* utilisation from which it is */
#define LEAST_TAU_NS     10000000
#define LONGEST_WAIT_NS  10000000000 /* of a window for its completions */
#define LEAST_WINDOWS    12
#define LEAST_LEFT       3 /* windows a stretch has at least, however sure the phase is */
#define STEPS_OF_A_PHASE 20

/* What is known of the fast side in this stretch. */
typedef struct {
    gint64 tau_ns;
    double iops;
    gboolean near_critical;
    guint windows;   /* so far */
    guint in_flight; /* at the end of the last one */
    gboolean grows;  /* what is in flight has no bound */
} Fast;

static gint64 now_ns(const AftWalk *walk)
{
    return aft_engine_scenario_now(walk->engine);
}

static gint64 least_ns(gint64 a, gint64 b)
{
    return a < b ? a : b;
}

/* Up to where nothing slow happens that is known now. */
static gint64 quiet_until_ns(const AftWalk *walk)
{
    return least_ns(aft_engine_next_slow(walk->engine), aft_walk_end_ns(walk));
}

static gint64 measure_tau_ns(const AftWalk *walk, double iops, double units_per_s)
{
    AftMoment moment = aft_model_moment(walk->model);
    double nodes = walk->scenario->cluster.nodes;
    double lean = moment.in_flight / nodes;
    double tau_s = iops > 0.0 ? lean * lean / (iops / nodes) : 0.0;
    if (units_per_s > 0.0) {
        tau_s = MAX(tau_s, moment.units_in_flight / units_per_s);
    }
    return MAX((gint64)(tau_s * 1e9), LEAST_TAU_NS);
}

static double units_done(const AftWalk *walk)
{
    double units = 0.0;
    for (guint task = 0; task < AFT_TASKS; task++) {
        units += aft_model_moved_bytes(walk->model, (AftTaskKind)task) /
                 (double)walk->scenario->background.task[task].unit_bytes;
    }
    return units;
}

static gboolean stalls(const AftWalk *walk)
{
    return (aft_model_flags(walk->model) & AFT_FLAG_STALL) != 0;
}

/* Simulates until the fast side has forgotten how the stretch began: five tau, by a tau that is
 * measured on the way. Returns: FALSE when something slow came first. */
static gboolean pass_transient(AftWalk *walk, Fast *fast)
{
    gint64 began_ns = now_ns(walk);
    fast->tau_ns = LEAST_TAU_NS;
    while (stalls(walk) || now_ns(walk) - began_ns < TRANSIENT_TAUS * fast->tau_ns) {
        gint64 piece_ns = MAX(fast->tau_ns, LEAST_TAU_NS);
        gint64 from_ns = now_ns(walk);
        double units = units_done(walk);
        if (!aft_walk_simulate(walk, from_ns + piece_ns, piece_ns) || aft_walk_is_over(walk)) {
            return FALSE;
        }
        double length_s = (double)(now_ns(walk) - from_ns) / 1e9;
        fast->iops = aft_probe_iops(walk->probe);
        fast->tau_ns = measure_tau_ns(walk, fast->iops, (units_done(walk) - units) / length_s);
    }
    fast->in_flight = aft_model_moment(walk->model).in_flight;
    return TRUE;
}

static gint64 window_ns(const Fast *fast)
{
    gint64 length_ns = WINDOW_TAUS * fast->tau_ns;
    gint64 wait_ns = fast->iops > 0.0
                         ? (gint64)MIN(WINDOW_IOS * 1e9 / fast->iops, (double)LONGEST_WAIT_NS)
                         : LONGEST_WAIT_NS / 10;
    length_ns = MAX(length_ns, wait_ns);
    return fast->near_critical ? NEAR_CRITICAL * length_ns : length_ns;
}

static gboolean has_open_clients(const AftScenario *scenario)
{
    for (guint i = 0; i < scenario->n_workloads; i++) {
        if (scenario->workloads[i].kind == AFT_WORKLOAD_OPEN) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Learns from the window that has just ended. */
static void learn(AftWalk *walk, Fast *fast, double units_per_s, double ios)
{
    AftMoment moment = aft_model_moment(walk->model);
    double growth = (double)moment.in_flight - fast->in_flight;
    walk->windows++;
    fast->windows++;
    fast->iops = aft_probe_iops(walk->probe);
    fast->tau_ns = measure_tau_ns(walk, fast->iops, units_per_s);
    fast->near_critical = aft_probe_utilisation(walk->probe) > NEARLY_FULL && moment.owed == 0;
    fast->grows = has_open_clients(walk->scenario) && growth > 3.0 * sqrt(MAX(ios, 1.0));
    fast->in_flight = moment.in_flight;
}

/* How many windows there should still be before the next slow event: what the phase wants for its
 * precision, as soon as half a dozen have shown how much they scatter, and a few in any case. */
static double windows_left(const AftWalk *walk, const Fast *fast)
{
    AftPrecision precision = aft_probe_precision(walk->probe);
    double wanted = LEAST_WINDOWS;
    if (walk->windows >= LEAST_WINDOWS / 2 && !isnan(precision.worst)) {
        wanted = MAX(wanted, walk->windows * precision.worst * precision.worst);
    }
    if (precision.simulated_s >= (double)walk->scenario->run.max_simulated_ns / 1e9) {
        wanted = 0.0;
    }
    double few = fast->windows < LEAST_LEFT ? LEAST_LEFT - fast->windows : 1;
    return MAX(wanted - walk->windows, few);
}

/* How long to skip after a window, so that the windows the phase still wants are spread over what
 * is left of it, and nothing slow moves too far at once. */
static gint64 choose_skip_ns(const AftWalk *walk, const Fast *fast)
{
    gint64 until_ns = quiet_until_ns(walk);
    gint64 remaining_ns = aft_pace_remaining_ns(walk->pace);
    gint64 limit_ns = aft_pace_limit_ns(walk->pace);
    gint64 left_ns = least_ns(until_ns - now_ns(walk), remaining_ns);
    gint64 phase_ns = now_ns(walk) + left_ns - walk->phase_began_ns;
    gint64 busy_ns = fast->tau_ns + window_ns(fast);
    if (fast->grows) {
        return 0;
    }
    gint64 skip_ns = (gint64)((double)left_ns / windows_left(walk, fast)) - busy_ns;
    skip_ns = least_ns(skip_ns, least_ns(limit_ns, phase_ns / STEPS_OF_A_PHASE));
    skip_ns = least_ns(skip_ns, until_ns - now_ns(walk));
    return skip_ns > fast->tau_ns ? skip_ns : 0;
}

/* One window, with a warm-up after a skip, and the skip that follows. Returns: FALSE when
 * something slow came in between, or time is too short for it. */
static gboolean step(AftWalk *walk, Fast *fast, gint64 warm_ns, gint64 *ret_skip_ns)
{
    gint64 length_ns = window_ns(fast);
    if (now_ns(walk) + warm_ns + length_ns >= quiet_until_ns(walk)) {
        return FALSE;
    }
    walk->disturbed = FALSE;
    aft_probe_open(walk->probe);
    gboolean quiet = warm_ns == 0 || aft_walk_run(walk, now_ns(walk) + warm_ns);
    if (quiet) {
        aft_probe_restart(walk->probe);
        aft_pace_begin(walk->pace);
        double units = units_done(walk);
        quiet = aft_walk_run(walk, now_ns(walk) + length_ns);
        aft_probe_stop(walk->probe);
        if (quiet) {
            aft_pace_end(walk->pace);
            double length_s = (double)length_ns / 1e9;
            learn(walk, fast, (units_done(walk) - units) / length_s,
                  aft_probe_iops(walk->probe) * length_s);
            *ret_skip_ns = choose_skip_ns(walk, fast);
            aft_pace_skip(walk->pace, *ret_skip_ns);
        }
    }
    aft_walk_close_span(walk);
    return quiet && !walk->disturbed;
}

/* One stretch: transient, then windows until something slow is near, then all of I/O up to it. */
static void walk_stretch(AftWalk *walk)
{
    Fast fast = {0};
    gint64 skipped_ns = 0;
    if (!pass_transient(walk, &fast)) {
        return;
    }
    while (!aft_walk_is_over(walk) &&
           step(walk, &fast, skipped_ns > 0 ? fast.tau_ns : 0, &skipped_ns)) {
    }
    if (!walk->disturbed) {
        gint64 until_ns = quiet_until_ns(walk);
        aft_walk_simulate(walk, until_ns, MAX(until_ns - now_ns(walk), 1));
    }
}

void aft_walk_sampled(AftWalk *walk)
{
    while (!aft_walk_is_over(walk)) {
        walk_stretch(walk);
    }
}
