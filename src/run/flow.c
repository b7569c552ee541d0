/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From slow event to slow event with nothing simulated: what the cluster does in between is
 * remembered, state by state, or measured now. */
#include "rate.h"

#include <aftershock/base/error.h>
#include <string.h>

#define BEYOND_NS  1000    /* behind an edge, so that rounding does not leave it before that */
#define MOST_STEPS 1000000 /* of a run */
#define SHOWN      300     /* bytes of a state in a message */
#define LONGEST    10000   /* history of a state, in steps */

typedef struct {
    AftWalk *walk;
    AftState *state;
    AftRates *rates, *overflow; /* overflow (nullable): where rates have no room */
    char *digest;
    gint64 began_ns; /* the state, if it is transient */
    guint steps;
} Flow;

static gint64 now_ns(const Flow *flow)
{
    return aft_engine_scenario_now(flow->walk->engine);
}

static gint64 after(gint64 now_ns, gint64 by_ns)
{
    return by_ns < G_MAXINT64 - now_ns - BEYOND_NS ? now_ns + by_ns + BEYOND_NS : G_MAXINT64;
}

/* Up to where the state stays the same. */
static gint64 until_ns(const Flow *flow, const AftRate *rate)
{
    const AftWalk *walk = flow->walk;
    gint64 until = MIN(aft_engine_next_slow(walk->engine), aft_walk_end_ns(walk));
    if (!aft_state_is_transient(flow->state)) {
        until = MIN(until, after(now_ns(flow), aft_motion_end_ns(rate->motion, walk->model)));
        until = MIN(until, after(now_ns(flow), aft_state_edge_ns(flow->state, rate->motion)));
    } else if (!(aft_model_flags(walk->model) & AFT_FLAG_STALL)) {
        until = MIN(until, flow->began_ns + rate->length_ns);
    }
    return until;
}

/* The engine stops at each that changes something, so that steps are noted in their order. */
static void let_slow_events_run(Flow *flow)
{
    AftWalk *walk = flow->walk;
    walk->disturbed = FALSE;
    while (aft_engine_next_slow(walk->engine) == now_ns(flow)) {
        aft_engine_run(walk->engine, now_ns(flow));
        aft_state_note(flow->state);
    }
}

/* A transient state ends by itself when it has lasted as long as it was seen to. */
static void look(Flow *flow, const AftRate *rate)
{
    if (aft_state_look(flow->state)) {
        flow->began_ns = now_ns(flow);
    } else if (aft_state_is_transient(flow->state) &&
               !(aft_model_flags(flow->walk->model) & AFT_FLAG_STALL) &&
               now_ns(flow) >= flow->began_ns + rate->length_ns) {
        aft_state_settle(flow->state);
    }
}

/* What happens where it has come to belongs to its end, as where all is simulated. Owed work that
 * came while I/O was served from it had waited; else it waits as windows saw. */
static void carry(Flow *flow, const AftRate *rate, gint64 until)
{
    AftWalk *walk = flow->walk;
    aft_probe_open(walk->probe);
    double waited_ns = aft_motion_skip(rate->motion, walk->model, until - now_ns(flow));
    aft_probe_reach(walk->probe); /* before anything happens there */
    look(flow, rate);
    let_slow_events_run(flow);
    aft_probe_recall(walk->probe, rate->figures, waited_ns);
}

static const AftRate *rate_of(Flow *flow, GError **error)
{
    const AftWalk *walk = flow->walk;
    AftAsked asked = {walk->scenario, flow->digest, flow->state, walk->options->interrupted};
    return aft_rates_get(flow->rates, flow->overflow, &asked, error);
}

static gboolean stands(const Flow *flow, const AftRate *rate)
{
    return rate != NULL && !aft_state_is_transient(flow->state) &&
           aft_state_stands(flow->state, rate->motion);
}

static gboolean step(Flow *flow, GError **error)
{
    AftWalk *walk = flow->walk;
    const AftRate *rate = rate_of(flow, error);
    if (stands(flow, rate) && aft_state_tell_exactly(flow->state)) {
        rate = rate_of(flow, error);
    }
    if (rate == NULL) {
        return FALSE;
    }
    if (stands(flow, rate)) {
        const char *text = aft_state_text(flow->state);
        g_set_error(error, AFT_ERROR, AFT_ERROR_CONFLICT,
                    "fidelity flow: the cluster comes to a state that cannot be measured (%.*s%s); "
                    "simulate it with --fidelity sampled",
                    SHOWN, text, strlen(text) > SHOWN ? "..." : "");
        return FALSE;
    }
    gint64 until = until_ns(flow, rate);
    if (until > now_ns(flow)) {
        carry(flow, rate, until);
    } else {
        let_slow_events_run(flow);
    }
    aft_walk_note_changes(walk);
    look(flow, rate);
    if (++flow->steps == MOST_STEPS || aft_state_length(flow->state) > LONGEST) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_CONFLICT,
                    "fidelity flow: the cluster goes from state to state too often; simulate it "
                    "with --fidelity sampled");
        return FALSE;
    }
    return TRUE;
}

void aft_walk_flow(AftWalk *walk, AftRates *own, GError **error)
{
    AftRates *shared = walk->options->rates;
    g_autoptr(AftState) state = aft_state_new(walk->model);
    g_autofree char *digest = aft_rates_digest(walk->scenario);
    Flow flow = {.walk = walk,
                 .state = state,
                 .rates = shared != NULL ? shared : own,
                 .overflow = shared != NULL ? own : NULL,
                 .digest = digest};
    let_slow_events_run(&flow);
    aft_walk_note_changes(walk);
    aft_state_look(state);
    while (!aft_walk_is_over(walk) && step(&flow, error)) {
    }
}
