/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rhythm.h"

#include "workloads.h"

#include <aftershock/scenario/arrivals.h>
#include <math.h>

#define DAY_NS (G_GINT64_CONSTANT(86400) * 1000000000)

/* Bursts with a relaxation time up to this are seen whole by windows: twelve windows of two of
 * them, each with a warm-up of one, then are some half of the time that a phase may simulate. */
#define FAST_NS 1000000000

static AftEngine *engine_of(const AftClients *clients)
{
    return clients->topology->engine;
}

static double relaxation_ns(const AftWorkloadSpec *spec)
{
    return (double)spec->burst.mean_ns * (1.0 - spec->burst.share);
}

static gboolean is_fast(const AftWorkloadSpec *spec)
{
    return relaxation_ns(spec) <= FAST_NS;
}

/* Where in the day scenario time @at_ns is: the piece of the curve. */
static guint piece_at(const AftWorkloadSpec *spec, gint64 at_ns)
{
    gint64 in_day_ns = (spec->day_start_ns + at_ns % DAY_NS) % DAY_NS;
    return (guint)((double)in_day_ns / (double)DAY_NS * spec->n_day);
}

void aft_rhythm_init(AftClients *clients, guint64 seed, guint32 replication)
{
    const AftWorkloadSpec *spec = clients->spec;
    AftRhythm *rhythm = &clients->rhythm;
    *rhythm = (AftRhythm){.day = 1.0, .burst = 1.0, .dispersion = 1.0};
    if (spec->n_day > 0) {
        rhythm->day = aft_arrivals_day(spec, piece_at(spec, 0));
    }
    if (spec->burst.factor > 0.0) {
        aft_stream_init(&rhythm->chance, seed, replication, "workload.bursts", clients->index);
        rhythm->bursts = aft_stream_uniform(&rhythm->chance) < spec->burst.share;
        rhythm->burst = aft_arrivals_burst(spec, rhythm->bursts);
    }
    if (aft_rhythm_relaxation_ns(clients) > 0) {
        double apart = aft_arrivals_burst(spec, TRUE) - aft_arrivals_burst(spec, FALSE);
        double share = spec->burst.share, relaxation_s = relaxation_ns(spec) / 1e9;
        rhythm->dispersion +=
            2.0 * spec->rate_per_s * share * (1.0 - share) * apart * apart * relaxation_s;
    }
    aft_rhythm_apply(clients);
}

void aft_rhythm_apply(AftClients *clients)
{
    const AftRhythm *rhythm = &clients->rhythm;
    double day = clients->paused ? 0.0 : rhythm->day;
    gboolean seen_as_mean = aft_rhythm_relaxation_ns(clients) > 0;
    aft_clock_set(clients, day * rhythm->burst, seen_as_mean ? day : day * rhythm->burst);
}

gint64 aft_rhythm_relaxation_ns(const AftClients *clients)
{
    const AftWorkloadSpec *spec = clients->spec;
    gboolean fast = spec->burst.factor > 0.0 && is_fast(spec);
    return fast ? MAX((gint64)relaxation_ns(spec), 1) : 0;
}

static void plan_burst(AftClients *clients);

static void burst_turns(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftClients *clients = context;
    AftRhythm *rhythm = &clients->rhythm;
    rhythm->bursts = !rhythm->bursts;
    rhythm->burst = aft_arrivals_burst(clients->spec, rhythm->bursts);
    aft_rhythm_apply(clients);
    plan_burst(clients);
    if (!is_fast(clients->spec)) {
        aft_clients_tell_other_load(clients);
    }
}

/* When the burst, or the calm, ends. */
static void plan_burst(AftClients *clients)
{
    const AftBurstSpec *burst = &clients->spec->burst;
    AftRhythm *rhythm = &clients->rhythm;
    AftEngine *engine = engine_of(clients);
    double mean_ns =
        (double)burst->mean_ns * (rhythm->bursts ? 1.0 : (1.0 - burst->share) / burst->share);
    gint64 length_ns = (gint64)(mean_ns * aft_stream_exponential(&rhythm->chance));
    if (is_fast(clients->spec)) {
        aft_engine_schedule(engine, aft_engine_now(engine) + length_ns, burst_turns, clients);
    } else {
        aft_engine_schedule_slow(engine, aft_engine_scenario_now(engine) + length_ns, burst_turns,
                                 clients);
    }
}

static void plan_piece(AftClients *clients);

static void piece_begins(void *context, gint64 now_ns G_GNUC_UNUSED)
{
    AftClients *clients = context;
    gint64 at_ns = aft_engine_scenario_now(engine_of(clients));
    clients->rhythm.day = aft_arrivals_day(clients->spec, piece_at(clients->spec, at_ns));
    aft_rhythm_apply(clients);
    plan_piece(clients);
    aft_clients_tell_other_load(clients);
}

/* The first nanosecond of piece @i of n. */
static gint64 begin_of_piece(guint i, guint n)
{
    return (gint64)ceil((double)DAY_NS / n * i);
}

/* The next piece that is another; there is none where all are the same. */
static void plan_piece(AftClients *clients)
{
    const AftWorkloadSpec *spec = clients->spec;
    AftEngine *engine = engine_of(clients);
    gint64 now_ns = aft_engine_scenario_now(engine);
    guint piece = piece_at(spec, now_ns);
    for (guint i = 1; i < spec->n_day; i++) {
        guint next = piece + i;
        if (spec->day[next % spec->n_day] != spec->day[piece]) {
            gint64 days = next / spec->n_day;
            gint64 begins_ns = days * DAY_NS + begin_of_piece(next % spec->n_day, spec->n_day);
            gint64 in_day_ns = (spec->day_start_ns + now_ns % DAY_NS) % DAY_NS;
            aft_engine_schedule_slow(engine, now_ns + begins_ns - in_day_ns, piece_begins, clients);
            return;
        }
    }
}

void aft_rhythm_start_fast(AftClients *clients)
{
    if (clients->spec->burst.factor > 0.0 && is_fast(clients->spec)) {
        plan_burst(clients);
    }
}

void aft_rhythm_start_slow(AftClients *clients)
{
    if (clients->spec->n_day > 0) {
        plan_piece(clients);
    }
    if (clients->spec->burst.factor > 0.0 && !is_fast(clients->spec)) {
        plan_burst(clients);
    }
}
