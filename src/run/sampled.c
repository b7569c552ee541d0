/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows and skips. A stretch is what lies between two slow events that change how the cluster
 * works. Each begins with a transient of full I/O; after it, windows stand for the time around
 * them, with half a skip on either side, so that what drifts is seen in the middle:
 *
 *     event | transient, all simulated | window, skip | skip, warm, window, skip | ... | event
 *
 * The slowest mode of the fast side is the random walk by which load leans to one node or
 * another, N I/Os in flight on H nodes at X a second: tau = (N / H)^2 / (X / H). Background units
 * in flight have a time of their own, theirs by their rate of completion, and so have bursts of
 * arrivals. So has a scheduler that adapts: a window holds all of the time in which a share that
 * was halved is raised again, and a transient the time in which it goes from one end to the other.
 */
#include "walk.h"

#include <math.h>

#define TRANSIENT_TAUS       5
#define FEWEST_TRANSIENT     3 /* where figures need not be precise */
#define WINDOW_TAUS          2
#define FEWEST_WINDOW        1      /* where figures need not be precise */
#define WINDOW_IOS           1000.0 /* client completions a window has at least, expected */
#define NEAR_CRITICAL        3      /* times longer windows where a resource is nearly full */
#define NEARLY_FULL          0.85   /* utilisation from which it is */
#define LEAST_TAU_NS         10000000
#define LEAST_PERIODS        2.0         /* tau is at least so many of a scheduler that adapts */
#define LONGEST_WAIT_NS      10000000000 /* of a window for its completions */
#define LONGEST_TRANSIENT_NS (6 * LONGEST_WAIT_NS) /* before a state that is measured */
#define LEAST_BEATS          4                     /* of units under a cap that a window has */
#define LEAST_WINDOWS        12
#define FEWEST_WINDOWS       4 /* where figures need not be precise */
#define LEAST_LEFT           3 /* windows a stretch has at least, however sure the phase is */
#define FEWEST_LEFT          1
#define STEPS_OF_A_PHASE     20
#define FEWEST_STEPS         5
#define CHANCE               3.0 /* standard errors that tell growth from chance */
#define BEHIND               2   /* a stretch has lasted at least so many times a skip */
#define FEWEST_BEHIND        1   /* where figures need not be precise */

/* How much was in flight once, and how many I/Os had completed in windows by then. */
typedef struct {
    double in_flight, ios;
} Mark;

/* What is known of the fast side in this stretch. Its means are over all windows so far: a warm-up
 * or window that depended on how busy the one before was would not be a fair sample. Begun while
 * much is in flight, say, and longer for it, a warm-up would swallow the I/Os that complete when
 * less is, and windows would see too few of them. */
typedef struct {
    guint windows;
    double iops, units_per_s;          /* means */
    double in_flight, units_in_flight; /* means, at the ends of windows */
    double utilisation, owing;         /* mean; share of windows that ended with owed work */
    Mark older, newer, last;           /* newer: at the last power of two windows; older: before */
    gint64 tau_ns;
    gint64 began_ns;      /* the stretch, scenario time */
    gint64 skip_ns;       /* still to be skipped before the next window */
    gboolean catching_up; /* users are, since the stretch began */
    gboolean turned;      /* buffers have become full, or are so no longer: it ends here */
} Fast;

static gint64 now_ns(const AftWalk *walk)
{
    return aft_engine_scenario_now(walk->engine);
}

static gboolean is_near_critical(const Fast *fast)
{
    return fast->utilisation > NEARLY_FULL && fast->owing < 0.5;
}

/* How many times coarser it may be where figures need not be precise. Where a resource is nearly
 * full it may not: what is in flight then moves too slowly for few short windows to see where it
 * goes. */
static double coarser(const AftWalk *walk, const Fast *fast)
{
    return is_near_critical(fast) ? 1.0 : aft_pace_coarser(walk->pace);
}

/* @usual of something, or fewer if it may be coarser. */
static guint fewer(const AftWalk *walk, const Fast *fast, guint usual, guint least)
{
    return MAX((guint)lround(usual / coarser(walk, fast)), least);
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

static void take_into(double *mean, double value, double n)
{
    *mean += (value - *mean) / n;
}

static guint window_taus(const AftWalk *walk, const Fast *fast)
{
    return fewer(walk, fast, WINDOW_TAUS, FEWEST_WINDOW);
}

/* A share of 1 that was halved is raised again in as many periods as half of it has steps. */
static gint64 adaptive_tau_ns(const AftWalk *walk, const Fast *fast)
{
    const AftSchedulerSpec *scheduler = &walk->scenario->background.scheduler;
    double cycle = 1.0 + 0.5 / scheduler->step;
    double periods = MAX(cycle / window_taus(walk, fast), LEAST_PERIODS);
    return (gint64)(periods * (double)scheduler->period_ns);
}

static gint64 least_tau_ns(const AftWalk *walk, const Fast *fast)
{
    const AftSchedulerSpec *scheduler = &walk->scenario->background.scheduler;
    gboolean adapts = g_str_equal(scheduler->policy, "adaptive");
    gint64 least_ns = MAX(aft_model_relaxation_ns(walk->model), LEAST_TAU_NS);
    return adapts ? MAX(adaptive_tau_ns(walk, fast), least_ns) : least_ns;
}

static gint64 tau_ns(const AftWalk *walk, const Fast *fast)
{
    double nodes = walk->scenario->cluster.nodes;
    double lean = fast->in_flight / nodes;
    double tau_s = fast->iops > 0.0 ? lean * lean / (fast->iops / nodes) : 0.0;
    if (fast->units_per_s > 0.0) {
        tau_s = MAX(tau_s, fast->units_in_flight / fast->units_per_s);
    }
    return MAX((gint64)(tau_s * 1e9), least_tau_ns(walk, fast));
}

/* Takes what was simulated for @length_s, in which @units were done, into the means. */
static void look(const AftWalk *walk, Fast *fast, double units, double length_s)
{
    AftMoment moment = aft_model_moment(walk->model);
    double n = fast->windows + 1.0;
    take_into(&fast->iops, aft_probe_iops(walk->probe), n);
    take_into(&fast->units_per_s, units / length_s, n);
    take_into(&fast->in_flight, moment.in_flight, n);
    take_into(&fast->units_in_flight, moment.units_in_flight + moment.destages, n);
    take_into(&fast->utilisation, aft_probe_utilisation(walk->probe), n);
    take_into(&fast->owing, moment.owed > 0, n);
    fast->last.in_flight = moment.in_flight;
    fast->tau_ns = tau_ns(walk, fast);
}

static gboolean stalls(const AftWalk *walk)
{
    return (aft_model_flags(walk->model) & AFT_FLAG_STALL) != 0;
}

/* Whether a stretch that began at @began_ns must not skip yet. A little that is owed, as after I/O
 * that waited for a death to be known, is worked off before windows could tell how fast. */
static gboolean is_transient(const AftWalk *walk, Fast *fast, gint64 began_ns)
{
    gint64 past_ns = now_ns(walk) - began_ns;
    fast->catching_up =
        past_ns < LONGEST_WAIT_NS && aft_pace_is_catching_up(walk->pace, fast->catching_up);
    gint64 transient_ns = fewer(walk, fast, TRANSIENT_TAUS, FEWEST_TRANSIENT) * fast->tau_ns;
    if (walk->measures && past_ns >= LONGEST_TRANSIENT_NS) {
        return FALSE; /* more and more is in flight: it has no end */
    }
    return stalls(walk) || past_ns < transient_ns || fast->catching_up;
}

/* Simulates until the fast side has forgotten how the stretch began: five tau, by a tau that is
 * measured on the way. Returns: FALSE when something slow came first. */
static gboolean pass_transient(AftWalk *walk, Fast *fast)
{
    gint64 began_ns = now_ns(walk);
    fast->tau_ns = least_tau_ns(walk, fast);
    while (is_transient(walk, fast, began_ns)) {
        gint64 piece_ns = walk->measures ? least_ns(fast->tau_ns, LONGEST_WAIT_NS) : fast->tau_ns;
        gint64 from_ns = now_ns(walk);
        double units = aft_model_units_done(walk->model);
        if (!aft_walk_simulate(walk, from_ns + piece_ns, piece_ns) || aft_walk_is_over(walk)) {
            return FALSE;
        }
        look(walk, fast, aft_model_units_done(walk->model) - units,
             (double)(now_ns(walk) - from_ns) / 1e9);
    }
    fast->older = fast->newer = fast->last;
    return TRUE;
}

/* Units under a cap come at even times: a window of whole beats sees as many as it stands for, and
 * one of some beats hardly feels that the last unit of a member is smaller. */
static gint64 whole_beats_ns(const AftWalk *walk, gint64 length_ns)
{
    gint64 beat_ns = aft_model_beat_ns(walk->model);
    if (beat_ns == 0 || beat_ns > LONGEST_WAIT_NS / LEAST_BEATS) {
        return length_ns;
    }
    return MAX((length_ns + beat_ns - 1) / beat_ns, LEAST_BEATS) * beat_ns;
}

static gint64 window_ns(const AftWalk *walk, const Fast *fast)
{
    gint64 length_ns = window_taus(walk, fast) * fast->tau_ns;
    gint64 wait_ns = fast->iops > 0.0
                         ? (gint64)MIN(WINDOW_IOS * 1e9 / fast->iops, (double)LONGEST_WAIT_NS)
                         : LONGEST_WAIT_NS / 10;
    length_ns = MAX(length_ns, wait_ns);
    length_ns = is_near_critical(fast) ? NEAR_CRITICAL * length_ns : length_ns;
    length_ns = walk->measures ? least_ns(length_ns, LONGEST_WAIT_NS) : length_ns;
    return whole_beats_ns(walk, length_ns);
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

/* Whether more and more is in flight, over the latter half of the windows or longer, beyond what
 * chance makes of the I/Os that came meanwhile: then no window stands for any other time. */
static gboolean grows(const Fast *fast)
{
    double growth = fast->last.in_flight - fast->older.in_flight;
    double ios = fast->last.ios - fast->older.ios;
    return growth > CHANCE * sqrt(MAX(ios, 1.0));
}

static gboolean is_power_of_two(guint n)
{
    return (n & (n - 1)) == 0;
}

/* Learns from the window of @length_s that has just ended. */
static void learn(AftWalk *walk, Fast *fast, double units, double length_s)
{
    look(walk, fast, units, length_s);
    walk->windows++;
    fast->windows++;
    fast->last.ios += aft_probe_iops(walk->probe) * length_s;
    if (has_open_clients(walk->scenario) && grows(fast)) {
        aft_probe_flag(walk->probe, AFT_FLAG_UNBOUNDED);
    }
    if (is_power_of_two(fast->windows)) {
        fast->older = fast->newer;
        fast->newer = fast->last;
    }
}

/* How much I/O the phase may still simulate, s. */
static double may_simulate_s(const AftWalk *walk, const Fast *fast)
{
    double simulated_s = aft_probe_precision(walk->probe).simulated_s;
    double most_s = (double)walk->scenario->run.max_simulated_ns / 1e9;
    return most_s / coarser(walk, fast) - simulated_s;
}

static gint64 busy_ns(const AftWalk *walk, const Fast *fast)
{
    return fast->tau_ns + window_ns(walk, fast);
}

/* How many windows there should still be before the next slow event: what the phase wants for its
 * precision, and for that of what moves, as soon as half a dozen have shown how much they
 * scatter, or what it may have, if that is less, evenly spread; and a few in any case. */
static double windows_left(const AftWalk *walk, const Fast *fast)
{
    AftPrecision precision = aft_probe_precision(walk->probe);
    guint least = fewer(walk, fast, LEAST_WINDOWS, FEWEST_WINDOWS);
    double wanted = least;
    if (walk->windows >= MIN(least, LEAST_WINDOWS / 2) && !isnan(precision.worst)) {
        double worst = precision.worst * aft_pace_coarser(walk->pace) / coarser(walk, fast);
        wanted = MAX(wanted, walk->windows * worst * worst);
    }
    double doubt = aft_pace_doubt(walk->pace);
    wanted = MAX(wanted, walk->windows + fast->windows * (doubt * doubt - 1.0));
    double may = may_simulate_s(walk, fast) / ((double)busy_ns(walk, fast) / 1e9);
    guint least_left = fewer(walk, fast, LEAST_LEFT, FEWEST_LEFT);
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
static gint64 goal_skip_ns(const AftWalk *walk, const Fast *fast, gint64 limit_ns)
{
    gint64 left_ns = walk->goal->left_ns(walk->goal->context);
    double doubt = aft_pace_doubt(walk->pace), wanted = fast->windows * (doubt * doubt - 1.0);
    double simulated_s = (double)(aft_engine_now(walk->engine) - walk->goal_began_ns) / 1e9;
    double may = (walk->goal->most_s - simulated_s) / ((double)busy_ns(walk, fast) / 1e9);
    double windows = MAX((double)walk->goal->windows - fast->windows, MIN(wanted, may));
    gint64 spread_ns = (gint64)((double)left_ns / MAX(windows, 1.0));
    gint64 skip_ns = least_ns(spread_ns - busy_ns(walk, fast), limit_ns);
    return skip_ns > fast->tau_ns ? skip_ns : 0;
}

/* How long to skip after a window, so that windows as @spread says are spread over what is left,
 * and nothing slow moves too far at once. Skips grow with what is known: the first windows of a
 * stretch are close together and stand for little. */
static gint64 choose_skip_ns(const AftWalk *walk, const Fast *fast, const Spread *spread)
{
    gint64 limit_ns = aft_pace_limit_ns(walk->pace);
    gint64 phase_left_ns = left_ns(walk);
    gint64 phase_ns = now_ns(walk) + phase_left_ns - walk->phase_began_ns;
    gint64 behind_ns = now_ns(walk) - fast->began_ns;
    gboolean on_edge = aft_pace_is_on_edge(walk->pace) && may_simulate_s(walk, fast) > 0.0;
    if (grows(fast) || on_edge || fast->turned || aft_model_replays(walk->model)) {
        return 0;
    }
    if (walk->goal != NULL) {
        return goal_skip_ns(walk, fast, limit_ns);
    }
    gint64 skip_ns = (gint64)((double)phase_left_ns / spread->windows) - spread->busy_ns;
    skip_ns = least_ns(skip_ns, behind_ns / fewer(walk, fast, BEHIND, FEWEST_BEHIND));
    skip_ns =
        least_ns(skip_ns,
                 least_ns(limit_ns, phase_ns / fewer(walk, fast, STEPS_OF_A_PHASE, FEWEST_STEPS)));
    skip_ns = least_ns(skip_ns, quiet_until_ns(walk) - now_ns(walk));
    return skip_ns > fast->tau_ns ? skip_ns : 0;
}

/* Whether a window of @fast still fits in after a skip of @skip_ns, before something slow comes. */
static gboolean fits(const AftWalk *walk, const Fast *fast, gint64 skip_ns)
{
    gint64 warm_ns = skip_ns > 0 ? fast->tau_ns : 0;
    return now_ns(walk) + skip_ns + warm_ns + window_ns(walk, fast) < quiet_until_ns(walk);
}

/* Measures for @length_ns, learns from it, and skips the first half of what may be skipped now; all
 * of it when no window fits in behind. Returns: FALSE when something slow came in between. */
static gboolean measure(AftWalk *walk, Fast *fast, gint64 length_ns)
{
    Spread spread = {windows_left(walk, fast), busy_ns(walk, fast)};
    double units = aft_model_units_done(walk->model);
    aft_probe_restart(walk->probe);
    aft_pace_begin(walk->pace);
    gboolean quiet = aft_walk_run(walk, now_ns(walk) + length_ns);
    aft_probe_stop(walk->probe);
    if (quiet) {
        double length_s = (double)length_ns / 1e9;
        aft_pace_end(walk->pace);
        learn(walk, fast, aft_model_units_done(walk->model) - units, length_s);
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
static gboolean step(AftWalk *walk, Fast *fast)
{
    gint64 skip_ns = fast->skip_ns, length_ns = window_ns(walk, fast);
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
    Fast fast = {.began_ns = now_ns(walk)};
    if (!pass_transient(walk, &fast)) {
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
        Fast fast = {.began_ns = now_ns(walk)};
        settled = pass_transient(walk, &fast);
    }
}

/* Whether what is known of the state is precise enough, or has taken long enough. */
static gboolean is_enough(const AftWalk *walk, const Fast *fast)
{
    const AftWalkGoal *goal = walk->goal;
    double simulated_s = (double)(aft_engine_now(walk->engine) - walk->goal_began_ns) / 1e9;
    AftPrecision precision = aft_probe_precision(walk->probe);
    gboolean precise = precision.worst <= 1.0 && aft_pace_doubt(walk->pace) <= 1.0;
    return fast->windows >= goal->windows && (precise || simulated_s >= goal->most_s);
}

guint aft_walk_windows(AftWalk *walk, const AftWalkGoal *goal)
{
    Fast fast = {.began_ns = now_ns(walk)};
    walk->goal_began_ns = aft_engine_now(walk->engine);
    gboolean goes_on = pass_transient(walk, &fast);
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
