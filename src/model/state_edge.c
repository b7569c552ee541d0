/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a state stays the same. */
#include "state_parts.h"

#include "fill_bins.h"

#include <math.h>

gboolean aft_state_stands(const AftState *state, const AftMotion *motion)
{
    gboolean works = FALSE, moves = FALSE;
    for (guint task = 0; task < AFT_TASKS; task++) {
        works |=
            state->now.work[task].works && aft_state_work(state->model, task, AFT_NOWHERE) > 0.0;
        moves |= aft_motion_task_per_s(motion, state->model, (AftTaskKind)task) > 0.0;
    }
    return works && !moves;
}

static double tasks_edge_s(const AftState *state, const AftMotion *motion)
{
    double edge_s = INFINITY;
    for (guint task = 0; task < AFT_TASKS; task++) {
        const AftWork *work = &state->now.work[task];
        double per_s = aft_motion_task_per_s(motion, state->model, (AftTaskKind)task);
        double way = aft_state_work(state->model, task, AFT_NOWHERE) -
                     state->base_bytes[task] * (work->parts - 1 - work->bin) / work->parts;
        if (work->works && work->bin < work->parts - 1 && per_s > 0.0) {
            edge_s = MIN(edge_s, MAX(way, 0.0) / per_s);
        }
    }
    return edge_s;
}

/* Only who is paced can owe: what waits of others has slots of their own to wait in. */
static double machines_edge_s(const AftState *state, const AftMotion *motion)
{
    double edge_s = INFINITY;
    guint n = 0;
    for (guint i = 0; i < state->n_clients; i++) {
        const AftClients *clients = &state->model->clients[i];
        if (clients->spec->kind != AFT_WORKLOAD_PACED) {
            n += clients->n_vms;
            continue;
        }
        for (guint vm = 0; vm < clients->n_vms; vm++, n++) {
            double grown = aft_motion_owed_per_s(motion, n);
            double way =
                aft_state_owes_from(&clients->vms[vm]) - (double)clients->vms[vm].owed.count;
            if (!state->now.owes[n] && grown > 0.0) {
                edge_s = MIN(edge_s, MAX(way, 0.0) / grown);
            }
        }
    }
    return edge_s;
}

static double buffers_edge_s(const AftState *state, const AftMotion *motion)
{
    double edge_s = INFINITY;
    for (guint i = 0; i < state->n_buffers; i++) {
        const AftBuffer *buffer = &state->model->topology.buffers[i];
        double grown = aft_motion_fill_per_s(motion, i), warmed = aft_motion_warm_per_s(motion, i);
        if (grown != 0.0 && state->now.fills[i] >= 0) {
            double edge = aft_fill_edge(buffer->spec, state->now.fills[i], grown > 0.0);
            double way = (edge - aft_buffer_fill(buffer)) * buffer->size_bytes;
            edge_s = edge >= 0.0 && edge <= 1.0 ? MIN(edge_s, MAX(way / grown, 0.0)) : edge_s;
        }
        if (warmed > 0.0 && state->now.warms[i] < AFT_STATE_PARTS) {
            double share = MIN((state->now.warms[i] + 1.0) / AFT_STATE_PARTS, AFT_STATE_ALL_WARM);
            double way = share * aft_buffer_warm_most(buffer) - buffer->warm_bytes;
            edge_s = MIN(edge_s, MAX(way, 0.0) / warmed);
        }
    }
    return edge_s;
}

/* Until all together owe so much that a phase begins, or so little that it ends. */
static double phase_edge_s(const AftState *state, const AftMotion *motion)
{
    const AftModel *model = state->model;
    double owed = (double)aft_phases_owed(model), grown = 0.0;
    guint n = 0;
    for (guint i = 0; i < state->n_clients; i++) {
        gboolean paced = model->clients[i].spec->kind == AFT_WORKLOAD_PACED;
        for (guint vm = 0; vm < model->clients[i].n_vms; vm++, n++) {
            grown += paced ? aft_motion_owed_per_s(motion, n) : 0.0;
        }
    }
    double up = (double)model->owed_high + 1.0 - owed, down = (double)model->owed_low - 1.0 - owed;
    double way = grown > 0.0 ? up : down;
    return grown != 0.0 && way / grown > 0.0 ? way / grown : INFINITY;
}

gint64 aft_state_edge_ns(const AftState *state, const AftMotion *motion)
{
    if (state->transient) {
        return G_MAXINT64;
    }
    double edge_s = MIN(tasks_edge_s(state, motion), machines_edge_s(state, motion));
    edge_s = MIN(edge_s, buffers_edge_s(state, motion));
    edge_s = MIN(edge_s, phase_edge_s(state, motion));
    return edge_s < 9e9 ? (gint64)(edge_s * 1e9) : G_MAXINT64;
}
