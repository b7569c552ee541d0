/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fast.h"

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
#define CHANCE               3.0 /* standard errors that tell growth from chance */

static gint64 now_ns(const AftWalk *walk)
{
    return aft_engine_scenario_now(walk->engine);
}

AftFast aft_fast_begin(const AftWalk *walk)
{
    return (AftFast){.began_ns = now_ns(walk)};
}

static gboolean is_near_critical(const AftFast *fast)
{
    return fast->utilisation > NEARLY_FULL && fast->owing < 0.5;
}

double aft_fast_coarser(const AftWalk *walk, const AftFast *fast)
{
    return is_near_critical(fast) ? 1.0 : aft_pace_coarser(walk->pace);
}

guint aft_fast_fewer(const AftWalk *walk, const AftFast *fast, guint usual, guint least)
{
    return MAX((guint)lround(usual / aft_fast_coarser(walk, fast)), least);
}

static void take_into(double *mean, double value, double n)
{
    *mean += (value - *mean) / n;
}

static guint window_taus(const AftWalk *walk, const AftFast *fast)
{
    return aft_fast_fewer(walk, fast, WINDOW_TAUS, FEWEST_WINDOW);
}

/* A share of 1 that was halved is raised again in as many periods as half of it has steps. */
static gint64 adaptive_tau_ns(const AftWalk *walk, const AftFast *fast)
{
    const AftSchedulerSpec *scheduler = &walk->scenario->background.scheduler;
    double cycle = 1.0 + 0.5 / scheduler->step;
    double periods = MAX(cycle / window_taus(walk, fast), LEAST_PERIODS);
    return (gint64)(periods * (double)scheduler->period_ns);
}

static gint64 least_tau_ns(const AftWalk *walk, const AftFast *fast)
{
    const AftSchedulerSpec *scheduler = &walk->scenario->background.scheduler;
    gboolean adapts = g_str_equal(scheduler->policy, "adaptive");
    gint64 least_ns = MAX(aft_model_relaxation_ns(walk->model), LEAST_TAU_NS);
    return adapts ? MAX(adaptive_tau_ns(walk, fast), least_ns) : least_ns;
}

static gint64 tau_ns(const AftWalk *walk, const AftFast *fast)
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
static void look(const AftWalk *walk, AftFast *fast, double units, double length_s)
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
static gboolean is_transient(const AftWalk *walk, AftFast *fast, gint64 began_ns)
{
    gint64 past_ns = now_ns(walk) - began_ns;
    fast->catching_up =
        past_ns < LONGEST_WAIT_NS && aft_pace_is_catching_up(walk->pace, fast->catching_up);
    gint64 transient_ns =
        aft_fast_fewer(walk, fast, TRANSIENT_TAUS, FEWEST_TRANSIENT) * fast->tau_ns;
    if (walk->measures && past_ns >= LONGEST_TRANSIENT_NS) {
        return FALSE; /* more and more is in flight: it has no end */
    }
    return stalls(walk) || past_ns < transient_ns || fast->catching_up;
}

gboolean aft_fast_pass_transient(AftWalk *walk, AftFast *fast)
{
    gint64 began_ns = now_ns(walk);
    fast->tau_ns = least_tau_ns(walk, fast);
    while (is_transient(walk, fast, began_ns)) {
        gint64 piece_ns = walk->measures ? MIN(fast->tau_ns, LONGEST_WAIT_NS) : fast->tau_ns;
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

gint64 aft_fast_window_ns(const AftWalk *walk, const AftFast *fast)
{
    gint64 length_ns = window_taus(walk, fast) * fast->tau_ns;
    gint64 wait_ns = fast->iops > 0.0
                         ? (gint64)MIN(WINDOW_IOS * 1e9 / fast->iops, (double)LONGEST_WAIT_NS)
                         : LONGEST_WAIT_NS / 10;
    length_ns = MAX(length_ns, wait_ns);
    length_ns = is_near_critical(fast) ? NEAR_CRITICAL * length_ns : length_ns;
    length_ns = walk->measures ? MIN(length_ns, LONGEST_WAIT_NS) : length_ns;
    return whole_beats_ns(walk, length_ns);
}

gboolean aft_fast_may_grow(const AftScenario *scenario)
{
    for (guint i = 0; i < scenario->n_workloads; i++) {
        if (scenario->workloads[i].kind == AFT_WORKLOAD_OPEN) {
            return TRUE;
        }
    }
    return FALSE;
}

gboolean aft_fast_grows(const AftFast *fast)
{
    double growth = fast->last.in_flight - fast->older.in_flight;
    double ios = fast->last.ios - fast->older.ios;
    return growth > CHANCE * sqrt(MAX(ios, 1.0));
}

static gboolean is_power_of_two(guint n)
{
    return (n & (n - 1)) == 0;
}

void aft_fast_learn(AftWalk *walk, AftFast *fast, double units, double length_s)
{
    look(walk, fast, units, length_s);
    walk->windows++;
    fast->windows++;
    fast->last.ios += aft_probe_iops(walk->probe) * length_s;
    if (aft_fast_may_grow(walk->scenario) && aft_fast_grows(fast)) {
        aft_probe_flag(walk->probe, AFT_FLAG_UNBOUNDED);
    }
    if (is_power_of_two(fast->windows)) {
        fast->older = fast->newer;
        fast->newer = fast->last;
    }
}

gint64 aft_fast_busy_ns(const AftWalk *walk, const AftFast *fast)
{
    return fast->tau_ns + aft_fast_window_ns(walk, fast);
}
