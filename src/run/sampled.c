/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows and skips. A stretch is what lies between two slow events that change how the cluster
 * works. Each begins with a transient of full I/O; after it, windows stand for the time around
 * them, with half a skip on either side, so that what drifts is seen in the middle:
 *
 *     event | transient, all simulated | window, skip | skip, warm, window, skip | ... | event
 *
 * How long transients, warm-ups and windows have to be, fast.h tells.
 */
#include "fast.h"

#include <math.h>

#define LEAST_WINDOWS    12
#define FEWEST_WINDOWS   4 /* where figures need not be precise */
#define LEAST_LEFT       3 /* windows a stretch has at least, however sure the phase is */
#define FEWEST_LEFT      1
#define STEPS_OF_A_PHASE 20
#define FEWEST_STEPS     5
#define BEHIND           2 /* a stretch has lasted at least so many times a skip */
#define FEWEST_BEHIND    1 /* where figures need not be precise */

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

/* How much I/O the phase may still simulate, s. */
static double may_simulate_s(const AftWalk *walk, const AftFast *fast)
{
    double simulated_s = aft_probe_precision(walk->probe).simulated_s;
    double most_s = (double)walk->scenario->run.max_simulated_ns / 1e9;
    return most_s / aft_fast_coarser(walk, fast) - simulated_s;
}

/* How many windows there should still be before the next slow event: what the phase wants for its
 * precision, and for that of what moves, as soon as half a dozen have shown how much they
 * scatter, or what it may have, if that is less, evenly spread; and a few in any case. */
static double windows_left(const AftWalk *walk, const AftFast *fast)
{
    AftPrecision precision = aft_probe_precision(walk->probe);
    guint least = aft_fast_fewer(walk, fast, LEAST_WINDOWS, FEWEST_WINDOWS);
    double wanted = least;
    if (walk->windows >= MIN(least, LEAST_WINDOWS / 2) && !isnan(precision.worst)) {
        double worst =
            precision.worst * aft_pace_coarser(walk->pace) / aft_fast_coarser(walk, fast);
        wanted = MAX(wanted, walk->windows * worst * worst);
    }
    double doubt = aft_pace_doubt(walk->pace);
    wanted = MAX(wanted, walk->windows + fast->windows * (doubt * doubt - 1.0));
    double may = may_simulate_s(walk, fast) / ((double)aft_fast_busy_ns(walk, fast) / 1e9);
    guint least_left = aft_fast_fewer(walk, fast, LEAST_LEFT, FEWEST_LEFT);
    double few = fast->windows < least_left ? least_left - fast->windows : 1;
    return MAX(MIN(wanted - walk->windows, may), few);
}

/* How to spread windows over what is left of a phase. Decided before a window is seen: windows of
 * rare delays would ask for more and longer ones, hence stand for less time themselves, and such
 * delays would count too little. */
typedef struct {
    double windows;
    gint64 busy_ns; /* a window takes, with its warm-up */
} Spread;

/* How long the phase is still likely to take: transfers outlast most slow events. */
static gint64 left_ns(const AftWalk *walk)
{
    gint64 until_ns = quiet_until_ns(walk) - now_ns(walk);
    gint64 remaining_ns = aft_pace_remaining_ns(walk->pace);
    gboolean moves = aft_model_moment(walk->model).units_in_flight > 0;
    return moves && remaining_ns != G_MAXINT64 ? remaining_ns : least_ns(until_ns, remaining_ns);
}

/* Windows that see one state are spread over all of it. */
static gint64 goal_skip_ns(const AftWalk *walk, const AftFast *fast, gint64 limit_ns)
{
    gint64 left_ns = walk->goal->left_ns(walk->goal->context);
    double doubt = aft_pace_doubt(walk->pace), wanted = fast->windows * (doubt * doubt - 1.0);
    double simulated_s = (double)(aft_engine_now(walk->engine) - walk->goal_began_ns) / 1e9;
    double may = (walk->goal->most_s - simulated_s) / ((double)aft_fast_busy_ns(walk, fast) / 1e9);
    double windows = MAX((double)walk->goal->windows - fast->windows, MIN(wanted, may));
    gint64 spread_ns = (gint64)((double)left_ns / MAX(windows, 1.0));
    gint64 skip_ns = least_ns(spread_ns - aft_fast_busy_ns(walk, fast), limit_ns);
    return skip_ns > fast->tau_ns ? skip_ns : 0;
}

/* How long to skip after a window, so that windows as @spread says are spread over what is left,
 * and nothing slow moves too far at once. Skips grow with what is known: the first windows of a
 * stretch are close together and stand for little. */
static gint64 choose_skip_ns(const AftWalk *walk, const AftFast *fast, const Spread *spread)
{
    gint64 limit_ns = aft_pace_limit_ns(walk->pace);
    gint64 phase_left_ns = left_ns(walk);
    gint64 phase_ns = now_ns(walk) + phase_left_ns - walk->phase_began_ns;
    gint64 behind_ns = now_ns(walk) - fast->began_ns;
    gboolean on_edge = aft_pace_is_on_edge(walk->pace) && may_simulate_s(walk, fast) > 0.0;
    if (aft_fast_grows(fast) || on_edge || fast->turned || aft_model_replays(walk->model)) {
        return 0;
    }
    if (walk->goal != NULL) {
        return goal_skip_ns(walk, fast, limit_ns);
    }
    gint64 skip_ns = (gint64)((double)phase_left_ns / spread->windows) - spread->busy_ns;
    skip_ns = least_ns(skip_ns, behind_ns / aft_fast_fewer(walk, fast, BEHIND, FEWEST_BEHIND));
    skip_ns =
        least_ns(skip_ns, least_ns(limit_ns, phase_ns / aft_fast_fewer(walk, fast, STEPS_OF_A_PHASE,
                                                                       FEWEST_STEPS)));
    skip_ns = least_ns(skip_ns, quiet_until_ns(walk) - now_ns(walk));
    return skip_ns > fast->tau_ns ? skip_ns : 0;
}

/* Whether a window of @fast still fits in after a skip of @skip_ns, before something slow comes. */
static gboolean fits(const AftWalk *walk, const AftFast *fast, gint64 skip_ns)
{
    gint64 warm_ns = skip_ns > 0 ? fast->tau_ns : 0;
    return now_ns(walk) + skip_ns + warm_ns + aft_fast_window_ns(walk, fast) < quiet_until_ns(walk);
}

/* Measures for @length_ns, learns from it, and skips the first half of what may be skipped now; all
 * of it when no window fits in behind. Returns: FALSE when something slow came in between. */
static gboolean measure(AftWalk *walk, AftFast *fast, gint64 length_ns)
{
    Spread spread = {windows_left(walk, fast), aft_fast_busy_ns(walk, fast)};
    double units = aft_model_units_done(walk->model);
    aft_probe_restart(walk->probe);
    aft_pace_begin(walk->pace);
    gboolean quiet = aft_walk_run(walk, now_ns(walk) + length_ns);
    aft_probe_stop(walk->probe);
    if (quiet) {
        double length_s = (double)length_ns / 1e9;
        aft_pace_end(walk->pace);
        aft_fast_learn(walk, fast, aft_model_units_done(walk->model) - units, length_s);
        fast->turned = aft_model_buffers_turned(walk->model);
        gint64 skip_ns = choose_skip_ns(walk, fast, &spread);
        fast->skip_ns = fits(walk, fast, skip_ns) ? skip_ns / 2 : 0;
        aft_pace_skip(walk->pace, skip_ns - fast->skip_ns);
        fast->turned |= aft_model_buffers_turned(walk->model);
    }
    return quiet;
}

/* One window in the middle of what it stands for: the second half of the skip before, a warm-up if
 * there was one, the window, the first half of the skip behind. Returns: FALSE when something slow
 * came in between, buffers turned, or time is too short for it. */
static gboolean step(AftWalk *walk, AftFast *fast)
{
    gint64 skip_ns = fast->skip_ns, length_ns = aft_fast_window_ns(walk, fast);
    if (!fits(walk, fast, skip_ns)) {
        return FALSE;
    }
    walk->disturbed = FALSE;
    fast->skip_ns = 0;
    aft_probe_open(walk->probe);
    aft_pace_skip(walk->pace, skip_ns);
    gboolean quiet = skip_ns == 0 || aft_walk_run(walk, now_ns(walk) + fast->tau_ns);
    walk->disturbed |= !(quiet && measure(walk, fast, length_ns));
    aft_walk_close_span(walk);
    return !walk->disturbed && !fast->turned;
}

/* One stretch: transient, then windows until something slow is near, then all of I/O up to it. */
static void walk_stretch(AftWalk *walk)
{
    AftFast fast = aft_fast_begin(walk);
    if (!aft_fast_pass_transient(walk, &fast)) {
        return;
    }
    aft_model_buffers_turned(walk->model); /* or they have, in what was simulated */
    while (!aft_walk_is_over(walk) && step(walk, &fast)) {
    }
    if (fast.turned) {
        aft_pace_forget(walk->pace);
    } else if (!walk->disturbed) {
        gint64 until_ns = quiet_until_ns(walk);
        aft_walk_simulate(walk, until_ns, MAX(until_ns - now_ns(walk), 1));
    }
}

void aft_walk_settle(AftWalk *walk)
{
    gboolean settled = FALSE;
    while (!settled && !aft_walk_is_over(walk)) {
        AftFast fast = aft_fast_begin(walk);
        settled = aft_fast_pass_transient(walk, &fast);
    }
}

/* Whether what is known of the state is precise enough, or has taken long enough. */
static gboolean is_enough(const AftWalk *walk, const AftFast *fast)
{
    const AftWalkGoal *goal = walk->goal;
    double simulated_s = (double)(aft_engine_now(walk->engine) - walk->goal_began_ns) / 1e9;
    AftPrecision precision = aft_probe_precision(walk->probe);
    gboolean precise = precision.worst <= 1.0 && aft_pace_doubt(walk->pace) <= 1.0;
    return fast->windows >= goal->windows && (precise || simulated_s >= goal->most_s);
}

guint aft_walk_windows(AftWalk *walk, const AftWalkGoal *goal)
{
    AftFast fast = aft_fast_begin(walk);
    walk->goal_began_ns = aft_engine_now(walk->engine);
    gboolean goes_on = aft_fast_pass_transient(walk, &fast);
    walk->goal = goal;
    goal->begin(goal->context);
    aft_model_buffers_turned(walk->model);
    while (goes_on && !aft_walk_is_over(walk) && !goal->is_reached(goal->context) &&
           !is_enough(walk, &fast)) {
        goes_on = step(walk, &fast) || fast.turned;
    }
    walk->goal = NULL;
    return fast.windows;
}

void aft_walk_sampled(AftWalk *walk)
{
    while (!aft_walk_is_over(walk)) {
        walk_stretch(walk);
    }
}
