/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "adaptive.h"

gboolean aft_adaptive_is_wanted(const AftScenario *scenario)
{
    return g_str_equal(scenario->background.scheduler.policy, "adaptive");
}

static void completed(void *context, const AftCompletion *completion)
{
    AftAdaptive *adaptive = context;
    adaptive->latency_ns += (double)completion->latency_ns;
    adaptive->completed++;
    if (adaptive->watch.completed != NULL) {
        adaptive->watch.completed(adaptive->watch.context, completion);
    }
}

static void disturbed(void *context)
{
    const AftAdaptive *adaptive = context;
    if (adaptive->watch.disturbed != NULL) {
        adaptive->watch.disturbed(adaptive->watch.context);
    }
}

static void load_changed(void *context)
{
    const AftAdaptive *adaptive = context;
    if (adaptive->watch.load_changed != NULL) {
        adaptive->watch.load_changed(adaptive->watch.context);
    }
}

static double next_share(const AftAdaptive *adaptive)
{
    const AftSchedulerSpec *spec = adaptive->spec;
    double share = adaptive->share;
    double mean_ns = adaptive->latency_ns / (double)adaptive->completed; /* NaN: nothing was */
    if (mean_ns > (double)spec->high_ns) {
        return MAX(share / 2.0, spec->least);
    }
    return mean_ns < (double)spec->low_ns ? MIN(share + spec->step, 1.0) : share;
}

static void look(void *context, gint64 now_ns)
{
    AftAdaptive *adaptive = context;
    double share = next_share(adaptive);
    adaptive->latency_ns = 0.0;
    adaptive->completed = 0;
    if (share != adaptive->share) {
        adaptive->share = share;
        aft_topology_throttle(adaptive->topology, share);
    }
    aft_engine_schedule(adaptive->topology->engine, now_ns + adaptive->spec->period_ns, look,
                        adaptive);
}

AftModelWatch aft_adaptive_start(AftAdaptive *adaptive, const AftScenario *scenario,
                                 AftTopology *topology, const AftModelWatch *watch)
{
    *adaptive = (AftAdaptive){
        .spec = &scenario->background.scheduler,
        .topology = topology,
        .watch = *watch,
        .share = 1.0,
    };
    AftEngine *engine = topology->engine;
    aft_engine_schedule(engine, aft_engine_now(engine) + adaptive->spec->period_ns, look, adaptive);
    return (AftModelWatch){
        .context = adaptive,
        .completed = completed,
        .disturbed = disturbed,
        .load_changed = load_changed,
    };
}
