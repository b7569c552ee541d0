/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "replay.h"

#define LONGEST_NS G_GINT64_CONSTANT(3153600000000000000) /* a century of 365 days */

struct AftReplay {
    AftClients *clients;
    AftIoTrace *trace; /* (nullable): it is over, or could not be opened */
    AftIoRow row;
    gint64 began_ns; /* engine time of the first row */
    gint64 last_ns;  /* the same of the row played last */
    gint64 left_ns;  /* until the next, while it stands still */
    gboolean paused;
    AftEvent next;
};

static AftEngine *engine_of(const AftReplay *replay)
{
    return replay->clients->topology->engine;
}

static void fail(AftReplay *replay, GError *problem)
{
    g_clear_pointer(&replay->trace, aft_io_trace_free);
    if (replay->clients->error == NULL) {
        replay->clients->error = problem;
    } else {
        g_error_free(problem);
    }
}

static void open_trace(AftReplay *replay)
{
    const AftWorkloadSpec *spec = replay->clients->spec;
    GError *problem = NULL;
    replay->trace = aft_io_trace_open(spec->file, spec->format, &problem);
    if (problem != NULL) {
        fail(replay, problem);
    }
}

AftReplay *aft_replay_new(AftClients *clients)
{
    AftReplay *replay = g_new0(AftReplay, 1);
    replay->clients = clients;
    open_trace(replay);
    return replay;
}

void aft_replay_free(AftReplay *replay)
{
    if (replay != NULL) {
        aft_io_trace_free(replay->trace);
        g_free(replay);
    }
}

static gint64 due_ns(const AftReplay *replay)
{
    double after_ns = (double)replay->row.time_ns / replay->clients->spec->speed;
    return replay->began_ns + (gint64)MIN(after_ns, (double)LONGEST_NS);
}

static void read_next(AftReplay *replay);

/* A trace that repeats has its first row at the time of the last; one without time would stand
 * still for ever. */
static void end(AftReplay *replay)
{
    AftClients *clients = replay->clients;
    gboolean again =
        clients->spec->repeat && replay->last_ns > replay->began_ns && clients->error == NULL;
    g_clear_pointer(&replay->trace, aft_io_trace_free);
    if (again) {
        replay->began_ns = replay->last_ns;
        open_trace(replay);
    }
    if (replay->trace != NULL) {
        read_next(replay);
    } else {
        aft_clients_tell_other_load(clients);
    }
}

static void play(void *context, gint64 now_ns)
{
    AftReplay *replay = context;
    replay->next = 0;
    replay->last_ns = now_ns;
    aft_vm_arrive(&replay->clients->vms[replay->row.stream % replay->clients->n_vms]);
    read_next(replay);
}

static void read_next(AftReplay *replay)
{
    GError *problem = NULL;
    if (aft_io_trace_next(replay->trace, &replay->row, &problem)) {
        replay->next = aft_engine_schedule(engine_of(replay), due_ns(replay), play, replay);
        return;
    }
    if (problem != NULL) {
        fail(replay, problem);
    }
    end(replay);
}

void aft_replay_start(AftReplay *replay)
{
    if (replay->trace != NULL) {
        replay->began_ns = replay->last_ns = aft_engine_now(engine_of(replay));
        read_next(replay);
    }
}

void aft_replay_pause(AftReplay *replay, gboolean paused)
{
    AftEngine *engine = engine_of(replay);
    gint64 now_ns = aft_engine_now(engine);
    if (paused == replay->paused || replay->trace == NULL) {
        return;
    }
    replay->paused = paused;
    if (paused) {
        replay->left_ns = aft_engine_due(engine, replay->next) - now_ns;
        aft_engine_cancel(engine, replay->next);
        return;
    }
    replay->began_ns += now_ns + replay->left_ns - due_ns(replay);
    replay->next = aft_engine_schedule(engine, now_ns + replay->left_ns, play, replay);
}

gboolean aft_replay_plays(const AftReplay *replay)
{
    return replay->trace != NULL && !replay->paused;
}

const AftIoRow *aft_replay_row(const AftReplay *replay)
{
    return &replay->row;
}
