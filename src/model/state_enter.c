/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Brings a quiet model to the middle of a state. */
#include "state_parts.h"

#include "fill_bins.h"
#include "machines.h"
#include "rhythm.h"

#include <math.h>

#define OWED_S    600.0 /* of its load: what a machine that owes does */
#define OWED_PART 0.9   /* of the limit, at most */

#define ROUNDING_BYTES 1.0 /* more than sums of bytes round */
#define TRIES          100
#define LEAST_OF_PART  0.5  /* of a part of work, that is to be done */
#define LEAST_SHARE    0.25 /* of its part of what is left, that each node that works has */

static int by_size_down(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first < second) - (first > second);
}

/* What nodes have written when they have had the same time for it, and @left bytes are left. Of
 * @sorted, largest first. */
static double level_of(const double *sorted, guint n, double left)
{
    double level = 0.0, beyond = 0.0;
    for (guint i = 0; i < n; i++) {
        beyond += sorted[i];
        double next = i + 1 < n ? sorted[i + 1] : 0.0;
        if (beyond - (i + 1) * next >= left) {
            return (beyond - left) / (i + 1);
        }
    }
    return level;
}

static void advance_once(AftModel *model, guint task, double left, guint lanes)
{
    guint n_nodes = model->topology.n_nodes, n = 0;
    g_autofree double *sorted = g_new(double, n_nodes);
    for (guint node = 0; node < n_nodes; node++) {
        double bytes = aft_state_work(model, task, node);
        if (bytes > 0.0) {
            sorted[n++] = bytes;
        }
    }
    qsort(sorted, n, sizeof(double), by_size_down);
    n = MIN(n, MAX(lanes, 1));
    double level = level_of(sorted, n, left), least = n > 0 ? sorted[n - 1] : 0.0;
    double kept = left > 0.0 && n > 0 ? LEAST_SHARE * left / n : 0.0;
    for (guint node = 0; node < n_nodes; node++) {
        double bytes = aft_state_work(model, task, node);
        double to_write = bytes < least ? bytes : MIN(level, MAX(bytes - kept, 0.0));
        if (to_write > 0.0 && aft_curator_runs(model->curator, (AftTaskKind)task)) {
            aft_curator_advance(model->curator, (AftTaskKind)task, node, to_write + ROUNDING_BYTES);
        }
    }
}

/* Carries @task on until @left bytes are left of it, on @lanes nodes. How much a member that was
 * away has missed is known when its turn comes: the last ones may have more than they seemed to.
 * What is not so after TRIES is measured as it is. */
static void advance_to(AftModel *model, guint task, double left, guint lanes)
{
    gboolean goes_on = TRUE;
    for (guint i = 0; goes_on && i < TRIES; i++) {
        advance_once(model, task, left, lanes);
        goes_on = aft_state_lanes(model, task) > (left > 0.0 ? MAX(lanes, 1) : 0);
    }
}

static void write_to(AftModel *model, const AftState *state, const AftStateStep *step)
{
    AftPool *pool = model->pools->pdata[step->index];
    double members = state->exact ? step->members : exp2((double)step->amount / AFT_STATE_OCTAVE);
    pool->written_bytes += pool->member_bytes * members;
}

static void take(AftModel *model, const AftState *state, const AftStateStep *step)
{
    switch (step->kind) {
    case AFT_STEP_FAIL:
        aft_outage_begin(model, &step->part, FALSE);
        break;
    case AFT_STEP_DETECT:
        aft_outage_notice_now(model, &step->part);
        break;
    case AFT_STEP_OUT:
        aft_outage_go_out_now(model, &step->part);
        break;
    case AFT_STEP_RESTORE:
        aft_outage_restore(model, &step->part);
        break;
    case AFT_STEP_IN:
        aft_outage_come_in_now(model, &step->part);
        break;
    case AFT_STEP_WRITTEN:
        write_to(model, state, step);
        break;
    case AFT_STEP_LEFT:
        break;
    }
}

static void take_bases(const AftModel *model, double *bases)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        bases[task] = aft_state_work(model, task, AFT_NOWHERE);
    }
}

static void lose(const AftState *state, AftModel *model)
{
    for (guint i = 0; i < state->lost->len; i++) {
        const AftLostGroup *lost = &g_array_index(state->lost, AftLostGroup, i);
        aft_pool_lose_group(model->pools->pdata[lost->pool], lost->group);
    }
}

/* All nodes have had the same time for it, unless it is known what each has done. */
static void carry_on(AftModel *model, const AftState *state, const AftStateStep *step, double base)
{
    AftTaskKind task = (AftTaskKind)step->index;
    guint n_nodes = model->topology.n_nodes;
    if (!state->exact) {
        advance_to(model, task, base * step->amount / AFT_STATE_PARTS, n_nodes);
        return;
    }
    for (guint node = 0; node < n_nodes && aft_curator_runs(model->curator, task); node++) {
        double bytes = aft_state_work(model, task, node) - step->at_node[node];
        if (bytes > 0.0) {
            aft_curator_advance(model->curator, task, node, bytes + ROUNDING_BYTES);
        }
    }
}

static void take_steps(const AftState *state, AftModel *model, double *bases)
{
    guint n = state->transient ? state->n_calm : state->steps->len;
    lose(state, model);
    take_bases(model, bases);
    for (guint i = 0; i < n; i++) {
        const AftStateStep *step = &g_array_index(state->steps, AftStateStep, i);
        if (step->kind == AFT_STEP_LEFT && aft_state_counts(state, step)) {
            carry_on(model, state, step, bases[step->index]);
        } else if (aft_state_counts(state, step)) {
            take(model, state, step);
        }
        if (step->kind < AFT_STEP_WRITTEN) {
            take_bases(model, bases);
        }
    }
}

/* What it owes came just now: how long it has waited nobody asks. */
static void owe(AftVm *vm)
{
    double most = OWED_PART * (double)vm->owed_most, wanted = OWED_S * vm->mean_rate_per_s;
    gint64 owed = (gint64)MAX(MIN(wanted, most), 1.0);
    aft_owed_jump(&vm->owed, 0, 0, owed, owed);
    vm->clients->owed += owed;
}

static void place_machines(const AftPresent *present, AftModel *model)
{
    guint n = 0;
    for (guint i = 0; i < model->n_clients; i++) {
        AftClients *clients = &model->clients[i];
        clients->rhythm.day = present->loads[i].day;
        clients->rhythm.burst = present->loads[i].burst;
        aft_rhythm_apply(clients);
        for (guint vm = 0; vm < clients->n_vms; vm++, n++) {
            gboolean runs = present->nodes[n] != AFT_NOWHERE;
            guint node = runs ? present->nodes[n] : clients->vms[vm].node;
            aft_machines_place(&clients->vms[vm], node, runs);
            if (present->owes[n]) {
                owe(&clients->vms[vm]);
            }
        }
    }
}

/* Full, it still has room for what a write adds, and is full with the first ones. */
static void fill_buffer(AftBuffer *buffer, int bin)
{
    double fill = aft_fill_middle(buffer->spec, bin);
    aft_buffer_jump(buffer, fill * buffer->size_bytes - buffer->dirty_bytes, 0.0);
}

static void fill_buffers(const AftPresent *present, AftModel *model)
{
    for (guint i = 0; i < model->topology.n_buffers; i++) {
        AftBuffer *buffer = &model->topology.buffers[i];
        if (present->fills[i] >= 0) {
            fill_buffer(buffer, present->fills[i]);
            double warm = MIN((present->warms[i] + 0.5) / AFT_STATE_PARTS, 1.0);
            buffer->warm_bytes = warm * aft_buffer_warm_most(buffer);
        }
    }
}

void aft_state_fill_again(const AftState *state, AftModel *model)
{
    for (guint i = 0; i < model->topology.n_buffers; i++) {
        AftBuffer *buffer = &model->topology.buffers[i];
        int bin = state->now.fills[i];
        if (bin >= 0 && buffer->n_behind > 0 && aft_fill_bin(buffer, bin) != bin) {
            fill_buffer(buffer, bin);
        }
    }
}

/* What is on the calendar for machines finds nothing to do. */
static void let_time_pass(AftModel *model)
{
    aft_outages_hold(model);
    for (gint64 at_ns; (at_ns = aft_engine_next_slow(model->engine)) != G_MAXINT64;) {
        aft_engine_run(model->engine, at_ns);
    }
}

/* The end of the part of the work of @task. Where nodes have come to their ends otherwise than in
 * the model that was looked at, there may be less left than that: then it is a part on. */
static double leaves_at(const AftModel *model, guint task, const AftWork *work, double base)
{
    double part = base / work->parts, end = part * (work->parts - 1 - work->bin);
    double left = aft_state_work(model, task, AFT_NOWHERE);
    return left > end + LEAST_OF_PART * part ? end : MAX(left - part, 0.0);
}

void aft_state_enter(const AftState *state, AftModel *model, AftLeaves *ret_leaves)
{
    const AftPresent *present = state->transient ? &state->calm : &state->now;
    double bases[AFT_TASKS];
    take_steps(state, model, bases);
    for (guint task = 0; task < AFT_TASKS; task++) {
        const AftWork *work = &present->work[task];
        double done = work->works ? (double)work->bin / work->parts : 1.0;
        advance_to(model, task, bases[task] * (1.0 - done), work->lanes);
        ret_leaves[task] = (AftLeaves){
            .bytes = work->works ? leaves_at(model, task, work, bases[task]) : -1.0,
            .lanes = aft_state_lanes(model, task),
        };
    }
    place_machines(present, model);
    let_time_pass(model);
    fill_buffers(present, model);
    aft_phases_update(model);
}

guint aft_state_steps(const AftState *state)
{
    return state->transient ? state->steps->len - state->n_before : 0;
}

static const AftStateStep *step_behind(const AftState *state, guint i)
{
    return &g_array_index(state->steps, AftStateStep, state->n_before + i);
}

/* What fails, or returns, meanwhile may do so at any time of it. */
double aft_state_waits_before(const AftState *state, guint i)
{
    AftStepKind kind = step_behind(state, i)->kind;
    return kind == AFT_STEP_DETECT ? 1.0 : i > 0 && kind != AFT_STEP_OUT ? 0.5 : 0.0;
}

void aft_state_step(const AftState *state, AftModel *model, guint i)
{
    take(model, state, step_behind(state, i));
    aft_outages_hold(model);
}

gboolean aft_state_has_work(const AftState *state)
{
    gboolean works = FALSE;
    for (guint task = 0; task < AFT_TASKS; task++) {
        works |= state->now.work[task].works;
    }
    return works;
}

double aft_state_share_left(const AftState *state, const AftModel *model, const AftLeaves *leaves)
{
    double share = 1.0;
    for (guint task = 0; task < AFT_TASKS; task++) {
        double bytes = aft_state_work(model, task, AFT_NOWHERE);
        if (state->now.work[task].works && bytes > 0.0) {
            share = MIN(share, MAX(1.0 - leaves[task].bytes / bytes, 0.0));
        }
    }
    return share;
}

static gboolean buffers_have_left(const AftState *state, const AftModel *model)
{
    for (guint i = 0; i < state->n_buffers; i++) {
        int bin = state->now.fills[i];
        if (bin >= 0 && aft_fill_bin(&model->topology.buffers[i], bin) != bin) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The last part is over when the last unit is home. */
static gboolean task_has_left(const AftModel *model, guint task, const AftLeaves *leaves)
{
    guint lanes = aft_state_lanes(model, task);
    gboolean last = leaves->bytes == 0.0;
    gboolean done = last ? !aft_curator_works(model->curator, (AftTaskKind)task)
                         : aft_state_work(model, task, AFT_NOWHERE) <= leaves->bytes;
    return done || (lanes < leaves->lanes && (lanes > 0 || !last));
}

gboolean aft_state_is_left(const AftState *state, const AftModel *model, const AftLeaves *leaves)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        if (leaves[task].bytes >= 0.0 && leaves[task].lanes > 0 &&
            task_has_left(model, task, &leaves[task])) {
            return TRUE;
        }
    }
    return buffers_have_left(state, model);
}
