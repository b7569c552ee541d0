/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "state_parts.h"

#include "curator_parts.h"
#include "fill_bins.h"

#include <math.h>
#include <string.h>

#define PARTS_MOST       8    /* of the work of a task */
#define ROUNDS_OF_A_PART 48   /* all units that may be in flight, so many times, at least */
#define LANES_EXACT      8    /* up to so many nodes that write, their number counts exactly */
#define OWES_FROM_S      0.5  /* of its load: from there on a machine owes, until it owes nothing */
#define LEAST_LEFT       1e-9 /* of work that is not over, though all of it is in flight */

static void present_init(const AftState *state, AftPresent *present)
{
    present->owes = g_new0(guint8, state->n_vms);
    present->nodes = g_new0(guint32, state->n_vms);
    present->loads = g_new0(AftLoad, state->n_clients);
    present->fills = g_new(int, state->n_buffers);
    present->warms = g_new0(int, state->n_buffers);
    for (guint i = 0; i < state->n_buffers; i++) {
        present->fills[i] = -1;
    }
}

static void present_clear(AftPresent *present)
{
    g_free(present->owes);
    g_free(present->nodes);
    g_free(present->loads);
    g_free(present->fills);
    g_free(present->warms);
}

static void copy(void *to, const void *from, gsize n, gsize size)
{
    if (n > 0) { /* or there is nothing to copy from */
        memcpy(to, from, n * size);
    }
}

static void present_copy(const AftState *state, AftPresent *to, const AftPresent *from)
{
    copy(to->work, from->work, AFT_TASKS, sizeof(AftWork));
    copy(to->owes, from->owes, state->n_vms, sizeof(guint8));
    copy(to->nodes, from->nodes, state->n_vms, sizeof(guint32));
    copy(to->loads, from->loads, state->n_clients, sizeof(AftLoad));
    copy(to->fills, from->fills, state->n_buffers, sizeof(int));
    copy(to->warms, from->warms, state->n_buffers, sizeof(int));
}

AftState *aft_state_new(AftModel *model)
{
    AftState *state = g_new0(AftState, 1);
    state->model = model;
    state->n_clients = model->n_clients;
    state->n_buffers = model->topology.n_buffers;
    state->n_pools = model->pools->len;
    for (guint i = 0; i < model->n_clients; i++) {
        state->n_vms += model->clients[i].n_vms;
    }
    state->known = g_array_new(FALSE, FALSE, sizeof(AftOutageLook));
    state->lost = g_array_new(FALSE, FALSE, sizeof(AftLostGroup));
    state->steps = g_array_new(FALSE, FALSE, sizeof(AftStateStep));
    g_array_set_clear_func(state->steps, aft_state_step_clear);
    for (guint task = 0; task < AFT_TASKS; task++) {
        state->at_node[task] = g_new0(double, model->topology.n_nodes);
    }
    present_init(state, &state->now);
    present_init(state, &state->calm);
    state->written_base = g_new0(double, state->n_pools);
    state->written = g_new0(double, state->n_pools);
    state->text = g_string_new(NULL);
    aft_state_look(state);
    return state;
}

void aft_state_free(AftState *state)
{
    if (state != NULL) {
        g_array_unref(state->known);
        g_array_unref(state->lost);
        g_array_unref(state->steps);
        for (guint task = 0; task < AFT_TASKS; task++) {
            g_free(state->at_node[task]);
        }
        present_clear(&state->now);
        present_clear(&state->calm);
        g_free(state->calm_text);
        g_free(state->written_base);
        g_free(state->written);
        g_string_free(state->text, TRUE);
        g_free(state);
    }
}

static gboolean works(const AftModel *model, guint task)
{
    return aft_curator_works(model->curator, (AftTaskKind)task);
}

/* But for what nothing makes again. */
static gboolean is_whole(const AftModel *model)
{
    gboolean whole = model->outages->len == 0;
    for (guint i = 0; i < model->pools->len; i++) {
        whole &= ((const AftPool *)model->pools->pdata[i])->missing == 0;
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        whole &= aft_curator_transfers(model->curator, (AftTaskKind)task) == 0;
    }
    return whole;
}

static gboolean stalls(const AftModel *model)
{
    return model->topology.n_unnoticed > 0;
}

static void take_bases(AftState *state)
{
    for (guint task = 0; task < AFT_TASKS; task++) {
        state->base_bytes[task] = aft_state_work(state->model, task, AFT_NOWHERE);
        state->parts[task] = 0;
    }
    for (guint i = 0; i < state->n_pools; i++) {
        state->written_base[i] = ((const AftPool *)state->model->pools->pdata[i])->written_bytes;
    }
}

static void take_losses(AftState *state)
{
    g_array_set_size(state->lost, 0);
    for (guint i = 0; i < state->n_pools; i++) {
        const AftPool *pool = state->model->pools->pdata[i];
        for (guint group = 0; pool->n_lost > 0 && group < pool->n_groups; group++) {
            if (pool->groups[group].lost) {
                AftLostGroup lost = {i, group};
                g_array_append_val(state->lost, lost);
            }
        }
    }
}

/* What has happened up to here tells in nothing but what is lost. */
static void begin_anew(AftState *state)
{
    g_array_set_size(state->steps, 0);
    state->exact = FALSE;
    take_bases(state);
    take_losses(state);
}

/* A calm state is where the present says: amounts are of those that follow it. */
static void end_calm(AftState *state)
{
    state->n_calm = state->steps->len;
    aft_state_add_amounts(state);
    state->n_before = state->steps->len;
}

void aft_state_note(AftState *state)
{
    if (!aft_state_has_news(state)) {
        return;
    }
    if (!state->noted && !state->transient) {
        end_calm(state);
    }
    aft_state_add_news(state);
    state->noted = TRUE;
}

static void follow_news(AftState *state)
{
    state->noted = FALSE;
    if (!state->transient && stalls(state->model)) {
        state->transient = TRUE;
        g_free(state->calm_text);
        state->calm_text = g_strdup(state->text->str);
        present_copy(state, &state->calm, &state->now);
    }
    take_bases(state);
}

guint aft_state_lanes(const AftModel *model, guint task)
{
    guint lanes = 0, n = model->topology.n_nodes;
    for (guint node = 0; node < n; node++) {
        lanes += aft_curator_waiting_bytes(model->curator, (AftTaskKind)task, node) > 0.0;
    }
    guint coarse = MAX(n / LANES_EXACT, 1);
    return (lanes + coarse - 1) / coarse * coarse;
}

/* Of little work there are few parts, or one would be over when its first units are home. */
static int parts_of(const AftModel *model, guint task)
{
    guint in_flight = aft_curator_in_flight_most(model->curator, (AftTaskKind)task);
    double unit_bytes = (double)model->scenario->background.task[task].unit_bytes;
    double transfers = aft_curator_transfers(model->curator, (AftTaskKind)task);
    double units = MAX(aft_state_work(model, task, AFT_NOWHERE) / unit_bytes, transfers);
    double rounds = units / ((double)in_flight * MAX(aft_state_lanes(model, task), 1));
    int parts = PARTS_MOST;
    while (parts > 1 && rounds < parts * ROUNDS_OF_A_PART) {
        parts /= 2;
    }
    return parts;
}

static void look_at_task(AftState *state, guint task)
{
    double bytes = aft_state_work(state->model, task, AFT_NOWHERE);
    AftWork *work = &state->now.work[task];
    if (state->parts[task] == 0 || bytes > state->base_bytes[task]) {
        state->base_bytes[task] = bytes;
        state->parts[task] = parts_of(state->model, task);
    }
    work->works = works(state->model, task);
    work->parts = state->parts[task];
    double done = bytes > 0.0 ? 1.0 - bytes / state->base_bytes[task] : 1.0;
    work->bin = work->works ? CLAMP((int)(work->parts * done), 0, work->parts - 1) : 0;
    work->lanes = work->works ? MAX(aft_state_lanes(state->model, task), 1) : 0;
    gboolean worked = state->base_bytes[task] > 0.0;
    for (guint node = 0; node < state->model->topology.n_nodes; node++) {
        state->at_node[task][node] = aft_state_work(state->model, task, node);
    }
    state->left[task] = work->works ? MAX(1.0 - done, LEAST_LEFT) : worked ? 0.0 : 1.0;
}

static void look_at_pool(AftState *state, guint i)
{
    const AftPool *pool = state->model->pools->pdata[i];
    double bytes = pool->written_bytes - state->written_base[i];
    state->written[i] = MAX(bytes, 0.0) / pool->member_bytes;
}

double aft_state_owes_from(const AftVm *vm)
{
    return MAX(OWES_FROM_S * vm->mean_rate_per_s, 1.0);
}

static void look_at_machines(AftState *state)
{
    guint n = 0;
    for (guint i = 0; i < state->n_clients; i++) {
        const AftClients *clients = &state->model->clients[i];
        state->now.loads[i] = (AftLoad){clients->rhythm.day, clients->rhythm.burst};
        for (guint vm = 0; vm < clients->n_vms; vm++, n++) {
            const AftVm *it = &clients->vms[vm];
            gboolean may_owe = clients->spec->kind == AFT_WORKLOAD_PACED;
            gboolean goes_on = state->now.owes[n] && !state->transient;
            double from = goes_on ? 1.0 : aft_state_owes_from(it);
            state->now.owes[n] = may_owe && (double)it->owed.count >= from;
            state->now.nodes[n] = it->running ? it->node : AFT_NOWHERE;
        }
    }
}

static double warm_share(const AftBuffer *buffer)
{
    double most = aft_buffer_warm_most(buffer);
    return most > 0.0 ? buffer->warm_bytes / most : 1.0;
}

static void look_at_buffers(AftState *state)
{
    for (guint i = 0; i < state->n_buffers; i++) {
        const AftBuffer *buffer = &state->model->topology.buffers[i];
        double warm = warm_share(buffer);
        state->now.fills[i] = buffer->n_behind > 0 ? aft_fill_bin(buffer, state->now.fills[i]) : -1;
        state->now.warms[i] =
            warm >= AFT_STATE_ALL_WARM ? AFT_STATE_PARTS : (int)(warm * AFT_STATE_PARTS);
    }
}

gboolean aft_state_look(AftState *state)
{
    aft_state_note(state);
    if (state->noted) {
        follow_news(state);
    }
    if (!state->transient && is_whole(state->model)) {
        begin_anew(state);
    }
    for (guint task = 0; task < AFT_TASKS; task++) {
        look_at_task(state, task);
    }
    for (guint i = 0; i < state->n_pools; i++) {
        look_at_pool(state, i);
    }
    look_at_machines(state);
    look_at_buffers(state);
    g_autofree char *before = g_strdup(state->text->str);
    aft_state_write(state);
    return strcmp(before, state->text->str) != 0;
}

const char *aft_state_text(const AftState *state)
{
    return state->text->str;
}

guint aft_state_length(const AftState *state)
{
    return state->steps->len;
}

gboolean aft_state_is_transient(const AftState *state)
{
    return state->transient;
}

gboolean aft_state_tell_exactly(AftState *state)
{
    gboolean finer = !state->exact;
    state->exact = TRUE;
    return finer && aft_state_look(state);
}

void aft_state_settle(AftState *state)
{
    state->transient = FALSE;
    g_clear_pointer(&state->calm_text, g_free);
    aft_state_look(state);
}
